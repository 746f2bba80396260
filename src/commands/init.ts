import { dirname, resolve } from 'node:path'
import pc from 'picocolors'
import { ownSettings } from '../app/own-settings.ts'
import { isEnrolled } from '../config/bundle/enrollment.ts'
import { linkCommand } from '../system/command-link.ts'
import { rememberPath } from '../system/environment.ts'
import { planExclusion, trackedFiles, writeExclusion } from '../system/git-exclude.ts'
import { type Home, homeLayout } from '../system/home.ts'
import { type Install, readInstalls } from '../system/installs.ts'
import { findProject } from '../system/project.ts'
import { type Agent, fileFor, knownAgents, places, readIfThere } from '../tools/status/agents.ts'
import { collectStatus, readPolicy } from '../tools/status/status-facts.ts'
import { examine } from './doctor.ts'
import { printExamination } from './examination.ts'
import { checkHttpMode, closeUnusedHttpMode, openHttpMode } from './http-mode.ts'
import { type ChoiceOptions, chooseAgents, choosePacks, chooseScope } from './init-choices.ts'
import { movePacks, planPacks, writePacks } from './init-packs.ts'
import { printPreview } from './init-preview.ts'
import { installEntries } from './install-entries.ts'
import { installManaged } from './managed-hooks.ts'
import { copySkills } from './mux-skills.ts'
import { installOwnCopy, type OwnCopy, retireOldBuilds } from './own-copy.ts'
import { pointPlugin } from './plugin.ts'
import { foldedText, plural, say } from './screen.ts'
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
}

/**
 * Finds the installed agents, switches packs on, adds hooks to the agents' settings, and checks that each
 * hook works.
 */
export async function init(options: InitOptions): Promise<void> {
  const home = homeLayout(options.home === undefined ? undefined : resolve(options.home), process.env)
  if (options.renew === true) return renew(home, options)
  const project = findProject(process.cwd())
  const agents = await chooseAgents(options)
  const scope = await chooseScope(options)
  if (options.http === true) checkHttpMode(agents, scope, project)
  const packs = await choosePacks(options)
  const changes = {
    ...packs,
    ...(options.undoable === undefined ? {} : { options: { safety: { undoable: options.undoable } } }),
  }
  const policy = await planPacks(changes, scope, project, home)
  if (options.dryRun === true)
    return printPreview({ agents, scope, policy, project, home, http: options.http === true })
  const copy = installOwnCopy(home, options)
  await retireOldBuilds(home, copy)
  await writePacks(policy, home)
  rememberPath(home, process.env.PATH)
  try {
    const http = options.http === true ? await openHttpMode(home) : undefined
    const waitMs = await askWaitMs(home)
    for (const agent of agents) {
      const place = fileFor(agent.installer, scope, places(project))
      if (place.scope === 'local') keepOutOfGit(place.file, project)
      const install = installEntries(agent, place, home, http, waitMs)
      report(agent, install, options)
      if (options.managed === true) installManaged(agent, home)
      if (packs.on?.includes('mux') === true) copySkills(home, agent.installer, install, places(project))
    }
  } finally {
    if (await closeUnusedHttpMode(home))
      say('No agent uses HTTP hooks any more, so the HTTP server was switched off.')
  }
  for (const agent of agents) pointPlugin(agent, project, home)
  reportCopy(copy, home)
  reportCommand(home)
  if (copy.client === 'native' || isEnrolled(home)) await startDaemon(home)
  const healthy = printExamination(await examine(home, project, agents))
  await reportGuards(home, project, agents)
  if (!healthy) process.exitCode = 1
}

