import { readInstalledHooks } from '../config/installed-hooks.ts'
import type { JsonObject } from '../core/json.ts'
import type { Retention } from '../storage/journal/journal.ts'
import type { Home } from '../system/home.ts'
import { readPause } from '../system/pause.ts'
import { ownPlan } from './own-settings.ts'

/** What the journal's thread needs of the configuration. The thread itself loads no configuration. */
export interface JournalSettings {
  readonly retention: Retention
  /** The variables of OpenTelemetry; none: nothing is exported. */
  readonly telemetry: Readonly<Record<string, string>>
  /** What a fleet is told about this machine. */
  readonly facts: JsonObject
}

/**
 * From the user's own configuration: a project may not shorten the journal or say where records go. Undefined if it
 * cannot be read: then nothing is deleted, and nothing changes.
 */
export async function journalSettingsOf(home: Home, nowMs: number): Promise<JournalSettings | undefined> {
  const plan = await ownPlan(home)
  if (plan === undefined) return undefined
  const { revision, settings } = plan
  const { keepDays, keepMegabytes } = settings.journal
  const { installs, switchedOff } = await readInstalledHooks({ home, project: home.user })
  const hosts = [...new Set(installs.map(({ host }) => host))].sort()
  const agents = hosts.map((host) => ({
    host,
    guarded:
      installs.some((install) => install.host === host && install.wrong === undefined) &&
      !switchedOff.some((off) => off.host === host),
  }))
  const pause = readPause(home)
  const paused = pause.kind === 'signed' && pause.pause.untilMs > nowMs
  return {
    retention: { keepDays, keepMegabytes },
    telemetry: settings.telemetry,
    facts: { agents, paused, plan: revision },
  }
}
