import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { homeProblem } from '../home-check.ts'

/** The settings in the plugin file. */
export interface PluginSettings {
  readonly host: string
  readonly home: string
}

/** Records for `holdpoint doctor` that an agent has loaded the plugin. A missing home is not created. */
export function noteLoaded({ home, host }: PluginSettings): void {
  try {
    if (homeProblem(home) !== undefined) return
    mkdirSync(join(home, 'run'), { recursive: true, mode: 0o700 })
    const note = { loaded: new Date().toISOString(), pid: process.pid }
    writeFileSync(join(home, 'run', `plugin-${host}.json`), `${JSON.stringify(note)}\n`, { mode: 0o600 })
  } catch {
    // Only the report of doctor depends on it.
  }
}
