import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { ownSettings } from '../app/own-settings.ts'
import { isEnrolled } from '../config/bundle/enrollment.ts'
import { linkCommand } from '../system/command-link.ts'
import { rememberPath } from '../system/environment.ts'
import { trackedFiles, writeExclusion } from '../system/git-exclude.ts'
import { type Home, homeLayout } from '../system/home.ts'
import { type Install, readInstalls } from '../system/installs.ts'
import { whyNoClient } from '../system/programs.ts'
import { findProject } from '../system/project.ts'
import type { Rollback } from '../system/rollback.ts'
import { type Agent, knownAgents, places, readIfThere } from '../tools/status/agents.ts'
import { collectStatus, readPolicy } from '../tools/status/status-facts.ts'
import { allOrNothing } from './all-or-nothing.ts'
import { type Caller, homeNamed } from './caller.ts'
import { examine } from './doctor.ts'
import { printExamination } from './examination.ts'
import { checkHttpMode, closeUnusedHttpMode, openHttpMode } from './http-mode.ts'
import { type ChoiceOptions, chooseAgents, choosePacks, chooseScope } from './init-choices.ts'
import { movePacks, planPacks, writePacks } from './init-packs.ts'
import { type InitPlan, planInit, printPlan, printPreview, touchedAtHome, touchedBy } from './init-plan.ts'
import { installEntries } from './install-entries.ts'
import { installManaged } from './managed-hooks.ts'
import { copySkills } from './mux-skills.ts'
import {
  checkDowngrade,
  installOwnCopy,
  isOtherBuild,
  isOtherNode,
  type OwnCopy,
  removeOldBuilds,
  stopOldDaemon,
} from './own-copy.ts'
import { requireConsent, starterHere } from './person.ts'
import { offerPin } from './pin.ts'
import { pointPlugin } from './plugin.ts'
import { foldedText, plural, say, screenWidth } from './screen.ts'
import { isHomeThere, replacedHomes } from './standing-hooks.ts'
import { startDaemon } from './start-daemon.ts'
import { headlineText } from './status.ts'

interface InitOptions extends ChoiceOptions {
  readonly home?: string
  /** Hooks call the daemon over HTTP if the agent supports it. */
  readonly http?: boolean
  /** Also installs the hooks where no project can switch them off. */
  readonly managed?: boolean
  /** Only updates the copy and the existing hooks; asks no questions and does not change packs. */
  readonly renew?: boolean
  /** Allows an older build to replace the installed one. */
  readonly downgrade?: boolean
  /** The file that permits a weaker policy where there is no person. */
  readonly unattended?: string
}

/**
 * Finds the installed agents, switches packs on, adds hooks to the agents' settings, and checks that each
 * hook works.
 */
export async function init(caller: Caller, options: InitOptions): Promise<void> {
  const home = homeNamed(caller, options.home)
  if (options.renew === true) return renew(caller, home, options)
  const project = findProject(caller.cwd)
  const agents = await chooseAgents(caller, options)
  const scope = await chooseScope(caller, options)
  if (options.http === true) checkHttpMode(caller, agents, scope, project)
  const packs = await choosePacks(caller, options)
  const changes = {
    ...packs,
    ...(options.undoable === undefined ? {} : { options: { safety: { undoable: options.undoable } } }),
  }
  const where = places(project, caller.env)
  const waitMs = await askWaitMs(home)
  const policy = await planPacks(changes, scope, project, home)
  const isHttp = options.http === true
  const plan = planInit(caller, {
    agents,
    scope,
    http: isHttp,
    askWaitMs: waitMs,
    policy,
    skills: packs.on?.includes('mux') === true,
    project,
    home,
    where,
  })
  if (options.dryRun === true) return printPreview(caller, plan)
  checkDowngrade(home, options)
  await checkWeaker(caller, home, plan, packs.off ?? [], options)
  printPlan(caller, plan)
  const write = async (rollback: Rollback) => {
    const installed = installOwnCopy(home, copyOptions(caller, options))
    await stopOldDaemon(home, installed)
    await writePacks(caller, policy, home)
    // Programs of hooks are looked up there first.
    if (starterHere(caller).kind === 'person' || !existsSync(home.path)) rememberPath(home, caller.env.PATH)
    keepOutOfGit(caller, plan)
    try {
      const http = isHttp ? await openHttpMode(caller, home) : undefined
      for (const { agent, place, target, own } of plan.agents) {
        const install = installEntries(caller, agent, place, home, http, waitMs)
        rollback.settle([target, ...Object.keys(own)])
        report(caller, agent, install, options)
        if (options.managed === true) installManaged(caller, agent, home)
        if (packs.on?.includes('mux') === true) copySkills(caller, home, agent.installer, install, where)
      }
    } finally {
      if (await closeUnusedHttpMode(home))
        say(caller, 'No agent uses HTTP hooks any more, so the HTTP server was switched off.')
    }
    for (const agent of agents) pointPlugin(caller, agent, project, home)
    reportCopy(caller, installed, home)
    reportCommand(caller, home)
    return installed
  }
  // Tried before another `init` may replace the files again.
  await allOrNothing(caller, home, touchedBy(caller, plan, where), write, async (copy) => {
    await tryHooks(caller, home, copy, project, agents)
  })
  await reportGuards(caller, home, project, agents)
  await offerPin(caller, home, options)
}

