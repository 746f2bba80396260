import { existsSync } from 'node:fs'
import { type FleetStatus, readFleetStatus } from '../../config/bundle/fleet-status.ts'
import { compile } from '../../config/compile.ts'
import { type EffectivePolicy, effectivePolicy } from '../../config/effective.ts'
import { configPlaces } from '../../config/places.ts'
import { describeProblem } from '../../core/errors.ts'
import type { Hook } from '../../core/hook.ts'
import type { InstallPlaces } from '../../core/host.ts'
import { namesCode } from '../../handlers/kind-of.ts'
import { readExceptions } from '../../system/exceptions.ts'
import { abandonedAt } from '../../system/file-lock.ts'
import type { Home } from '../../system/home.ts'
import { installLock, readInstalls } from '../../system/installs.ts'
import { currentRuntime } from '../../system/runtime.ts'
import type { Agent } from './agents.ts'
import { fleetWarnings } from './fleet-warnings.ts'
import { type AgentGuard, guardOf } from './guarded.ts'
import { type AgentLimits, limitsFor } from './host-limits.ts'
import { currentPause, type OpenPause, pauseLine } from './open-pause.ts'

/** What is on here and what is not. `status` prints it, and `doctor` begins with it. */
export interface Status {
  /** True if every agent on this machine is guarded and nothing is paused or switched off. */
  readonly ok: boolean
  /** The most important facts first, a sentence each. */
  readonly headline: readonly string[]
  readonly project: string
  /** The version and build of the installed copy that hooks run. */
  readonly build?: string
  readonly agents: readonly AgentGuard[]
  /** Of the agents that are guarded. */
  readonly limits: readonly AgentLimits[]
  readonly files: readonly PolicyFile[]
  readonly packs: readonly PackStatus[]
  readonly rules: number
  readonly hooks: number
  readonly contracts: number
  readonly exceptions: number
  readonly pause?: OpenPause
  /** When an `init` was killed before it had written everything. */
  readonly interruptedInit?: string
  /** Missing if this machine is not enrolled in a fleet. */
  readonly fleet?: FleetStatus
  readonly problems: readonly string[]
}

export interface PolicyFile {
  readonly layer: string
  readonly file: string
  readonly state: 'in force' | 'not trusted' | 'broken'
}

export interface PackStatus {
  readonly pack: string
  readonly on: boolean
  readonly level?: string
  /** How many guards are on. */
  readonly guards: number
  readonly paused?: boolean
  /** The file that decides. */
  readonly from?: string
}

export async function collectStatus(
  home: Home,
  where: InstallPlaces,
  agents: readonly Agent[],
  nowMs: number,
): Promise<Status> {
  const { project } = where
  const { policy, broken, hooks } = await readPolicy(home, project)
  const pause = currentPause(home, nowMs)
  const askWaitMs = Number(policy.settings.find(({ key }) => key === 'ask.waitMs')?.value ?? 0)
  const guards = agents.map((agent) => guardOf(agent, home, where, askWaitMs))
  const guarded = guards.filter((agent) => agent.guarded)
  // `self` guards hooks, so without hooks it is not missed.
  const isInstalled = readInstalls(home.installs).length > 0
  const packs = policy.packs.filter(
    (pack) => pack.on || pack.from !== undefined || (pack.isDefault && (isInstalled || pack.pack !== 'self')),
  )
  const files = policyFiles(
    policy,
    broken.map(({ file }) => file ?? ''),
    home,
    project,
  )
  const count = (kinds: readonly string[]) => policy.entries.filter(({ kind }) => kinds.includes(kind)).length
  const build = currentRuntime(home)?.build
  const fleet = readFleetStatus(home, nowMs)
  const interrupted = abandonedAt(installLock(home))
  const facts = {
    project,
    ...(build === undefined ? {} : { build }),
    agents: guards,
    limits: await Promise.all(guarded.map(({ host }) => limitsFor(host, hooks))),
    files,
    packs: packs.map(
      (pack): PackStatus => ({
        pack: pack.pack,
        on: pack.on,
        ...(pack.level === undefined ? {} : { level: pack.level }),
        guards: pack.guards.filter(({ mode }) => mode !== 'off').length,
        ...((pack.pausedUntilMs ?? 0) > nowMs ? { paused: true } : {}),
        ...(pack.from === undefined ? {} : { from: pack.from.file }),
      }),
    ),
    rules: count(['rule']),
    contracts: count(['contract']),
    hooks: policy.entries.length - count(['rule', 'contract']),
    exceptions: currentExceptions(home, project, nowMs),
    ...(pause === undefined ? {} : { pause }),
    ...(interrupted === undefined ? {} : { interruptedInit: interrupted.toISOString() }),
    ...(fleet === undefined ? {} : { fleet }),
    problems: [...broken, ...policy.problems].map(describeProblem),
  }
  const waiting = untrustedPrograms(hooks)
  const wrong = warningsOf(facts)
  const untrusted = waiting.length === 0 ? [] : [`NOT TRUSTED: ${untrustedText(waiting)}`]
  return {
    ok: wrong.length === 0,
    headline:
      wrong.length === 0
        ? [...untrusted, guardedLine(facts)]
        : [...wrong, ...untrusted, ...guardedLines(facts)],
    ...facts,
  }
}

