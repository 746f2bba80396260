import type { Reply } from '../../core/decision.ts'
import type { EventKind } from '../../core/event.ts'
import type { HttpReply } from '../../core/host.ts'
import { CLAUDE_EVENTS } from './abilities.ts'

/**
 * The same answer for a `type: http` hook, which has no exit code, so a block is sent as JSON. If the event is not
 * known, the status is an error, which an entry with `onFailure: "block"` treats as a block.
 */
export function overHttp(reply: Reply, kind: EventKind | undefined): HttpReply {
  if (reply.exitCode === 0) return { status: 200, body: reply.stdout.trim() === '' ? '{}\n' : reply.stdout }
  const reason = reply.stderr.trim()
  const denyBy = kind === undefined || kind === 'Unknown' ? undefined : CLAUDE_EVENTS[kind].denyBy
  if (kind === undefined || denyBy === undefined) return { status: 500, body: said({ error: reason }) }
  if (denyBy === 'permission') {
    const permission = { permissionDecision: 'deny', permissionDecisionReason: reason }
    return { status: 200, body: said({ hookSpecificOutput: { hookEventName: kind, ...permission } }) }
  }
  if (denyBy === 'behavior') {
    const decision = { behavior: 'deny', message: reason }
    return { status: 200, body: said({ hookSpecificOutput: { hookEventName: kind, decision } }) }
  }
  return { status: 200, body: said({ decision: 'block', reason }) }
}

function said(body: object): string {
  return `${JSON.stringify(body)}\n`
}
