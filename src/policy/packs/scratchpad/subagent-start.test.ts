import { describe, expect, it } from 'vitest'
import type { Answer } from '../../../core/decision.ts'
import type { JsonObject } from '../../../core/json.ts'
import { actorOf, eventOf, frozenFacts } from '../../../library/testing/events.ts'
import { subagentStart } from './subagent-start.ts'

const pad = (path: string, text: string) => ({ [`/srv/project/.claude/scratchpad/${path}`]: text })

async function answer(
  agentType: string | undefined,
  files = {},
  options: JsonObject = {},
  memory?: JsonObject,
) {
  const event = eventOf('SubagentStart', { agentId: 'a1', ...(agentType === undefined ? {} : { agentType }) })
  const facts = frozenFacts({ files })
  return (await subagentStart.check({
    event,
    actor: actorOf(event),
    facts,
    options,
    memory,
  })) as Answer | null
}
const text = async (...given: Parameters<typeof answer>) => (await answer(...given))?.context?.[0]?.text ?? ''

describe('a sub-agent that starts', () => {
  it('receives the date, the path and the three sections (R-003-20, R-003-21, R-003-22)', async () => {
    expect(await text('spec-writer')).toBe(`Today is 2026-01-15. You are spec-writer.

Scratchpad protocol (mandatory). Before you may finish, the following is required:
- The file .claude/scratchpad/spec-writer/2026-01-15.md. It must have three sections, each under its heading:
  ## What I did
  ## Cross-agent observations
  ## Unresolved

If the file already exists, update it. Without this entry you may not finish.`)
  })

  it('receives the last three lines of both other entries, without blank lines (R-003-23, R-003-24)', async () => {
    const files = {
      ...pad('ego/2026-01-14.md', 'one\n\n  two  \nthree\n\n\nfour\n\n'),
      ...pad('coordinator/2026-01-13.md', 'old'),
      ...pad('coordinator/2026-01-14.md', 'only\n'),
    }
    const told = await text('spec-writer', files)
    expect(told.split('\n\n').slice(-2)).toEqual([
      "Last lines of the ego's newest entry (.claude/scratchpad/ego/2026-01-14.md):\ntwo\nthree\nfour",
      "Last lines of the coordinator's newest entry (.claude/scratchpad/coordinator/2026-01-14.md):\nonly",
    ])
  })

  it('has its name converted for use in a path', async () => {
    expect(await text('plugin:writer')).toContain('.claude/scratchpad/plugin-writer/2026-01-15.md')
    expect(await text('../../writer')).toContain('.claude/scratchpad/..-..-writer/2026-01-15.md')
  })

  it('starts without instructions if its name cannot be a folder name, and the user is notified', async () => {
    expect(await answer('a b')).toEqual({
      effect: 'pass',
      notices: ['The scratchpad of "a b" is not required, because this name cannot be a folder name.'],
    })
    expect(await answer(undefined)).toBeNull()
    expect(await answer('Explore', {}, { except: ['Explore'] })).toBeNull()
  })

  it('has its start remembered if possible', async () => {
    expect(await answer('writer', {}, {}, {})).toMatchObject({
      remember: [{ key: 'contracts/began', value: { date: '2026-01-15' } }],
    })
    expect(await answer('writer')).not.toHaveProperty('remember')
  })

  it('receives what the options say', async () => {
    const options = { folder: 'notes', headings: ['Done'], limits: { tail: 1, minLines: 5 } }
    const files = { '/srv/project/notes/ego/2026-01-14.md': 'one\ntwo' }
    const told = await text('writer', files, options)
    expect(told).toContain(
      'The file notes/writer/2026-01-15.md with at least 5 lines. It must have one section',
    )
    expect(told).toContain('2026-01-14.md):\ntwo')
  })

  it('in another folder is told where the path starts', async () => {
    const event = eventOf('SubagentStart', { agentId: 'a1', agentType: 'writer' })
    const facts = frozenFacts({ cwd: '/srv/worktree' })
    const told = (await subagentStart.check({
      event,
      actor: actorOf(event),
      facts,
      options: {},
      memory: undefined,
    })) as Answer
    expect(told.context?.[0]?.text).toContain('the path starts from /srv/project/')
  })
})
