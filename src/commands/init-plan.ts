import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { HoldpointError, type Result } from '../core/errors.ts'
import { type HttpAddress, type InstallScope, PROJECT_LAUNCHER } from '../hosts/installer.ts'
import { type Exclusion, planExclusion } from '../system/git-exclude.ts'
import type { Home } from '../system/home.ts'
import { checkOwnFiles } from '../system/own-files.ts'
import { checkWritable, readOwned } from '../system/owned-file.ts'
import { packageRoot } from '../system/package.ts'
import { type Agent, fileFor, type places, pluginOf, readIfThere } from '../tools/status/agents.ts'
import type { Caller } from './caller.ts'
import type { PolicyChange } from './init-packs.ts'
import { optionsFor } from './install-entries.ts'
import { lineDiff, shownDiffLine } from './line-diff.ts'
import { managedFile } from './managed-hooks.ts'
import { skillsOf, skillsToAdd } from './mux-skills.ts'
import { foldedText, screenWidth, tilde } from './screen.ts'

/** Everything that `init` would write for the choices of a person. Making it reads files and changes nothing. */
export interface InitPlan {
  readonly agents: readonly PlannedAgent[]
  readonly policy: readonly PolicyChange[]
  /** Keeps files of one person out of git. */
  readonly exclusion: Exclusion | undefined
  readonly project: string
  readonly home: Home
}

export interface PlannedAgent {
  readonly agent: Agent
  readonly place: { readonly file: string; readonly scope: InstallScope }
  /** The settings file, if its path is a link. */
  readonly target: string
  readonly before: string | undefined
  readonly after: string
  /** Files of Holdpoint's own in the folders of the agent, by path. */
  readonly own: Readonly<Record<string, string>>
  /** Skills that are copied for the agent: folders, or files in a folder that is there. */
  readonly skills: readonly string[]
}

export interface InitChoices {
  readonly agents: readonly Agent[]
  readonly scope: InstallScope
  readonly http: boolean
  readonly askWaitMs: number
  readonly policy: readonly PolicyChange[]
  /** Agents get the skills of the pack `mux`. */
  readonly skills: boolean
  readonly project: string
  readonly home: Home
  readonly where: ReturnType<typeof places>
}

/** Fails if one of the files cannot be read, cannot be understood or must not be changed. */
export function planInit(caller: Caller, choices: InitChoices): InitPlan {
  const { policy, project, home } = choices
  const agents = choices.agents.map((agent) => plannedAgent(agent, choices))
  const local = agents.filter(({ place }) => place.scope === 'local')
  const ofOnePerson = [
    ...local.flatMap(({ place: { file } }) => [file, `${file}.holdpoint-backup`]),
    ...policy.map(({ path }) => path).filter((path) => path.endsWith(LOCAL_CONFIG)),
    ...local.flatMap(({ skills }) => skills),
  ]
  const exclusion = ofOnePerson.length === 0 ? undefined : planExclusion(ofOnePerson, project, caller.env)
  for (const { path, before } of [...policy, ...(exclusion === undefined ? [] : [at(exclusion)])]) {
    // Its own home is looked at when it is made, with advice about homes.
    if (path === home.userConfig) continue
    unwrapped(checkWritable({ file: path, text: before, stats: statSync(path, { throwIfNoEntry: false }) }))
  }
  return { agents, policy, exclusion, project, home }
}

function at({ file, before, after }: Exclusion): PolicyChange {
  return { path: file, before, after }
}

/** The choice of packs of one person in one project. */
export const LOCAL_CONFIG = join('.holdpoint', 'config.local.yaml')

/** The real secret is chosen when the hooks are written. */
const SECRET_LATER: HttpAddress = { port: 1, secret: '<secret>', mark: '<mark>' }

function plannedAgent(agent: Agent, choices: InitChoices): PlannedAgent {
  const { scope, where, http, askWaitMs, home } = choices
  const { installer, program } = agent
  const place = fileFor(installer, scope, where)
  const found = unwrapped(readOwned(place.file))
  unwrapped(checkWritable(found))
  const options = optionsFor(home, program)
  const after = installer.install(found.text, {
    ...options,
    portable: place.scope === 'project',
    askWaitMs,
    ...(http && installer.httpSince !== undefined ? { http: SECRET_LATER } : {}),
  })
  if (!after.ok) throw new HoldpointError({ file: place.file, ...after.problem })
  const own = installer.ownFiles?.(where, options) ?? {}
  unwrapped(checkOwnFiles(own, (text) => installer.isOwnFile?.(text) === true))
  const skills = choices.skills ? skillsToAdd(home, skillsOf(installer, place, where)) : []
  return { agent, place, target: found.file, before: found.text, after: after.value, own, skills }
}

