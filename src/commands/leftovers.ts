import { existsSync, readdirSync, rmdirSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { InstallPlaces } from '../core/host.ts'
import { SCOPES } from '../hosts/installer.ts'
import { removeTorn } from '../system/files.ts'
import { removeExclusion } from '../system/git-exclude.ts'
import type { Home } from '../system/home.ts'
import { readOwned } from '../system/owned-file.ts'
import type { Agent } from '../tools/status/agents.ts'
import { LOCAL_CONFIG } from './init-plan.ts'

/** What `uninstall` leaves on the machine of a person, and `uninstall --purge` removes. */
export interface Leftover {
  readonly path: string
  readonly what: string
}

export function leftovers(home: Home, agents: readonly Agent[], where: InstallPlaces): readonly Leftover[] {
  const local = join(where.project, LOCAL_CONFIG)
  const all = [
    { path: home.folder, what: `your configuration, journal and exceptions${sizeText(home.folder)}` },
    { path: local, what: 'the packs of this checkout' },
    ...agents.flatMap(({ installer }) =>
      SCOPES.flatMap((scope) => {
        const file = installer.file(scope, where)
        return file === undefined ? [] : [{ path: backupOf(file), what: 'settings from before the hooks' }]
      }),
    ),
  ]
  return all.filter(({ path }, at) => existsSync(path) && all.findIndex((each) => each.path === path) === at)
}

/** With them goes what was there only for them: the folder that holds nothing else, and the lines that hid them from git. */
export function removeLeftovers(all: readonly Leftover[], { project, env }: InstallPlaces): void {
  for (const { path } of all) rmSync(path, { recursive: true, force: true })
  const local = join(project, LOCAL_CONFIG)
  removeTorn(local)
  if (!all.some(({ path }) => path === local)) return
  removeExclusion(project, env)
  try {
    rmdirSync(dirname(local))
  } catch {
    // The project has files of its own in it.
  }
}

function backupOf(file: string): string {
  const found = readOwned(file)
  return `${found.ok ? found.value.file : file}.holdpoint-backup`
}

function sizeText(folder: string): string {
  if (!existsSync(folder)) return ''
  const bytes = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(join(folder, name), { throwIfNoEntry: false }))
    .reduce((sum, stats) => sum + (stats?.isFile() === true ? stats.size : 0), 0)
  return `, ${(bytes / 2 ** 20).toFixed(1)} MB`
}
