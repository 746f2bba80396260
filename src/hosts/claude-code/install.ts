import { installedDeadlines } from '../../core/deadlines.ts'
import { bad, type Result } from '../../core/errors.ts'
import type { EventKind } from '../../core/event.ts'
import type { JsonObject } from '../../core/json.ts'
import {
  answeringLine,
  checkOptions,
  hookAddress,
  hookArguments,
  isAtLeast,
  isKnownAtLeast,
  portableCommand,
  shellCommand,
} from '../hook-entry.ts'
import { installHooks, uninstallHooks } from '../hook-settings.ts'
import type { HttpAddress, Installer, InstallOptions } from '../installer.ts'
import { entries } from './entries.ts'
import { claudeSwitches } from './install-switches.ts'
import { httpWarnings, settingsStops, settingsSwitchOff, settingsWarnings } from './install-warnings.ts'
import { governingFiles, MANAGED_HOOKS, settingsFile } from './places.ts'
import { findPlugin } from './plugin.ts'
import { failing, pluginHooks, pluginSkillHook } from './plugin-hooks.ts'

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

/** Grok Build was seen to start these hooks; of the others their documentation says so. */
const IMPORTERS: Installer['importers'] = [
  { program: 'grok', title: 'Grok Build', isProved: true },
  { program: 'cursor-agent', title: 'Cursor', isProved: false },
  { program: 'devin', title: 'Devin CLI', isProved: false },
]

export const installer: Installer = {
  host: 'claude-code',
  events: EVENTS,
  folderVariable: 'CLAUDE_CONFIG_DIR',
  program: 'claude',
  httpSince: FAILS_CLOSED_SINCE,
  file: settingsFile,
  managedFile: MANAGED_HOOKS,
  install(text, options) {
    const checked = checkOptions(options, OLDEST)
    if (!checked.ok) return checked
    const asking = checkHttp(options)
    if (!asking.ok) return asking
    return installHooks(text, new Map(EVENTS.map((event) => [event, entryFor(event, options)])))
  },
  uninstall: uninstallHooks,
  entries,
  warnings: settingsWarnings,
  stops: settingsStops,
  governing: governingFiles,
  switchesOff: settingsSwitchOff,
  httpWarnings,
  switches: claudeSwitches,
  importers: IMPORTERS,
  plugin: {
    hooks: () => pluginHooks(EVENTS),
    skillHook: pluginSkillHook,
    find: findPlugin,
    removal: (id) => `claude plugin uninstall ${id}`,
  },
}

/** Found by testing: 2.1.100 reads none of it, 2.1.101 all. */
const OLDEST = {
  title: 'Claude Code',
  version: '2.1.101',
  why: 'it drops a whole settings file for one event that it does not know, and no hook in it runs',
}

/**
 * Claude Code runs no HTTP hooks at SessionStart. A turn begins with a prompt: there a program checks that the process
 * on the port is ours, before it judges any tool of that turn. SessionEnd also occurs if no prompt was accepted because
 * a proxy would be asked instead of us: it must not send the secret to that proxy.
 */
const STARTED: ReadonlySet<EventKind> = new Set<EventKind>(['SessionStart', 'UserPromptSubmit', 'SessionEnd'])

/** A version that ignores `onFailure` would run every tool while the daemon is not running. */
function checkHttp({ http, version, portable }: InstallOptions): Result<void> {
  if (http === undefined) return { ok: true, value: undefined }
  if (portable === true) {
    const fix = 'Use --scope user or --scope local; nothing was changed.'
    return bad('OPTION_INVALID', 'A committed file may not contain the secret of --http.', { fix })
  }
  if (isKnownAtLeast(version, FAILS_CLOSED_SINCE)) return { ok: true, value: undefined }
  const message = `--http needs Claude Code ${FAILS_CLOSED_SINCE} or newer; the installed version is ${version ?? 'unknown'}.`
  return bad('HOST_UNKNOWN', message, { fix: 'Update it, or install without --http; nothing was changed.' })
}

function entryFor(event: EventKind, options: InstallOptions): JsonObject {
  const { command, home, version, portable, http, askWaitMs } = options
  const { hostMs, clientMs } = installedDeadlines(event, askWaitMs)
  if (http !== undefined && !STARTED.has(event)) return askingEntry(event, http, askWaitMs)
  if (portable === true) {
    const line = portableCommand('"$CLAUDE_PROJECT_DIR"', 'claude-code', event, clientMs)
    return { type: 'command', command: line, timeout: hostMs / 1_000 }
  }
  const args = hookArguments('claude-code', event, home, clientMs)
  const timeout = hostMs / 1_000
  if (!isAtLeast(version, FAILS_CLOSED_SINCE)) {
    return { type: 'command', command: answeringLine(shellCommand([command, ...args]), event), timeout }
  }
  // Without a shell, which the caller's environment could reach. An importer that leaves `args` out starts the program
  // bare: it then finds its home by its own path, and the agent by its payload.
  return { type: 'command', command, args, timeout, ...failing(event) }
}

function askingEntry(event: EventKind, http: HttpAddress, askWaitMs: number | undefined): JsonObject {
  const { hostMs, clientMs } = installedDeadlines(event, askWaitMs)
  return {
    type: 'http',
    url: hookAddress('claude-code', event, http, clientMs),
    headers: { Authorization: `Bearer ${http.secret}` },
    timeout: hostMs / 1_000,
    ...failing(event),
  }
}
