import { lastResortOf } from '../../core/deadlines.ts'
import { bad, good } from '../../core/errors.ts'
import type { EventKind } from '../../core/event.ts'
import type { JsonObject } from '../../core/json.ts'
import {
  type DialectInstall,
  entryText,
  inOurWords,
  ownName,
  probePayload,
  provedBy,
  userFileOnly,
} from '../dialect-install.ts'
import { checkOptions } from '../hook-entry.ts'
import { installedEntries, installHooks, uninstallHooks } from '../hook-settings.ts'
import type { Installer, InstallOptions } from '../installer.ts'
import { CURSOR } from './dialect.ts'
import { hooksFileStops } from './hooks-file.ts'

const CURSOR_INSTALL: DialectInstall = {
  dialect: CURSOR,
  program: 'cursor-agent',
  events: [
    'PreToolUse',
    'PostToolUse',
    'PostToolUseFailure',
    'UserPromptSubmit',
    'SessionStart',
    'SessionEnd',
    'SubagentStart',
    'SubagentStop',
    'Stop',
    'PreCompact',
  ],
  // Its versions are days.
  oldest: { title: CURSOR.title, version: '2026.1.1', why: 'its hooks are not known' },
  file: ({ home }) => `${home}/.cursor/hooks.json`,
}

/** The hooks of the user: a list of entries for each event. Cursor blocks by itself when one of them fails. */
export const installer: Installer = {
  host: CURSOR.id,
  program: CURSOR_INSTALL.program,
  events: CURSOR_INSTALL.events,
  ...provedBy(CURSOR),
  file: userFileOnly(CURSOR_INSTALL),
  install(text, options) {
    const checked = checkOptions(options, CURSOR_INSTALL.oldest)
    if (!checked.ok) return checked
    const entries = CURSOR_INSTALL.events.map(
      (event) => [ownName(CURSOR_INSTALL, event), entryFor(event, options)] as const,
    )
    if (entries.some(([, entry]) => String(entry.command).includes('//'))) {
      const message = 'Cursor cuts a line of this file at `//`, and a path to install contains that.'
      return bad('OPTION_INVALID', message, { fix: 'Use paths without `//`; nothing was changed.' })
    }
    return installHooks(text, new Map(entries), 'flat')
  },
  uninstall: (text) => uninstallHooks(text, 'flat'),
  entries(text) {
    const found = installedEntries(text, (entry) => entry.failClosed === true, 'flat')
    return found.ok ? good(found.value.map((entry) => inOurWords(CURSOR_INSTALL, entry))) : found
  },
  warnings: hooksFileStops,
  stops: hooksFileStops,
  probe: (event, session) => probePayload(CURSOR, event, session),
}

/** Its shell gets the line inside a document: one with `;` or `||` in it may be read in another way. */
function entryFor(event: EventKind, options: InstallOptions): JsonObject {
  const { bareLine, timeoutMs } = entryText(CURSOR_INSTALL, event, options)
  const closed = lastResortOf(event) === 'deny' ? { failClosed: true } : {}
  return { command: bareLine, timeout: timeoutMs / 1_000, ...closed }
}
