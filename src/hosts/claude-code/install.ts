import { deadlinesOf, lastResortOf } from '../../deadlines.ts'
import type { EventKind } from '../../event.ts'
import type { JsonObject } from '../../json.ts'
import {
  answeringCommand,
  checkOptions,
  hookArguments,
  isAtLeast,
  portableCommand,
  shellCommand,
  userFolder,
} from '../hook-entry.ts'
import { installedEntries, installHooks, uninstallHooks } from '../hook-settings.ts'
import type { Installer, InstallOptions } from '../installer.ts'
import { claudeSwitches } from './install-switches.ts'
import { settingsWarnings } from './install-warnings.ts'

/**
 * Claude Code's settings. Never registered: WorktreeCreate, where a hook that prints no path breaks the worktree, and
 * MessageDisplay, which would run at every message.
 */
const EVENTS: readonly EventKind[] = [
  'PreToolUse',
  'PermissionRequest',
  'PostToolUse',
  'PostToolUseFailure',
  'UserPromptSubmit',
  'UserPromptExpansion',
  'SessionStart',
  'SessionEnd',
  'SubagentStart',
  'SubagentStop',
  'Stop',
  'PreCompact',
  'ConfigChange',
]

export const installer: Installer = {
  host: 'claude-code',
  events: EVENTS,
  program: 'claude',
  file(scope, where) {
    if (scope === 'user') return `${userFolder(where, 'CLAUDE_CONFIG_DIR', '.claude')}/settings.json`
    const name = scope === 'local' ? 'settings.local.json' : 'settings.json'
    return `${where.project}/.claude/${name}`
  },
  install(text, options) {
    const checked = checkOptions(options, OLDEST)
    if (!checked.ok) return checked
    return installHooks(text, new Map(EVENTS.map((event) => [event, entryFor(event, options)])))
  },
  uninstall: uninstallHooks,
  entries: (text) => installedEntries(text, (entry) => entry.onFailure === 'block'),
  warnings: settingsWarnings,
  switches: claudeSwitches,
}

/** From here on `onFailure` is known, and a hook without a shell (`args`); 2.1.138 ignores both and runs the tool. */
const FAILS_CLOSED_SINCE = '2.1.295'

/** Found by trying: 2.1.100 reads none of it, 2.1.101 all. */
const OLDEST = {
  title: 'Claude Code',
  version: '2.1.101',
  why: 'it drops a whole settings file for one event that it does not know, and no hook in it runs',
}

function entryFor(event: EventKind, { command, home, version, portable }: InstallOptions): JsonObject {
  const { hostMs, clientMs } = deadlinesOf(event)
  if (portable === true) {
    const line = portableCommand('"$CLAUDE_PROJECT_DIR"', 'claude-code', event, clientMs)
    return { type: 'command', command: line, timeout: hostMs / 1_000 }
  }
  const args = hookArguments('claude-code', event, home, clientMs)
  const timeout = hostMs / 1_000
  if (!isAtLeast(version, FAILS_CLOSED_SINCE)) {
    return { type: 'command', command: answeringCommand(shellCommand([command, ...args]), event), timeout }
  }
  const mustAnswer = lastResortOf(event) === 'deny'
  return { type: 'command', command, args, timeout, ...(mustAnswer ? { onFailure: 'block' } : {}) }
}
