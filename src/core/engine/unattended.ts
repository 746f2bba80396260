import type { Event } from '../event.ts'
import { textAt } from '../json.ts'
import { wordSet } from '../word-list.ts'

/**
 * Modes in which an agent asks the user nothing. Claude Code still obeys most answers `ask` there, but not for files on
 * its own list (`.bashrc`, `.git/hooks`), which it then changes without asking. Seen on 2.1.325. `never` is the approval
 * policy of Codex, `yolo` the mode of Gemini CLI and Qwen Code.
 */
const UNATTENDED_MODES = wordSet('bypassPermissions dontAsk never yolo')

/** The mode, from the payload, in which no user is asked. Undefined if the user may be asked. */
export function unattendedMode(event: Event): string | undefined {
  const said = [
    event.permissionMode,
    textAt(event.raw, 'approval_policy'),
    textAt(event.raw, 'approval_mode'),
  ]
  return said.find((mode) => mode !== undefined && UNATTENDED_MODES.has(mode))
}

/** Modes of Claude Code in which it shows every `ask` of a hook to the user. */
const ASKING_MODES = wordSet('default acceptEdits plan')

/** True if the host says that the user can answer a question. A missing or unknown mode does not say so. */
export function canAskUser(event: Event): boolean {
  return ASKING_MODES.has(event.permissionMode ?? '') && unattendedMode(event) === undefined
}
