import { describe, expect, it } from 'vitest'
import type { StoredRecord } from '../../storage/journal/store.ts'
import { countRecords, middle } from './figures.ts'
import { readReply, readSession, shownEvent } from './session.ts'

const PROJECT = '/srv/project'
const answerOf = (body: unknown) =>
  readReply({ stdout: JSON.stringify(body), stderr: '', exitCode: 0 }, PROJECT)

describe('the demo session', () => {
  const session = readSession(PROJECT)

  it('runs in the given project', () => {
    expect(new Set(session.map(({ cwd }) => cwd))).toEqual(new Set([PROJECT]))
  })

  it('has calls of the agent and of a sub-agent, and shows paths relative to the project', () => {
    const shown = session.map((payload) => shownEvent(payload, PROJECT))
    expect(shown).toContainEqual({ name: 'PreToolUse Read', subject: '.env' })
    expect(shown).toContainEqual({ name: '↳ SubagentStart', subject: 'general-purpose' })
    expect(shown).toContainEqual({ name: '↳ PreToolUse Bash', subject: 'bash -c "cd / && sudo rm -rf *"' })
    expect(shown).toContainEqual({ name: 'SessionEnd', subject: '' })
    expect(JSON.stringify(shown)).not.toContain(PROJECT)
  })
})

describe('readReply', () => {
  it('reads an empty reply as a pass', () => {
    expect(answerOf({})).toEqual({ verdict: 'pass', reason: '' })
  })

  it('reads a deny or an ask with its reason, in each form a hook can use', () => {
    const permission = (permissionDecision: string) => ({
      hookSpecificOutput: { permissionDecision, permissionDecisionReason: `reads ${PROJECT}/.env` },
      systemMessage: 'Holdpoint denied it.',
    })
    expect(answerOf(permission('deny'))).toEqual({ verdict: 'deny', reason: 'reads .env' })
    expect(answerOf(permission('ask'))).toEqual({ verdict: 'ask', reason: 'reads .env' })
    expect(answerOf({ decision: 'block', reason: 'not yet' })).toEqual({ verdict: 'deny', reason: 'not yet' })
    expect(readReply({ stdout: '', stderr: 'broken\n', exitCode: 2 }, PROJECT)).toEqual({
      verdict: 'deny',
      reason: 'broken',
    })
  })

  it('reads a masked output, and shows what the agent gets', () => {
    const updatedToolOutput = { stdout: 'ok\n  key [redacted:api-key]\n', stderr: '' }
    expect(answerOf({ systemMessage: 'It held a key.', hookSpecificOutput: { updatedToolOutput } })).toEqual({
      verdict: 'mask',
      reason: 'It held a key. The agent reads: key [redacted:api-key]',
    })
  })

  it('reads nothing if the hook crashed, was killed or printed something else', () => {
    expect(readReply({ stdout: '{}', stderr: '', exitCode: 1 }, PROJECT)).toBeUndefined()
    expect(readReply({ stdout: '', stderr: '', exitCode: null }, PROJECT)).toBeUndefined()
    expect(readReply({ stdout: 'hello', stderr: '', exitCode: 0 }, PROJECT)).toBeUndefined()
  })
})

describe('the statistics', () => {
  it('count which guards stopped and asked', () => {
    const records = [
      ['deny', ['a']],
      ['pass', ['c']],
      ['deny', ['a', 'b']],
      ['ask', ['a']],
    ].map(([effect, because]) => ({ record: { effect, because } }) as unknown as StoredRecord)
    expect(countRecords(records, true)).toEqual({
      events: 4,
      denied: 2,
      asked: 1,
      isIntact: true,
      because: [
        { effect: 'deny', id: 'a', count: 2 },
        { effect: 'deny', id: 'b', count: 1 },
        { effect: 'ask', id: 'a', count: 1 },
      ],
    })
  })

  it('take the median of the times', () => {
    expect(middle([9, 1, 5])).toBe(5)
    expect(middle([2, 1])).toBe(1)
    expect(middle([])).toBeUndefined()
  })
})