/** Compiled anew, and nothing is kept. */
export async function readPolicy(home: Home, project: string) {
  const compiled = await compile({ home, project, packs: [], lastGood: {} })
  const policy: EffectivePolicy = effectivePolicy(compiled.plan, compiled.layers, compiled.packs)
  const { broken, complete, plan, packs } = compiled
  return { policy, broken, complete, hooks: plan.hooks, packs }
}

/** The ids of hooks and contracts that would start a program, but are not trusted, so they do not run. */
export function untrustedPrograms(hooks: readonly Hook[]): readonly string[] {
  return [...new Set(hooks.filter(({ trusted, run }) => !trusted && namesCode(run)).map(({ id }) => id))]
}

/** Named, because each of them can be the one that matters. */
export function untrustedText(ids: readonly string[]): string {
  const shown = ids.slice(0, UNTRUSTED_SHOWN).join(', ')
  const more = ids.length > UNTRUSTED_SHOWN ? ` and ${ids.length - UNTRUSTED_SHOWN} more` : ''
  return `The programs of ${shown}${more} do not run, because you have not trusted them, or a file has changed since. To review the files, run \`holdpoint trust\`.`
}

const UNTRUSTED_SHOWN = 5

function currentExceptions(home: Home, project: string, nowMs: number): number {
  return readExceptions(home).exceptions.filter(
    (each) => each.project === project && (each.untilMs === undefined || each.untilMs > nowMs),
  ).length
}

function policyFiles(
  policy: EffectivePolicy,
  broken: readonly string[],
  home: Home,
  project: string,
): readonly PolicyFile[] {
  const own = configPlaces({ home, project })
  const files = own.filter(({ path }) => existsSync(path)).map(({ path, rank }) => ({ file: path, rank }))
  const imported = policy.layers.filter(
    ({ rank, file }) => rank !== 'call' && !files.some((each) => each.file === file),
  )
  return [...files, ...imported].map(({ file, rank }): PolicyFile => {
    const trusted = policy.layers.find((layer) => layer.file === file)?.trusted
    const state = broken.includes(file) ? 'broken' : trusted === false ? 'not trusted' : 'in force'
    return { layer: rank, file, state }
  })
}

type Facts = Omit<Status, 'ok' | 'headline'>

/** What a person must not miss, the most dangerous first. */
function warningsOf({ pause, interruptedInit, agents, packs, files, fleet }: Facts): readonly string[] {
  const concerned = agents.filter(
    ({ found, guarded, notProved, because, elsewhere }) =>
      (found && notProved !== true) ||
      guarded ||
      elsewhere.length > 0 ||
      because.some((why) => !why.includes('no hooks')),
  )
  const unguarded = concerned.filter(({ guarded }) => !guarded)
  const off = packs.filter((pack) => !pack.on)
  return [
    ...(pause === undefined ? [] : [pauseLine(pause)]),
    ...(interruptedInit === undefined
      ? []
      : [
          'INTERRUPTED: an `init` was killed before it had written everything. To complete it, run `holdpoint init` again; to remove it, `holdpoint uninstall`.',
        ]),
    ...unguarded.map(({ host, because }) => `NOT GUARDED: ${host}: ${because[0] ?? 'it has no hooks here.'}`),
    ...(concerned.length === 0 ? ['NOT GUARDED: no agent has hooks here. Run `holdpoint init`.'] : []),
    ...(off.length === 0
      ? []
      : [
          `OFF: ${off.map(({ pack }) => `\`${pack}\``).join(', ')}. To switch ${off.length === 1 ? 'it' : 'them'} on, run \`holdpoint init ${off.map(({ pack }) => `--pack ${pack}`).join(' ')}\`.`,
        ]),
    ...files.filter(({ state }) => state === 'broken').map(({ file }) => `BROKEN: ${file} cannot be read.`),
    ...(fleet === undefined ? [] : fleetWarnings(fleet)),
  ]
}

function guardedLines(facts: Facts): readonly string[] {
  return facts.agents.some(({ guarded }) => guarded) ? [guardedLine(facts)] : []
}

function guardedLine({ agents, build }: Facts): string {
  const names = agents
    .filter(({ guarded }) => guarded)
    .map(({ host, notProved }) => (notProved === true ? `${host} (not proved)` : host))
  return `Guarded: ${names.join(', ')}${build === undefined ? '' : `, by Holdpoint ${build}`}.`
}
