import type { Probed } from '../system/probe.ts'
import type { Caller } from './caller.ts'
import { say } from './screen.ts'

/** The state of one agent's hooks: where they are, whether they work, what is wrong. */
export interface Examined {
  readonly host: string
  readonly version: string | undefined
  readonly found: boolean
  /** Nobody has seen this agent obey our hooks. */
  readonly notProved?: true
  readonly files: readonly ExaminedFile[]
  /** Files with hooks that this agent does not read in this project. */
  readonly elsewhere: readonly string[]
  readonly wrong: readonly string[]
  /** What the user must do in the agent itself before its hooks run. */
  readonly todo: readonly string[]
  /** What this agent does not support, whatever is installed. */
  readonly limits: readonly string[]
  /** Rules of this configuration that do not hold on this agent, and what happens instead. */
  readonly cannotHold: readonly string[]
  readonly plugin?: ExaminedPlugin
  /** Other agents here that start the hooks in the same files, and what that means. */
  readonly importers?: readonly string[]
}

export interface ExaminedPlugin {
  readonly id: string
  readonly version: string
  readonly enabled: boolean
  readonly root: string
  readonly probed: readonly Probed[]
  readonly wrong: readonly string[]
  /** What it means that the plugin is installed. */
  readonly says: readonly string[]
}

export interface ExaminedFile {
  readonly file: string
  readonly probed: readonly Probed[]
  /** Why the agent runs none of them, although they work. */
  readonly stopped: readonly string[]
  /** The HTTP port that its hooks use, if they do. */
  readonly port?: number
}

export interface Examination {
  /** The version and build of the installed copy that hooks run. */
  readonly build: string | undefined
  readonly agents: readonly Examined[]
  readonly wrong: readonly string[]
  /** What only a person can renew: entries that nobody signed. */
  readonly todo: readonly string[]
}

export function isHealthy(examination: Examination): boolean {
  return examination.wrong.length === 0 && examination.agents.every((agent) => agent.wrong.length === 0)
}

function liveness(caller: Caller, probed: readonly Probed[], stopped: readonly string[] = []): string {
  if (stopped.length > 0) return caller.colours.red('NOT live, the agent does not run these hooks')
  const live = probed.filter((each) => each.live)
  const slowest = Math.max(0, ...probed.map((each) => each.tookMs))
  const mark = live.length === probed.length ? caller.colours.green('live') : caller.colours.red('NOT live')
  return `${mark} ${live.length} of ${probed.length} events, slowest ${slowest.toFixed(0)} ms`
}

/** Neither the program nor anything of ours is here. */
function isAbsent({ found, files, elsewhere, wrong, todo, plugin }: Examined): boolean {
  return !found && plugin === undefined && [files, elsewhere, wrong, todo].every(({ length }) => length === 0)
}

const NOT_PROVED = 'not proved: this agent was never seen to obey the hooks'

/** True if nothing is wrong. */
export function printExamination(caller: Caller, examination: Examination, verbose = false): boolean {
  const { bold, dim, red, yellow } = caller.colours
  const out = (text: string) => say(caller, text)
  if (examination.build !== undefined) out(`Hooks run Holdpoint ${examination.build}.`)
  const absent = examination.agents.filter((agent) => isAbsent(agent) && agent.notProved !== true)
  for (const agent of examination.agents.filter((each) => !isAbsent(each))) {
    const where = agent.found ? (agent.version ?? 'version unknown') : 'program not found'
    out(`${bold(agent.host)} ${dim(where)}${agent.notProved === true ? ` ${yellow(NOT_PROVED)}` : ''}`)
    const { plugin } = agent
    if (agent.files.length === 0)
      out(plugin?.enabled === true ? '  no hooks in a settings file' : '  not installed here')
    for (const { file, probed, stopped, port } of agent.files) {
      out(`  ${liveness(caller, probed, stopped)}: ${file}`)
      const live = probed.filter((each) => each.live)
      if (port !== undefined) {
        const proved = live.length === probed.length ? '; a request without the secret gets no decision' : ''
        out(`  ${dim('http')} hooks call 127.0.0.1:${port}${proved}`)
        out(`  ${dim('http')} to use command hooks again, run \`holdpoint init\` without --http`)
      }
    }
    for (const file of agent.elsewhere) out(`  ${dim('elsewhere')} ${file}: has hooks, but is not read here`)
    if (plugin !== undefined) {
      if (plugin.enabled) out(`  ${liveness(caller, plugin.probed)}: ${plugin.root}`)
      for (const line of plugin.says) out(`  ${dim('plugin')} ${line}`)
    }
    for (const importer of agent.importers ?? []) out(`  ${dim('also')} ${importer}`)
    for (const wrong of agent.wrong) out(`  ${red('wrong')} ${wrong}`)
    for (const todo of agent.todo) out(`  ${yellow('to do')} ${todo}`)
    const isGuarded = agent.files.length > 0 || plugin?.enabled === true
    for (const rule of agent.cannotHold) out(`  ${yellow('cannot')} ${rule}`)
    if (isGuarded && verbose) for (const limit of agent.limits) out(`  ${dim('limit')} ${limit}`)
  }
  if (absent.length > 0) out(dim(`not found on PATH: ${absent.map(({ host }) => host).join(', ')}`))
  for (const wrong of examination.wrong) out(`${yellow('configuration')} ${wrong}`)
  for (const todo of examination.todo) out(`${yellow('to do')} ${todo}`)
  return isHealthy(examination)
}
