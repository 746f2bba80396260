import type { CommandDuty } from '../contracts/contract.ts'
import { lastWords, type Ran } from '../contracts/ran.ts'
import type { Failure, Patch } from '../decision.ts'
import { isObject, type JsonObject } from '../json.ts'
import type { Call, HandlerTools } from './handler.ts'
import { type Ended, runLine } from './run-line.ts'
import { treeState } from './tree-state.ts'

export interface RanCommands {
  /** By the text of the command. */
  readonly ran: ReadonlyMap<string, Ran>
  /** What succeeded, and on which files. */
  readonly remember: readonly Patch[]
}

/** Commands that must succeed, and where what became of them is remembered. */
export interface Commands {
  readonly commands: readonly CommandDuty[]
  readonly key: string
  /** Missing: in whatever project the agent works. */
  readonly root?: string
}

/**
 * The commands of a contract, one after another, as far as the event's time goes. One that succeeded is not run
 * again while the files are the same; one that failed is: what was wrong may lie outside of them.
 */
export async function runCommands(
  run: Commands,
  trusted: boolean,
  call: Call,
  tools: HandlerTools,
): Promise<RanCommands | Failure> {
  const { commands } = run
  if (commands.length === 0) return { ran: new Map(), remember: [] }
  if (!trusted) return { ran: new Map(commands.map((each) => [each.run, { is: 'untrusted' }])), remember: [] }
  const root = run.root ?? call.facts.project
  const endsMs = performance.now() + call.timeoutMs - marginOf(call.timeoutMs)
  const env = environmentOf(root, call, tools)
  const before = await treeState(root, env)
  const known = before === undefined ? [] : succeededOn(before, run.key, call.memory)
  const ran = new Map<string, Ran>()
  for (const command of commands) {
    if (known.includes(command.run)) ran.set(command.run, { is: 'succeeded' })
    if (!ran.has(command.run)) ran.set(command.run, await runOne(command, root, env, endsMs, call.signal))
    if (call.signal.aborted) return { failure: 'timeout', message: `\`${command.run}\` was stopped` }
  }
  return { ran, remember: await keep({ key: run.key, root }, env, ran, known, before) }
}

/** The answer itself takes a moment; it must come before the event's time is up. */
function marginOf(timeoutMs: number): number {
  return Math.min(2_000, timeoutMs / 4)
}

type Environment = Readonly<Record<string, string | undefined>>

function environmentOf(root: string, { facts }: Call, tools: HandlerTools): Environment {
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
  { run, timeoutMs }: CommandDuty,
  cwd: string,
  env: Environment,
  endsMs: number,
  signal: AbortSignal,
): Promise<Ran> {
  const startedMs = performance.now()
  const leftMs = endsMs - startedMs
  if (leftMs <= 0) return { is: 'not run' }
  const whose = timeoutMs <= leftMs ? 'own' : 'event'
  const ended = await runLine({ line: run, cwd, env, timeoutMs: Math.min(timeoutMs, leftMs), signal })
  const said = lastWords(ended.output)
  if (ended.stopped) return { is: 'late', whose, afterMs: performance.now() - startedMs, said }
  return ended.exitCode === 0 ? { is: 'succeeded' } : { is: 'failed', how: howItEnded(ended), said }
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

/** Files that changed while they were tested were not tested. */
async function keep(
  { root, key }: { readonly root: string; readonly key: string },
  env: Environment,
  ran: ReadonlyMap<string, Ran>,
  known: readonly string[],
  before: string | undefined,
): Promise<readonly Patch[]> {
  const succeeded = [...ran].filter(([, each]) => each.is === 'succeeded').map(([run]) => run)
  const isNews = succeeded.some((run) => !known.includes(run))
  if (before === undefined || !isNews || (await treeState(root, env)) !== before) return []
  return [{ op: 'set', key: `${key}/succeeded`, value: { tree: before, commands: succeeded } }]
}
