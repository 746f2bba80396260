import { good, type Result } from '../core/errors.ts'
import type { EventKind } from '../core/event.ts'
import {
  type DialectInstall,
  entryText,
  inOurWords,
  ownName,
  probePayload,
  userFileOnly,
} from './dialect-install.ts'
import { checkOptions } from './hook-entry.ts'
import { type HooksAt, installedEntries, installHooks, uninstallHooks } from './hook-settings.ts'
import type { InstalledEntry, Installer } from './installer.ts'
import { governedBy, type Switches } from './switched-off.ts'

/** An installer for an agent whose hooks stand in the settings of a person, in the shape that Claude Code has. */
export interface UserSettings extends DialectInstall {
  readonly at?: HooksAt
  /** How many milliseconds one of `timeout` is. */
  readonly timeoutUnitMs: number
  /** What keeps its hooks from counting, in this file and in others. */
  readonly switches: Switches
}

export function settingsInstaller(settings: UserSettings): Installer {
  const { dialect, program, events, at = 'hooks', timeoutUnitMs } = settings
  const read = (text: string): Result<readonly InstalledEntry[]> => {
    // Agents of this family let a tool run when a hook fails; only the hook's own deadline stands against that.
    const found = installedEntries(text, () => false, at)
    return found.ok
      ? good(found.value.map((entry) => inOurWords(settings, inUnits(entry, timeoutUnitMs))))
      : found
  }
  return {
    host: dialect.id,
    program,
    events,
    file: userFileOnly(settings),
    ...(settings.skillsFolder === undefined ? {} : { skillsFolder: settings.skillsFolder }),
    install(text, options) {
      const checked = checkOptions(options, settings.oldest)
      if (!checked.ok) return checked
      const entry = (event: EventKind) => {
        const { line, timeoutMs } = entryText(settings, event, options)
        return [
          ownName(settings, event),
          { type: 'command', command: line, timeout: timeoutMs / timeoutUnitMs },
        ] as const
      }
      return installHooks(text, new Map(events.map(entry)), at)
    },
    uninstall: (text) => uninstallHooks(text, at),
    entries: read,
    warnings: () => [],
    ...governedBy(settings.switches),
    probe: (event, session) => probePayload(dialect, event, session),
  }
}

/** Settings are read as if `timeout` were seconds. */
function inUnits(entry: InstalledEntry, unitMs: number): InstalledEntry {
  return entry.timeoutMs === undefined ? entry : { ...entry, timeoutMs: (entry.timeoutMs / 1_000) * unitMs }
}
