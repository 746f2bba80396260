import type { Finding } from '../decision.ts'
import type { Event } from '../event.ts'
import { frozen } from '../json.ts'

export function isRewrite(finding: Finding): boolean {
  return finding.rewrite !== undefined || finding.output !== undefined
}

/** The event with the changes of the findings. Frozen, because all functions of a process get the same object. */
export function applyRewrites(event: Event, findings: readonly Finding[]): Event {
  let current = event
  for (const { rewrite, output } of findings) {
    if (rewrite !== undefined && (current.kind === 'PreToolUse' || current.kind === 'PermissionRequest')) {
      const { files: _files, ...tool } = current.tool
      current = Object.freeze({ ...current, tool: Object.freeze({ ...tool, input: frozen(rewrite) }) })
    }
    if (output !== undefined && current.kind === 'PostToolUse') {
      current = Object.freeze({ ...current, output: frozen(output) })
    }
    if (output !== undefined && current.kind === 'PostToolUseFailure') {
      const error = typeof output === 'string' ? output : JSON.stringify(output)
      current = Object.freeze({ ...current, error })
    }
  }
  return current
}
