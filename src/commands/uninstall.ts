import { rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { HoldpointError } from '../errors.ts'
import { type Installer, PROJECT_LAUNCHER, SCOPES, type Scope } from '../hosts/installer.ts'
import { readAdoption } from '../world/adoptions.ts'
import { type Home, homeLayout } from '../world/home.ts'
import { removeHookProgram } from '../world/hook-program.ts'
import { readInstalls, writeInstalls } from '../world/installs.ts'
import { findProject } from '../world/project.ts'
import { restoreSettings } from '../world/settings-file.ts'
import { placesOf } from './adopt-places.ts'
import { undoAdoption } from './adopt-undo.ts'
import { chosenAgents, knownAgents, places, readIfThere } from './agents.ts'
import { stopDaemon } from './daemon.ts'
import { closeUnusedHttpMode, reopen } from './http-mode.ts'
import { takeSkillsBack } from './mux-skills.ts'

interface UninstallOptions {
  readonly host?: readonly string[]
  readonly scope?: Scope
  readonly home?: string
}

/** Hooks that were adopted would be run by nobody any more: the agent gets them back first. */
function giveBack(
  files: ReadonlySet<string>,
  installer: Installer,
  options: UninstallOptions,
  home: Home,
): void {
  const adopted = [...files].filter((file) => readAdoption(home, file) !== undefined)
  for (const scope of adopted.length === 0 ? [] : SCOPES) {
    const where = placesOf({ ...options, scope }, installer)
    if (adopted.includes(where.settings)) undoAdoption(where)
  }
}

/** Takes our entries out of the agents' files, everywhere `init` put them or as far as `--host` and `--scope` say. */
export async function uninstall(options: UninstallOptions): Promise<void> {
  const home = homeLayout(options.home === undefined ? undefined : resolve(options.home), process.env)
  const agents = await knownAgents()
  const chosen = options.host === undefined ? agents : chosenAgents(agents, options.host)
  const recorded = readInstalls(home.installs)
  const project = findProject(process.cwd())
  let left = recorded
  for (const { installer } of chosen) {
    const files = new Set(
      recorded
        .filter(({ host, scope }) => host === installer.host && (options.scope ?? scope) === scope)
        .map(({ file }) => file),
    )
    if (options.scope !== undefined) {
      const file = installer.file(options.scope, places(project))
      if (file !== undefined) files.add(file)
    }
    giveBack(files, installer, options, home)
    if (installer.host === 'claude-code') takeSkillsBack(home, options.scope)
    for (const file of files) {
      if (readIfThere(file) !== undefined) {
        const restored = restoreSettings(file, installer)
        if (!restored.ok) throw new HoldpointError(restored.problem)
        const install = recorded.find((each) => each.file === file && each.host === installer.host)
        if (install !== undefined) reopen(install)
        process.stdout.write(`${installer.host}: our entries are out of ${file}\n`)
        if (file.startsWith(`${project}/`)) rmSync(join(project, PROJECT_LAUNCHER), { force: true })
      }
      left = left.filter((each) => each.file !== file || each.host !== installer.host)
    }
  }
  if (recorded.length > 0) writeInstalls(home.installs, left)
  if (await closeUnusedHttpMode(home)) process.stdout.write('No hook asks over HTTP: the port is given up.\n')
  if (left.length > 0) return
  removeHookProgram(home)
  await stopDaemon(home)
  rmSync(home.installs, { force: true })
  process.stdout.write(
    `Nothing is installed any more. Your policies and the journal stay in ${home.folder}.\n`,
  )
}
