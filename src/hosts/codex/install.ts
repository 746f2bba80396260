import { installedDeadlines } from '../../core/deadlines.ts'
import type { EventKind } from '../../core/event.ts'
import type { InstallPlaces } from '../../core/host.ts'
import type { JsonObject } from '../../core/json.ts'
import {
  answeringCommand,
  checkOptions,
  hookArguments,
  portableCommand,
  shellCommand,
  userFolder,
} from '../hook-entry.ts'
import { installedEntries, installHooks, uninstallHooks } from '../hook-settings.ts'
import type { Installer, InstallOptions } from '../installer.ts'
import { codexTrustWarnings } from './install-trust.ts'
import { hooksFileWarnings } from './install-warnings.ts'

/** Codex's `hooks.json`. Its `config.toml`, where it keeps which hooks a person trusts, is read but never written. */
const EVENTS: readonly EventKind[] = [
  'PreToolUse',
  'PermissionRequest',
  'PostToolUse',
  'UserPromptSubmit',
  'SessionStart',
  'SessionEnd',
  'SubagentStart',
  'SubagentStop',
  'Stop',
  'PreCompact',
]

export const installer: Installer = {
  host: 'codex',
  events: EVENTS,
  folderVariable: 'CODEX_HOME',
  program: 'codex',
  file(scope, where) {
    if (scope === 'local') return undefined
    return scope === 'user'
      ? `${userFolder(where, 'CODEX_HOME', '.codex')}/hooks.json`
      : `${where.project}/.codex/hooks.json`
  },
  install(text, options) {
    const checked = checkOptions(options, OLDEST)
    if (!checked.ok) return checked
    return installHooks(text, new Map(EVENTS.map((event) => [event, entryFor(event, options)])))
  },
  uninstall: uninstallHooks,
  // Codex lets the tool run if a hook fails; only the hook's own deadline prevents that.
  entries: (text) => installedEntries(text, () => false),
  warnings: hooksFileWarnings,
  stops: hooksFileWarnings,
  governing: (where) => [projectConfig(where), `${userFolder(where, 'CODEX_HOME', '.codex')}/config.toml`],
  switchesOff,
  switches({ where, read }) {
    const file = projectConfig(where)
    const off = switchesOff(read(file) ?? '')
    return off === undefined ? [] : [`${file} ${off}. Remove it.`]
  },
  trustWarnings: ({ file, text, where, read, sha256 }) =>
    codexTrustWarnings({
      config: read(`${userFolder(where, 'CODEX_HOME', '.codex')}/config.toml`),
      hooksFile: file,
      hooksText: text,
      sha256,
    }),
}

/** A trusted project's own file counts, and turns off the hooks of the user too (seen on 0.166.0). */
function projectConfig({ project }: InstallPlaces): string {
  return `${project}/.codex/config.toml`
}

/** As TOML can spell it: in a table, as a dotted key, or in one line. */
const HOOKS_OFF =
  /^[ \t]*(?:\[\s*["']?features["']?\s*\](?:(?!^[ \t]*\[)[\s\S])*?^[ \t]*["']?(?:codex_)?hooks["']?\s*=\s*false|["']?features["']?\s*\.\s*["']?(?:codex_)?hooks["']?\s*=\s*false|["']?features["']?\s*=\s*\{[^}]*\b(?:codex_)?hooks["']?\s*=\s*false)/m

function switchesOff(text: string): string | undefined {
  return HOOKS_OFF.test(plainKeys(text))
    ? 'has `hooks = false` under [features], which switches every hook off'
    : undefined
}

/** Without comments, and with escapes as the letters they mean: a key in quotes may be spelt with them. */
function plainKeys(text: string): string {
  return text
    .replace(/^[ \t]*#.*$/gm, '')
    .replace(/\\u([\dA-Fa-f]{4})|\\U([\dA-Fa-f]{8})|\\x([\dA-Fa-f]{2})/g, (whole, ...codes: unknown[]) => {
      const code = Number.parseInt(String(codes.slice(0, 3).find((each) => each !== undefined)), 16)
      return code < 128 ? String.fromCharCode(code) : whole
    })
}

/** The oldest that was seen to read our entries. It ignores the events of sub-agents; 0.133.0 knows them. */
const OLDEST = { title: 'Codex', version: '0.129.0', why: 'it does not read hooks.json, or not all of it' }

/** Codex gives the end of a session three seconds at most, whatever is asked for. */
const SESSION_END = { hostMs: 3_000, clientMs: 2_500 }

/** A person trusts this text by its hash: it may not change from one version of Holdpoint to the next. */
function entryFor(event: EventKind, options: InstallOptions): JsonObject {
  const { command, home, portable } = options
  const { hostMs, clientMs } =
    event === 'SessionEnd' ? SESSION_END : installedDeadlines(event, options.askWaitMs)
  if (portable === true) {
    // Codex names the project in no variable; the repository's root is where its hooks.json lies.
    const line = portableCommand('"$(git rev-parse --show-toplevel)"', 'codex', event, clientMs)
    return { type: 'command', command: line, timeout: hostMs / 1_000 }
  }
  const words = [command, ...hookArguments('codex', event, home, clientMs)]
  return { type: 'command', command: answeringCommand(shellCommand(words), event), timeout: hostMs / 1_000 }
}