function unwrapped<T>(result: Result<T>): T {
  if (result.ok) return result.value
  throw new HoldpointError(result.problem)
}

/** All paths that an installation changes, so that they can be put back. */
export function touchedBy(
  caller: Caller,
  plan: InitPlan,
  where: ReturnType<typeof places>,
): readonly string[] {
  const { agents, policy, exclusion, project, home } = plan
  return [
    ...touchedAtHome(home),
    ...policy.map(({ path }) => path),
    ...(exclusion === undefined ? [] : [exclusion.file]),
    ...agents.flatMap(({ agent, place, target, own }) => [
      ...[place.file, target, `${target}.holdpoint-backup`, ...Object.keys(own)],
      ...(place.scope === 'project' ? [join(project, PROJECT_LAUNCHER)] : []),
      ...[managedFile(agent) ?? []].flat(),
      ...skillFiles(skillsOf(agent.installer, place, where)),
      ...(pluginOf(agent, where)?.pointers ?? []),
    ]),
    ...['.local/bin', 'bin'].map((name) => join(caller.userHome, name, 'holdpoint')),
  ]
}

/** What of it is in the home: also what `init --renew` changes. */
export function touchedAtHome(home: Home): readonly string[] {
  const { runtime, hookProgram, nodeProgram, command, installs, path, userConfig, trust, http } = home
  // Taken back from the end: no older program may be started by a newer one, whose options it does not know.
  const files = [nodeProgram, command, hookProgram, installs, path, userConfig, trust, http]
  const others = ['skills.json', 'managed-hooks.json', 'person.key'].map((name) => join(home.folder, name))
  return [runtime, join(runtime, 'current'), ...files, ...others]
}

function skillFiles(folder: string): readonly string[] {
  const from = join(packageRoot(), 'skills')
  return readdirSync(from, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(folder, join(entry.parentPath, entry.name).slice(from.length + 1)))
}

/** Said before anything is written: the files that change. */
export function printPlan(caller: Caller, plan: InitPlan): void {
  const { policy, exclusion, agents, home } = plan
  const changes = [
    ...policy,
    ...agents.flatMap(({ place, before, after, own }) => [
      { path: place.file, before, after },
      ...changesOf(own),
    ]),
    ...(exclusion === undefined ? [] : [at(exclusion)]),
  ]
  const lines = [
    ...changes.map(({ path, before, after }) => {
      const how = before === undefined ? 'new' : before === after ? 'stays as it is' : 'changed'
      return `${tilde(caller, path)} (${how})`
    }),
    ...copiesOf(plan).map((path) => `${tilde(caller, path)} (${existsSync(path) ? 'renewed' : 'new'})`),
  ]
  out(caller, `Holdpoint's own copy goes to ${tilde(caller, home.folder)}. These files change:`)
  for (const line of lines) out(caller, foldedText(line, '  ', screenWidth(caller.stdout)))
}

function changesOf(own: PlannedAgent['own']): readonly PolicyChange[] {
  return Object.entries(own).map(([path, after]) => ({ path, before: readIfThere(path), after }))
}

/** Files and folders that are copied whole, each once: several agents may share them. */
function copiesOf({ agents, project }: InitPlan): readonly string[] {
  const isShared = agents.some(({ place }) => place.scope === 'project')
  const launcher = isShared ? [join(project, PROJECT_LAUNCHER)] : []
  return [...new Set([...launcher, ...agents.flatMap(({ skills }) => skills)])]
}

/** `init --dry-run`: the difference in every file that exists or would be written, and nothing is written. */
export function printPreview(caller: Caller, plan: InitPlan): void {
  const { policy, agents, exclusion, home } = plan
  for (const { path, before, after } of policy) printDiff(caller, path, before, after)
  for (const { place, before, after, own } of agents) {
    printDiff(caller, place.file, before, after)
    for (const each of changesOf(own)) printDiff(caller, each.path, each.before, each.after)
  }
  for (const path of copiesOf(plan)) out(caller, `${caller.colours.bold(path)} is copied from the package.`)
  if (exclusion !== undefined) printDiff(caller, exclusion.file, exclusion.before, exclusion.after)
  out(
    caller,
    `${caller.colours.bold(home.folder)} gets a copy of Holdpoint (runtime/, bin/) and a list of these files (installs.json).`,
  )
  out(caller, 'This was a preview: nothing was changed.')
}

function printDiff(caller: Caller, path: string, before: string | undefined, after: string): void {
  const lines = lineDiff(before ?? '', after)
  const state = before === undefined ? ' (new file)' : lines.length === 0 ? ' (no change)' : ''
  out(caller, `${caller.colours.bold(path)}${state}`)
  for (const line of lines) out(caller, shownDiffLine(line, caller.colours))
}

function out(caller: Caller, line: string): void {
  caller.stdout.write(`${line}\n`)
}
