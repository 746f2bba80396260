import type { CommandOutcome, CommandRequirement } from '../core/command.ts'
import type { Failure, Patch } from '../core/decision.ts'
import type { HandlerCall, HandlerTools } from '../core/handler.ts'
import { isObject, type JsonObject } from '../core/json.ts'
import { lastWords } from '../policy/completion/command-fault.ts'
import { type Ended, runLine } from './run-line.ts'
import { treeState } from './tree-state.ts'

export interface RanCommands {
  /** By the text of the command. */
  readonly ran: ReadonlyMap<string, CommandOutcome>
  /** The commands that succeeded, and for which files. */
  readonly remember: readonly Patch[]
}

/** Commands that must succeed, and where their outcomes are remembered. */
export interface Commands {
  readonly commands: readonly CommandRequirement[]
  readonly key: string
  /** If missing: the project in which the agent works. */
  readonly root?: string
  /** Commands that are not trusted, with the reason; the others run. */
  readonly untrusted?: Readonly<Record<string, string>>
}

/**
 * Runs the commands of a contract, one after another, within the time of the event. A command that succeeded is not run
 * again while the files are the same. One that failed is, because the cause may be outside of them.
 */
export async function runCommands(
  run: Commands,
  trusted: boolean,
  call: HandlerCall,
  tools: HandlerTools,
): Promise<RanCommands | Failure> {
  const { commands } = run
  if (commands.length === 0) return { ran: new Map(), remember: [] }
  if (!trusted)
    return { ran: new Map(commands.map((each) => [each.run, { kind: 'untrusted' }])), remember: [] }
  const root = run.root ?? call.facts.project
  const endsMs = performance.now() + call.timeoutMs - marginOf(call.timeoutMs)
  const env = environmentOf(root, call, tools)
  const before = await treeState(root, env)
  const known = before === undefined ? [] : succeededOn(before, run.key, call.memory)
  const ran = new Map<string, CommandOutcome>()
  for (const command of commands) {
    const why = untrustedBecause(run, command)
    if (why !== undefined) ran.set(command.run, { kind: 'untrusted', why })
    else if (known.includes(command.run)) ran.set(command.run, { kind: 'succeeded' })
    if (!ran.has(command.run)) ran.set(command.run, await runOne(command, root, env, endsMs, call.signal))
    if (call.signal.aborted) return { failure: 'timeout', message: `\`${command.run}\` was stopped` }
  }
  return { ran, remember: await keep({ key: run.key, root }, env, ran, known, before) }
}

function untrustedBecause({ untrusted = {} }: Commands, { run }: CommandRequirement): string | undefined {
  return Object.hasOwn(untrusted, run) ? untrusted[run] : undefined
}

/** The answer itself takes a moment, and it must arrive before the event's time is up. */
function marginOf(timeoutMs: number): number {
  return Math.min(2_000, timeoutMs / 4)
}

type Environment = Readonly<Record<string, string | undefined>>

function environmentOf(root: string, { facts }: HandlerCall, tools: HandlerTools): Environment {
  const path = tools.searchPath(facts.env.PATH)
  return {
    ...facts.env,
    PWD: root,
    OLDPWD: undefined,
    CLAUDE_PROJECT_DIR: facts.project,
    ...(path === undefined ? {} : { PATH: path }),
  }
}

async function runOne(
  { run, timeoutMs }: CommandRequirement,
  cwd: string,
  env: Environment,
  endsMs: number,
  signal: AbortSignal,
): Promise<CommandOutcome> {
  const startedMs = performance.now()
  const leftMs = endsMs - startedMs
  if (leftMs <= 0) return { kind: 'not run' }
  const whose = timeoutMs <= leftMs ? 'own' : 'event'
  const ended = await runLine({ line: run, cwd, env, timeoutMs: Math.min(timeoutMs, leftMs), signal })
  const said = lastWords(ended.output)
  if (ended.stopped) return { kind: 'late', whose, afterMs: performance.now() - startedMs, said }
  return ended.exitCode === 0 ? { kind: 'succeeded' } : { kind: 'failed', how: howItEnded(ended), said }
}

function howItEnded({ exitCode, signal, problem }: Ended): string {
  if (problem !== undefined) return `could not be started (${problem})`
  return exitCode === null ? `was ended by ${signal ?? 'a signal'}` : `exited with code ${exitCode}`
}

function succeededOn(tree: string, key: string, memory: JsonObject | undefined): readonly string[] {
  const kept = memory?.[`${key}/succeeded`]
  if (kept === undefined || !isObject(kept) || kept.tree !== tree || !Array.isArray(kept.commands)) return []
  return kept.commands.filter((each) => typeof each === 'string')
}

/** Files that changed during the test were not tested. */
async function keep(
  { root, key }: { readonly root: string; readonly key: string },
  env: Environment,
  ran: ReadonlyMap<string, CommandOutcome>,
  known: readonly string[],
  before: string | undefined,
): Promise<readonly Patch[]> {
  const succeeded = [...ran].filter(([, each]) => each.kind === 'succeeded').map(([run]) => run)
  const isNews = succeeded.some((run) => !known.includes(run))
  if (before === undefined || !isNews || (await treeState(root, env)) !== before) return []
  return [{ op: 'set', key: `${key}/succeeded`, value: { tree: before, commands: succeeded } }]
}
