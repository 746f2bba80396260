import type { Result } from '../../core/errors.ts'
import type { Event } from '../../core/event.ts'
import type { HostRequest } from '../../core/host.ts'
import { decodeClaudePayload } from '../claude-payload.ts'

export function decode(request: HostRequest): Result<Event> {
  return decodeClaudePayload(request, {
    host: 'claude-code',
    promptKey: 'prompt_id',
    canonical: (call) => {
      const name = CANONICAL_TOOLS.get(call.name)
      return name === undefined ? call : { ...call, name }
    },
  })
}

/** Names older versions used; a `Task` call is reported as `Agent` by every current one. */
const CANONICAL_TOOLS: ReadonlyMap<string, string> = new Map([
  ['Task', 'Agent'],
  ['KillShell', 'TaskStop'],
  ['KillBash', 'TaskStop'],
])