/** A first installation or a stricter one needs nobody; one that leaves less than there was needs a person. */
async function checkWeaker(
  caller: Caller,
  home: Home,
  { policy, project, agents }: Pick<InitPlan, 'policy' | 'project' | 'agents'>,
  off: readonly string[],
  options: InitOptions,
): Promise<void> {
  const isPerson = starterHere(caller).kind === 'person'
  const replaced = replacedHomes(agents, home, places(project, caller.env))
  // A person may also put a lost home's hooks in order.
  const counting = replaced.filter((folder) => !isPerson || isHomeThere(folder))
  const [other = home.folder] = counting
  const consent = (from: Home, does: string) => requireConsent(caller, from, 'init', options.unattended, does)
  if (counting.length > 0) await consent(homeLayout(other, caller.env), `replaces the hooks of ${other}`)
  if (readInstalls(home.installs).length === 0) return
  // Hooks start what is noted here: neither an agent nor what it left behind may exchange it.
  const isExchange = isOtherNode(home) || (starterHere(caller).kind === 'agent' && isOtherBuild(home))
  if (!isPerson && isExchange) await consent(home, 'exchanges the program that hooks start')
  const { packs } = (await readPolicy(home, project)).policy
  const lost = packs.filter(({ pack, on }) => on && off.includes(pack))
  const asks = options.undoable === 'ask' && policy.length > 0
  if (lost.length > 0) await consent(home, `switches off ${lost.map(({ pack }) => pack).join(', ')}`)
  else if (asks) await consent(home, 'asks about calls that were denied')
  else if (options.downgrade === true) await consent(home, 'installs an older version')
}

/** Below an agent the copy that is there stays: what a build says of itself is a text that the agent can write. */
function copyOptions(caller: Caller, { downgrade }: InitOptions) {
  const keepsOwn = starterHere(caller).kind === 'agent'
  return { keepsOwn, ...(downgrade === undefined ? {} : { downgrade }) }
}

/** Starts what hooks need and runs each hook once. The command fails if one of them does not work. */
async function tryHooks(
  caller: Caller,
  home: Home,
  copy: OwnCopy,
  project: string,
  agents: readonly Agent[],
): Promise<void> {
  removeOldBuilds(home)
  if (copy.client === 'native' || isEnrolled(home)) await startDaemon(caller, home)
  const healthy = printExamination(caller, await examine(caller, home, project, agents))
  if (!healthy) caller.exitCode = 1
}

