import { deadlinesOf, lastResortOf } from '../../deadlines.ts'
import { bad, type Result } from '../../errors.ts'
import type { EventKind } from '../../event.ts'
import type { JsonObject } from '../../json.ts'
import {
  answeringCommand,
  checkOptions,
  hookAddress,
  hookArguments,
  isAtLeast,
  isKnownAtLeast,
  portableCommand,
  shellCommand,
  userFolder,
} from '../hook-entry.ts'
import { installedEntries, installHooks, uninstallHooks } from '../hook-settings.ts'
import type { HttpAddress, Installer, InstallOptions } from '../installer.ts'
import { claudeSwitches } from './install-switches.ts'
import { httpWarnings, settingsWarnings } from './install-warnings.ts'

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

/** From here on `onFailure` is known, and a hook without a shell (`args`); 2.1.138 ignores both and runs the tool. */
const FAILS_CLOSED_SINCE = '2.1.295'

export const installer: Installer = {
  host: 'claude-code',
  events: EVENTS,
  program: 'claude',
  httpSince: FAILS_CLOSED_SINCE,
  file(scope, where) {
    if (scope === 'user') return `${userFolder(where, 'CLAUDE_CONFIG_DIR', '.claude')}/settings.json`
    const name = scope === 'local' ? 'settings.local.json' : 'settings.json'
    return `${where.project}/.claude/${name}`
  },
  install(text, options) {
    const checked = checkOptions(options, OLDEST)
    if (!checked.ok) return checked
    const asking = checkHttp(options)
    if (!asking.ok) return asking
    return installHooks(text, new Map(EVENTS.map((event) => [event, entryFor(event, options)])))
  },
  uninstall: uninstallHooks,
  entries: (text) => installedEntries(text, (entry) => entry.onFailure === 'block'),
  warnings: settingsWarnings,
  httpWarnings,
  switches: claudeSwitches,
}

/** Found by trying: 2.1.100 reads none of it, 2.1.101 all. */
const OLDEST = {
  title: 'Claude Code',
  version: '2.1.101',
  why: 'it drops a whole settings file for one event that it does not know, and no hook in it runs',
}

/**
 * Claude Code asks nothing over HTTP at SessionStart. With a prompt a turn begins: there a program makes sure that
 * whoever listens on the port is ours, before any tool of that turn is judged by it. SessionEnd comes also where no
 * prompt was let in, because a proxy would be asked in our place: it must not tell that proxy the secret.
 */
const STARTED: ReadonlySet<EventKind> = new Set<EventKind>(['SessionStart', 'UserPromptSubmit', 'SessionEnd'])

/** A version that ignores `onFailure` would run every tool while the daemon is away. */
function checkHttp({ http, version, portable }: InstallOptions): Result<void> {
  if (http === undefined) return { ok: true, value: undefined }
  if (portable === true) {
    const fix = 'Use --scope user or --scope local; nothing was changed.'
    return bad('OPTION_INVALID', 'A file that is committed may not hold the secret of --http.', { fix })
  }
  if (isKnownAtLeast(version, FAILS_CLOSED_SINCE)) return { ok: true, value: undefined }
  const message = `--http needs Claude Code ${FAILS_CLOSED_SINCE} or newer; here is ${version ?? 'an unknown version'}.`
  return bad('HOST_UNKNOWN', message, { fix: 'Update it, or install without --http; nothing was changed.' })
}

function entryFor(event: EventKind, options: InstallOptions): JsonObject {
  const { command, home, version, portable, http } = options
  const { hostMs, clientMs } = deadlinesOf(event)
  if (http !== undefined && !STARTED.has(event)) return askingEntry(event, http)
  if (portable === true) {
    const line = portableCommand('"$CLAUDE_PROJECT_DIR"', 'claude-code', event, clientMs)
    return { type: 'command', command: line, timeout: hostMs / 1_000 }
  }
  const args = hookArguments('claude-code', event, home, clientMs)
  const timeout = hostMs / 1_000
  if (!isAtLeast(version, FAILS_CLOSED_SINCE)) {
    return { type: 'command', command: answeringCommand(shellCommand([command, ...args]), event), timeout }
  }
  return { type: 'command', command, args, timeout, ...failing(event) }
}

function askingEntry(event: EventKind, http: HttpAddress): JsonObject {
  const { hostMs, clientMs } = deadlinesOf(event)
  return {
    type: 'http',
    url: hookAddress('claude-code', event, http, clientMs),
    headers: { Authorization: `Bearer ${http.secret}` },
    timeout: hostMs / 1_000,
    ...failing(event),
  }
}

function failing(event: EventKind): JsonObject {
  return lastResortOf(event) === 'deny' ? { onFailure: 'block' } : {}
}
