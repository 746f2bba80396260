import { describe, expect, it } from 'vitest'
import { createLineage } from './lineage.ts'

describe('lineage', () => {
  it('knows a session whose start it has seen, and asks for others once', async () => {
    const asked: string[] = []
    const lineage = createLineage(async (session) => {
      asked.push(session)
      return session === 'child' ? { parentID: 'main', agent: 'general' } : {}
    })
    lineage.learn('main', {})
    const child = { session_id: 'main', agent_id: 'child', agent_type: 'general' }
    expect(await lineage.identityOf('main')).toEqual({ session_id: 'main' })
    expect(await lineage.identityOf('child')).toEqual(child)
    expect(await lineage.identityOf('child')).toEqual(child)
    expect(asked).toEqual(['child'])
  })

  it('ends if sessions are parents of each other', async () => {
    const lineage = createLineage(async (session) => ({ parentID: session === 'a' ? 'b' : 'a' }))
    expect((await lineage.identityOf('a')).agent_id).toBe('a')
  })

  it('treats an unknown session as the main one, and asks again later', async () => {
    let known = false
    const lineage = createLineage(async () => {
      if (!known) throw new Error('not yet')
      return { parentID: 'main' }
    })
    expect(await lineage.identityOf('child')).toEqual({ session_id: 'child' })
    known = true
    expect(await lineage.identityOf('child')).toMatchObject({ agent_id: 'child' })
  })
})
