import { existsSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { HoldpointError } from '../core/errors.ts'
import { type Installer, type InstallScope, PROJECT_LAUNCHER, SCOPES } from '../hosts/installer.ts'
import { readAdoption } from '../system/adoptions.ts'
import { unlinkCommand } from '../system/command-link.ts'
import { removeTorn } from '../system/files.ts'
import { removeExclusion } from '../system/git-exclude.ts'
import type { Home } from '../system/home.ts'
import { installLock, readInstalls, removeMadeFolders, updateInstalls } from '../system/installs.ts'
import { removeOwnFiles } from '../system/own-files.ts'
import { removePrograms } from '../system/programs.ts'
import { findProject } from '../system/project.ts'
import { removeRuntimes } from '../system/runtime.ts'
import { restoreSettings } from '../system/settings-file.ts'
import {
  type Agent,
  chosenAgents,
  knownAgents,
  places,
  pluginOf,
  readIfThere,
} from '../tools/status/agents.ts'
import { placesOf } from './adopt-places.ts'
import { undoAdoption } from './adopt-undo.ts'
import { type Caller, homeNamed } from './caller.ts'
import { confirmed } from './confirmed.ts'
import { stopDaemon } from './daemon.ts'
import { closeUnusedHttpMode, reopen } from './http-mode.ts'
import { LOCAL_CONFIG } from './init-plan.ts'
import { leftovers, removeLeftovers } from './leftovers.ts'
import { removeManaged } from './managed-hooks.ts'
import { takeSkillsBack } from './mux-skills.ts'
import { requireConsent, requirePerson } from './person.ts'
import { leftPlugin } from './plugin.ts'
import { say, tilde } from './screen.ts'
import { standingHome } from './standing-hooks.ts'

interface UninstallOptions {
  readonly host?: readonly string[]
  readonly scope?: InstallScope
  /** Also removes what an uninstallation leaves. */
  readonly purge?: boolean
  readonly yes?: boolean
  /** The file that permits it where there is no person. */
  readonly unattended?: string
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
    if (adopted.includes(where.settings)) await undoAdoption(caller, where, {})
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
  if (options.purge === true) await checkPurge(caller, home, options)
  const agents = await knownAgents(caller.env)
  const chosen = options.host === undefined ? agents : chosenAgents(agents, options.host)
  const recorded = readInstalls(home.installs)
  const project = findProject(caller.cwd)
  const where = places(project, caller.env)
  const wasInstalled = existsSync(home.installs) || existsSync(home.runtime)
  // Which home is named is the caller's choice; what stands in the agent's files is not.
  const touched = chosen.flatMap(({ installer }) =>
    SCOPES.filter((scope) => (options.scope ?? scope) === scope).flatMap((scope) => {
      const own = recorded.filter((each) => each.host === installer.host && each.scope === scope)
      const named = options.scope === undefined ? undefined : installer.file(scope, where)
      return [...own.map(({ file }) => file), ...(named === undefined ? [] : [named])].map((file) => ({
        installer,
        file,
      }))
    }),
  )
  const standing = standingHome(touched, home)
  if ((wasInstalled || standing !== undefined) && options.purge !== true)
    await requireConsent(caller, standing ?? home, 'uninstall', options.unattended)
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
        if (install?.scope === 'local') {
          const folder = dirname(dirname(file))
          removeExclusion(folder, caller.env, [join(folder, LOCAL_CONFIG)].filter(existsSync))
        }
        if (file.startsWith(`${project}/`)) removeTorn(join(project, PROJECT_LAUNCHER))
        if (file.startsWith(`${project}/`)) rmSync(join(project, PROJECT_LAUNCHER), { force: true })
      }
      forget(home, file, installer.host)
    }
  }
  if (await closeUnusedHttpMode(home))
    say(caller, 'No agent uses HTTP hooks any more, so the HTTP server was switched off.')
  const isPart = options.host !== undefined || options.scope !== undefined
  const hasPlugin = agents.some((agent) => pluginOf(agent, places(project, caller.env))?.enabled === true)
  const still = readInstalls(home.installs)
  if (still.length > 0 && options.purge === true)
    say(
      caller,
      `Nothing else was removed: the hooks in ${still.map(({ file }) => file).join(', ')} still need Holdpoint.`,
    )
  if (still.length > 0 || (isPart && hasPlugin)) return
  unlinkCommand(home)
  removePrograms(home)
  await stopDaemon(home)
  removeRuntimes(home)
  for (const path of [home.installs, home.answering, installLock(home)])
    rmSync(path, { recursive: true, force: true })
  say(
    caller,
    wasInstalled ? 'Holdpoint is no longer installed.' : 'No hooks were installed, so nothing was removed.',
  )
  await reportLeftovers(caller, home, agents, options)
  for (const agent of agents) caller.stdout.write(leftPlugin(caller, agent, project))
}

/** It removes the record of what agents did, so a person must want it, for all agents at once. */
async function checkPurge(caller: Caller, home: Home, options: UninstallOptions): Promise<void> {
  await requirePerson(caller, home, 'uninstall --purge')
  const key = options.host !== undefined ? '--host' : options.scope !== undefined ? '--scope' : undefined
  if (key === undefined) return
  const message = '--purge removes what all agents share, so it cannot be used for a part.'
  throw new HoldpointError({ code: 'OPTION_INVALID', key, message })
}

async function reportLeftovers(
  caller: Caller,
  home: Home,
  agents: readonly Agent[],
  options: UninstallOptions,
): Promise<void> {
  const where = places(findProject(caller.cwd), caller.env)
  const left = leftovers(home, agents, where)
  if (left.length === 0) return
  say(caller, options.purge === true ? 'This is removed too:' : 'Left in place:')
  for (const { path, what } of left) say(caller, `  ${tilde(caller, path)} (${what})`)
  if (options.purge !== true) return say(caller, 'To remove that too: `holdpoint uninstall --purge`.')
  if (!(await confirmed(caller, 'It cannot be brought back.', options)))
    return say(caller, 'It was left in place.')
  removeLeftovers(left, where)
  say(caller, 'Removed.')
}
