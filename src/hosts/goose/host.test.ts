import { describe, expect, it } from 'vitest'
import type { Reply } from '../../core/decision.ts'
import { type Event, type EventKind, toolOf } from '../../core/event.ts'
import { bodyOf, hostContract, type Obeyed, recordedIn } from '../host.contract.ts'
import { host } from './host.ts'

const fixtures = recordedIn(import.meta.dirname)

function payloadFor(kind: EventKind): string | undefined {
  return fixtures.get(`${kind}.json`) ?? fixtures.get(`${kind}.shell.json`)
}

/** Goose 1.52.0 as it was seen to behave. */
function obeys(reply: Reply, event: Event): Obeyed {
  const stops = ['PreToolUse', 'Stop'].includes(event.name)
  if (reply.exitCode === 2) return stops ? { does: 'stops', reason: reply.stderr } : { does: 'goes on' }
  const notice = reply.stderr === '' ? {} : { notice: reply.stderr }
  const body = reply.exitCode === 0 ? bodyOf(reply) : undefined
  return stops && body?.decision === 'block'
    ? { does: 'stops', reason: String(body.reason), ...notice }
    : { does: 'goes on', ...notice }
}

hostContract({ host, fixtures, payloadFor, obeys })

function recorded(name: string): Event {
  const result = host.decode({ payload: fixtures.get(name) ?? '', cwd: '/srv/start' })
  if (!result.ok) throw new Error(result.problem.message)
  return result.value
}

describe('what is read', () => {
  it.each([
    ['shell', 'Bash', { command: 'echo original > ran.txt' }],
    ['write', 'Write', { file_path: 'a.txt', content: 'hello' }],
    ['edit', 'Edit', { file_path: 'a.txt', old_string: 'hello', new_string: 'bye' }],
    ['delegate.subagent', 'Agent', { prompt: 'Help with it.' }],
  ])('a call of %s in the words of all hosts', (tool, name, input) => {
    expect(toolOf(recorded(`PreToolUse.${tool}.json`))).toMatchObject({ name, input })
  })

  it('the prompt and the folder', () => {
    expect(recorded('UserPromptSubmit.json')).toMatchObject({ prompt: 'Do it.', cwd: '/srv/start' })
    expect(recorded('PreToolUse.shell.json').cwd).toBe('/srv/project')
  })
})

it('has sessions that no other agent has', () => {
  expect(recorded('Stop.json').session).toBe('goose-20261116_1')
})

it('says before it matters that sub-agents are not seen', () => {
  expect(host.limits?.find(({ kind }) => kind === 'unseen')?.instead).toContain('delegate')
})
