import type { Problem, Result } from '../../errors.ts'
import type { Event, ToolCall } from '../../event.ts'
import { PATCH_FILES_MAX, patchFiles } from '../../patch.ts'
import { wrong } from '../claude-fields.ts'
import { decodeClaudePayload } from '../claude-payload.ts'
import type { HostRequest } from '../host.ts'

/** Codex sends Claude Code's field names; its `Interrupt` has no kind here and stays unknown. */
export function decode(request: HostRequest): Result<Event> {
  return decodeClaudePayload(request, { host: 'codex', promptKey: 'turn_id', canonical })
}

function canonical(call: ToolCall): ToolCall | Problem {
  if (call.name === 'spawn_agent') return { ...call, name: 'Agent' }
  return call.name === 'apply_patch' ? withFiles(call) : call
}

/** A patch is one text; without it, or with more files than are listed, nobody can say what it touches. */
function withFiles(call: ToolCall): ToolCall | Problem {
  const patch = call.input.command
  if (typeof patch !== 'string') return wrong(call.input, 'command', 'the text of a patch')
  const files = patchFiles(patch)
  if (files.length < PATCH_FILES_MAX) return { ...call, files }
  return { code: 'PAYLOAD_TOO_LARGE', message: `The patch touches ${PATCH_FILES_MAX} files or more.` }
}
