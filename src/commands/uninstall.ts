import { existsSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { HoldpointError } from '../core/errors.ts'
import { type Installer, type InstallScope, PROJECT_LAUNCHER, SCOPES } from '../hosts/installer.ts'
import { readAdoption } from '../system/adoptions.ts'
import { unlinkCommand } from '../system/command-link.ts'
import { removeExclusion } from '../system/git-exclude.ts'
import type { Home } from '../system/home.ts'
import { readInstalls, removeMadeFolders, updateInstalls } from '../system/installs.ts'
import { removeOwnFiles } from '../system/own-files.ts'
import { removePrograms } from '../system/programs.ts'
import { findProject } from '../system/project.ts'
import { removeRuntimes } from '../system/runtime.ts'
import { restoreSettings } from '../system/settings-file.ts'
import { chosenAgents, knownAgents, places, pluginOf, readIfThere } from '../tools/status/agents.ts'
import { placesOf } from './adopt-places.ts'
import { undoAdoption } from './adopt-undo.ts'
import { type Caller, homeNamed } from './caller.ts'
import { stopDaemon } from './daemon.ts'
import { closeUnusedHttpMode, reopen } from './http-mode.ts'
import { removeManaged } from './managed-hooks.ts'
import { takeSkillsBack } from './mux-skills.ts'
import { leftPlugin } from './plugin.ts'
import { say } from './screen.ts'

interface UninstallOptions {
  readonly host?: readonly string[]
  readonly scope?: InstallScope
  readonly home?: string
}

/** Without Holdpoint, adopted hooks would no longer run, so the agent gets them back first. */
async function giveBack(
  caller: Caller,
  files: ReadonlySet<string>,
  installer: Installer,
  options: UninstallOptions,
  home: Home,
): Promise<void> {
  const adopted = [...files].filter((file) => readAdoption(home, file) !== undefined)
  for (const scope of adopted.length === 0 ? [] : SCOPES) {
    const where = placesOf(caller, { ...options, scope }, installer)
    if (adopted.includes(where.settings)) await undoAdoption(caller, where)
  }
}

function forget(home: Home, file: string, host: string): void {
  if (readInstalls(home.installs).length === 0) return
  const forgotten = updateInstalls(home.installs, (all) =>
    all.filter((each) => each.file !== file || each.host !== host),
  )
  if (!forgotten.ok) throw new HoldpointError(forgotten.problem)
}

function takeOwnFiles(caller: Caller, installer: Installer, home: Home, project: string): void {
  const options = { command: home.hookProgram, home: home.folder, version: undefined }
  const files = installer.ownFiles?.(places(project, caller.env), options) ?? {}
  removeOwnFiles(files, (text) => installer.isOwnFile?.(text) === true)
}

/**
 * Removes Holdpoint's hooks from the agents' settings: everywhere `init` wrote them, or only for `--host` and
 * `--scope`.
 */
export async function uninstall(caller: Caller, options: UninstallOptions): Promise<void> {
  const home = homeNamed(caller, options.home)
  const agents = await knownAgents(caller.env)
  const chosen = options.host === undefined ? agents : chosenAgents(agents, options.host)
  const recorded = readInstalls(home.installs)
  const wasInstalled = existsSync(home.installs) || existsSync(home.runtime)
  const project = findProject(caller.cwd)
  for (const { installer } of chosen) {
    const files = new Set(
      recorded
        .filter(({ host, scope }) => host === installer.host && (options.scope ?? scope) === scope)
        .map(({ file }) => file),
    )
    if (options.scope !== undefined) {
      const file = installer.file(options.scope, places(project, caller.env))
      if (file !== undefined) files.add(file)
    }
    await giveBack(caller, files, installer, options, home)
    takeSkillsBack(caller, home, installer.host, options.scope)
    for (const file of files) {
      const managed = recorded.find((each) => each.file === file && each.scope === 'managed')
      if (managed !== undefined) {
        if (removeManaged(caller, managed)) forget(home, file, installer.host)
        continue
      }
      takeOwnFiles(caller, installer, home, project)
      if (readIfThere(file) !== undefined) {
        const restored = restoreSettings(file, installer)
        if (!restored.ok) throw new HoldpointError(restored.problem)
        const install = recorded.find((each) => each.file === file && each.host === installer.host)
        if (install !== undefined) {
          reopen(install)
          removeMadeFolders(install)
        }
        say(caller, `${installer.host}: the Holdpoint hooks were removed from ${file}`)
        if (install?.scope === 'local') removeExclusion(dirname(dirname(file)), caller.env)
        if (file.startsWith(`${project}/`)) rmSync(join(project, PROJECT_LAUNCHER), { force: true })
      }
      forget(home, file, installer.host)
    }
  }
  if (await closeUnusedHttpMode(home))
    say(caller, 'No agent uses HTTP hooks any more, so the HTTP server was switched off.')
  const isPart = options.host !== undefined || options.scope !== undefined
  const hasPlugin = agents.some((agent) => pluginOf(agent, places(project, caller.env))?.enabled === true)
  if (readInstalls(home.installs).length > 0 || (isPart && hasPlugin)) return
  unlinkCommand(home)
  removePrograms(home)
  await stopDaemon(home)
  removeRuntimes(home)
  rmSync(home.installs, { force: true })
  rmSync(home.answering, { recursive: true, force: true })
  const left = `Your policies and the journal are still in ${home.folder}.`
  if (wasInstalled) say(caller, `Holdpoint is no longer installed. ${left}`)
  else
    say(
      caller,
      `No hooks were installed, so nothing was removed.${existsSync(home.folder) ? ` ${left}` : ''}`,
    )
  for (const agent of agents) caller.stdout.write(leftPlugin(caller, agent, project))
}