/** Hooks of one person start programs of this machine: a colleague must not get them with the repository. */
function keepOutOfGit(caller: Caller, { exclusion, agents, project }: InitPlan): void {
  if (exclusion !== undefined) {
    writeExclusion(exclusion)
    say(caller, `Kept out of git by ${exclusion.file}`)
  }
  const local = agents.filter(({ place }) => place.scope === 'local').map(({ place }) => place.file)
  for (const tracked of trackedFiles(local, project, caller.env))
    caller.stdout.write(
      `${foldedText(`${caller.colours.red('WARNING')}: git tracks ${tracked}. Do not commit it: run \`git rm --cached ${tracked}\`.`, '', screenWidth(caller.stdout))}\n`,
    )
}

/** What is guarded now, in words. */
async function reportGuards(
  caller: Caller,
  home: Home,
  project: string,
  agents: readonly Agent[],
): Promise<void> {
  const status = await collectStatus(home, places(project, caller.env), agents, Date.now())
  const { policy } = await readPolicy(home, project)
  const lines = policy.packs
    .filter(({ on }) => on)
    .map(({ pack, title, guards }) =>
      foldedText(
        `${title.replace(/\.$/, '')} (${plural(guards.filter(({ mode }) => mode !== 'off').length, 'guard')})`,
        `  ${caller.colours.bold(pack.padEnd(12))}`,
        screenWidth(caller.stdout),
      ),
    )
  caller.stdout.write(`\n${headlineText(caller, status)}${lines.join('\n')}\n`)
  say(caller, 'To see this again: `holdpoint status`. To watch decisions: `holdpoint log --follow`.')
}

/**
 * The part of an upgrade that needs no answer from the user: the copy, and the hooks that were written
 * before. A settings file that was deleted, or from which the hooks were removed, stays as it is.
 */
async function renew(caller: Caller, home: Home, options: InitOptions): Promise<void> {
  checkDowngrade(home, options)
  const project = findProject(caller.cwd)
  await checkWeaker(caller, home, { policy: [], project, agents: [] }, [], options)
  const agents = await knownAgents(caller.env)
  const installs = readInstalls(home.installs)
  const touched = [
    ...touchedAtHome(home),
    ...installs.flatMap(({ file }) => [file, `${file}.holdpoint-backup`]),
  ]
  const write = () => renewFiles(caller, home, options, { agents, installs, project })
  await allOrNothing(caller, home, touched, write, ({ copy, guarded }) =>
    tryHooks(caller, home, copy, project, [...guarded]),
  )
}

interface Renewed {
  readonly copy: OwnCopy
  /** The agents whose hooks or plugin were renewed. */
  readonly guarded: ReadonlySet<Agent>
}

interface Installed {
  readonly agents: readonly Agent[]
  readonly installs: readonly Install[]
  readonly project: string
}

async function renewFiles(
  caller: Caller,
  home: Home,
  options: InitOptions,
  { agents, installs, project }: Installed,
): Promise<Renewed> {
  const copy = installOwnCopy(home, copyOptions(caller, options))
  await stopOldDaemon(home, copy)
  await movePacks(caller, home, installs)
  const http = installs.some((each) => each.http === true) ? await openHttpMode(caller, home) : undefined
  const waitMs = await askWaitMs(home)
  const renewed = installs.flatMap((each) => {
    const agent = agents.find(({ installer }) => installer.host === each.host)
    const text = readIfThere(each.file)
    const entries = text === undefined ? undefined : agent?.installer.entries(text)
    if (agent === undefined || entries?.ok !== true || entries.value.length === 0) return []
    if (each.scope === 'managed') {
      installManaged(caller, agent, home)
      return []
    }
    return [
      {
        agent,
        install: installEntries(caller, agent, each, home, each.http === true ? http : undefined, waitMs),
      },
    ]
  })
  for (const { agent, install } of renewed) report(caller, agent, install, {})
  const plugged = agents.filter((agent) => pointPlugin(caller, agent, project, home))
  reportCopy(caller, copy, home)
  return { copy, guarded: new Set([...renewed.map(({ agent }) => agent), ...plugged]) }
}

/** Hooks must be able to wait as long as the user's own configuration lets questions wait. */
async function askWaitMs(home: Home): Promise<number> {
  // Reading a configuration keeps a compiled copy in the home, which a first `init` must not make yet.
  if (!existsSync(home.folder)) return 0
  return (await ownSettings(home))?.ask.waitMs ?? 0
}

function report(
  caller: Caller,
  { installer, program }: Agent,
  { host, file, http }: Install,
  options: InitOptions,
): void {
  const version = program?.version ?? 'unknown version'
  say(caller, `${caller.colours.bold(host)} (${version}): hooks written to ${file}`)
  if (program === undefined) {
    say(caller, `  ${installer.program} is not on PATH, so its version is unknown.`)
  }
  if (http === true)
    say(caller, '  These hooks use HTTP. Other users cannot read the file, because it contains a secret.')
  else if (options.http === true)
    say(caller, `  ${host} does not support HTTP hooks, so its hooks start a command.`)
}

function reportCopy(caller: Caller, { version, before, client }: OwnCopy, home: Home): void {
  const was = before === undefined ? '' : ` (was ${before.version})`
  say(caller, `Holdpoint ${version}${was} runs from its own copy in ${home.runtime}`)
  if (client === 'node')
    say(caller, `${whyNoClient()}, so each hook starts Node.js: 30 to 60 times the time of the client.`)
}

/** Skills and messages use `holdpoint` as a command, so agents must be able to run it too. */
function reportCommand(caller: Caller, home: Home): void {
  const { path, linked } = linkCommand(home, caller.env.PATH)
  if (linked) say(caller, `\`holdpoint\` is now on your PATH: ${path}`)
  if (path === undefined)
    say(
      caller,
      `\`holdpoint\` is not on your PATH. Use \`npx holdpoint\`, or add ${dirname(home.command)} to PATH.`,
    )
}
