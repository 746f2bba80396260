import type { Problem, Result } from '../../core/errors.ts'
import type { Event, ToolCall } from '../../core/event.ts'
import { invalidField } from '../../core/formats/claude-json.ts'
import type { HostRequest } from '../../core/host.ts'
import { PATCH_FILES_MAX, patchFiles } from '../../core/patch.ts'
import { decodeClaudePayload } from '../claude-payload.ts'

/** Codex sends Claude Code's field names; its `Interrupt` has no kind here and stays unknown. */
export function decode(request: HostRequest): Result<Event> {
  return decodeClaudePayload(request, { host: 'codex', promptKey: 'turn_id', canonical })
}

function canonical(call: ToolCall): ToolCall | Problem {
  if (call.name === 'spawn_agent') return { ...call, name: 'Agent' }
  return call.name === 'apply_patch' ? withFiles(call) : call
}

/** A patch is one text. Without it, or with more files than are listed, it is unknown which files it touches. */
function withFiles(call: ToolCall): ToolCall | Problem {
  const patch = call.input.command
  if (typeof patch !== 'string') return invalidField(call.input, 'command', 'the text of a patch')
  const files = patchFiles(patch)
  if (files.length < PATCH_FILES_MAX) return { ...call, files }
  return { code: 'PAYLOAD_TOO_LARGE', message: `The patch touches ${PATCH_FILES_MAX} files or more.` }
}
