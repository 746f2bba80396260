import { describe, expect, it } from 'vitest'
import type { Reply } from '../../core/decision.ts'
import { type Event, type EventKind, toolOf } from '../../core/event.ts'
import { bodyOf, hostContract, type Obeyed } from '../host.contract.ts'
import { host } from './host.ts'

const BASE = { conversationId: 'c1', workspacePaths: ['/srv/project'], transcriptPath: '/srv/t.jsonl' }
const CALL = { name: 'run_command', args: { CommandLine: 'ls', Cwd: '/srv/project' } }

/** From its documentation: nobody has recorded one. */
const DOCUMENTED: ReadonlyMap<string, string> = new Map(
  Object.entries({
    PreToolUse: { ...BASE, toolCall: CALL },
    PostToolUse: { ...BASE, toolCall: CALL },
    Stop: { ...BASE, terminationReason: 'model_stop' },
  }).map(([kind, payload]) => [kind, JSON.stringify(payload)]),
)

function payloadFor(kind: EventKind): string | undefined {
  return DOCUMENTED.get(kind)
}

/** By its documentation: without a decision that it knows, a call does not run. `ask` is its own question. */
function obeys(reply: Reply, event: Event): Obeyed {
  const notice = reply.stderr === '' ? {} : { notice: reply.stderr }
  if (reply.exitCode !== 0) return { does: 'stops', reason: reply.stderr }
  const body = bodyOf(reply)
  const reason = String(body?.reason ?? '')
  if (event.kind === 'PostToolUse') return { does: 'goes on', ...notice }
  switch (body?.decision) {
    case 'deny':
      return { does: 'stops', reason, ...notice }
    case 'allow':
      return { does: event.kind === 'PreToolUse' ? 'skips the prompt' : 'goes on', ...notice }
    case 'ask':
      return { does: 'goes on', ...notice }
    default:
      return event.kind === 'PreToolUse'
        ? { does: 'stops', reason: 'no decision' }
        : { does: 'goes on', ...notice }
  }
}

hostContract({ host, fixtures: DOCUMENTED, payloadFor, obeys, namedByEntry: true })

describe('Antigravity', () => {
  it('is marked as not proved', () => {
    expect(host.notProved).toBe(true)
  })

  it('reads the call out of its object, in the words of all hosts', () => {
    const decoded = host.decode({
      payload: DOCUMENTED.get('PreToolUse') ?? '',
      cwd: '/',
      event: 'PreToolUse',
    })
    if (!decoded.ok) throw new Error(decoded.problem.message)
    expect(toolOf(decoded.value)).toMatchObject({
      name: 'Bash',
      hostName: 'run_command',
      input: { command: 'ls', cwd: '/srv/project' },
    })
    expect(decoded.value).toMatchObject({ session: 'c1', cwd: '/srv/project' })
  })
})