/** Hooks of one person start programs of this machine: a colleague must not get them with the repository. */
function keepOutOfGit(file: string, project: string): void {
  const exclusion = planExclusion([file, `${file}.holdpoint-backup`], project)
  if (exclusion !== undefined) {
    writeExclusion(exclusion)
    say(`Kept out of git by ${exclusion.file}`)
  }
  for (const tracked of trackedFiles([file], project))
    process.stdout.write(
      `${foldedText(`${pc.red('WARNING')}: git tracks ${tracked}. Do not commit it: run \`git rm --cached ${tracked}\`.`)}\n`,
    )
}

/** What is guarded now, in words. */
async function reportGuards(home: Home, project: string, agents: readonly Agent[]): Promise<void> {
  const status = await collectStatus(home, project, agents, Date.now())
  const { policy } = await readPolicy(home, project)
  const lines = policy.packs
    .filter(({ on }) => on)
    .map(({ pack, title, guards }) =>
      foldedText(
        `${title.replace(/\.$/, '')} (${plural(guards.filter(({ mode }) => mode !== 'off').length, 'guard')})`,
        `  ${pc.bold(pack.padEnd(12))}`,
      ),
    )
  process.stdout.write(`\n${headlineText(status)}${lines.join('\n')}\n`)
  say('To see this again: `holdpoint status`. To watch decisions: `holdpoint log --follow`.')
}

/**
 * The part of an upgrade that needs no answer from the user: the copy, and the hooks that were written
 * before. A settings file that was deleted, or from which the hooks were removed, stays as it is.
 */
async function renew(home: Home, options: InitOptions): Promise<void> {
  const copy = installOwnCopy(home, options)
  await retireOldBuilds(home, copy)
  const agents = await knownAgents()
  const installs = readInstalls(home.installs)
  await movePacks(home, installs)
  const http = installs.some((each) => each.http === true) ? await openHttpMode(home) : undefined
  const waitMs = await askWaitMs(home)
  const renewed = installs.flatMap((each) => {
    const agent = agents.find(({ installer }) => installer.host === each.host)
    const text = readIfThere(each.file)
    const entries = text === undefined ? undefined : agent?.installer.entries(text)
    if (agent === undefined || entries?.ok !== true || entries.value.length === 0) return []
    if (each.scope === 'managed') {
      installManaged(agent, home)
      return []
    }
    return [
      { agent, install: installEntries(agent, each, home, each.http === true ? http : undefined, waitMs) },
    ]
  })
  for (const { agent, install } of renewed) report(agent, install, {})
  const project = findProject(process.cwd())
  const plugged = agents.filter((agent) => pointPlugin(agent, project, home))
  reportCopy(copy, home)
  if (copy.client === 'native' || isEnrolled(home)) await startDaemon(home)
  const guarded = new Set([...renewed.map(({ agent }) => agent), ...plugged])
  const healthy = printExamination(await examine(home, project, [...guarded]))
  if (!healthy) process.exitCode = 1
}

/** Hooks must be able to wait as long as the user's own configuration lets questions wait. */
async function askWaitMs(home: Home): Promise<number> {
  return (await ownSettings(home))?.ask.waitMs ?? 0
}

function report({ installer, program }: Agent, { host, file, http }: Install, options: InitOptions): void {
  const version = program?.version ?? 'unknown version'
  say(`${pc.bold(host)} (${version}): hooks written to ${file}`)
  if (program === undefined) {
    say(`  ${installer.program} is not on PATH, so its version is unknown.`)
  }
  if (http === true)
    say('  These hooks use HTTP. Other users cannot read the file, because it contains a secret.')
  else if (options.http === true) say(`  ${host} does not support HTTP hooks, so its hooks start a command.`)
}

function reportCopy({ version, before, client }: OwnCopy, home: Home): void {
  const was = before === undefined ? '' : ` (was ${before.version})`
  say(`Holdpoint ${version}${was} runs from its own copy in ${home.runtime}`)
  if (client === 'node')
    say(
      `There is no native client for ${process.platform} on ${process.arch}, so each hook starts Node.js (about 50 ms).`,
    )
}

/** Skills and messages use `holdpoint` as a command, so agents must be able to run it too. */
function reportCommand(home: Home): void {
  const { path, linked } = linkCommand(home, process.env.PATH)
  if (linked) say(`\`holdpoint\` is now on your PATH: ${path}`)
  if (path === undefined)
    say(`\`holdpoint\` is not on your PATH. Use \`npx holdpoint\`, or add ${dirname(home.command)} to PATH.`)
}
