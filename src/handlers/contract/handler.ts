import type { Answer, Failure, Patch } from '../../core/decision.ts'
import type { Handler, HandlerCall, HandlerTools, Runner } from '../../core/handler.ts'
import type { Hook } from '../../core/hook.ts'
import { isObject } from '../../core/json.ts'
import type { RegexEngine } from '../../core/match/pattern.ts'
import { type ContractResult, checkContract } from '../../policy/completion/check.ts'
import { holds } from '../../policy/completion/condition.ts'
import type { Contract, ContractRun } from '../../policy/completion/contract.ts'
import { tell } from '../../policy/completion/instructions.ts'
import { type Names, placeholdersOf } from '../../policy/completion/names.ts'
import { agentStart, delegationPatch, startPatch } from '../../policy/completion/start.ts'
import { answerStop } from '../../policy/completion/stop-answer.ts'
import { runCommands } from '../run-commands.ts'

/**
 * Runs a contract of a configuration file. Without commands it runs no foreign code and only reads the files it names.
 * Its commands run only if they are trusted.
 */
export function create(tools: HandlerTools): Handler {
  return {
    type: 'contract',
    prepare(hook) {
      const run = hook.run as unknown as ContractRun
      if (!isObject(hook.run.contract) || !Object.hasOwn(PARTS, run.part)) {
        return { failure: 'import', message: 'the hook holds no contract' }
      }
      const ready = (engine: RegexEngine): Runner => {
        const prepared: PreparedContract = { hook, run, tools, engine }
        return (call) => PARTS[run.part](prepared, call)
      }
      if (run.regexes !== true) return ready(NO_ENGINE)
      return import('../../core/match/regex.ts').then(({ linearEngine }) => ready(linearEngine))
    },
  }
}

/** A contract with its position in the plan. */
interface PreparedContract {
  readonly hook: Hook
  readonly run: ContractRun
  readonly tools: HandlerTools
  readonly engine: RegexEngine
}

type Outcome = Answer | Failure | null

const PARTS: Readonly<
  Record<ContractRun['part'], (prepared: PreparedContract, call: HandlerCall) => Outcome | Promise<Outcome>>
> = {
  begin: (_post, call) => (isGoingOn(call) ? null : remembering(startPatch(call.facts), call)),
  delegated: (_post, call) => remembering(delegationPatch(call.facts), call),
  tell: tellAgent,
  judge: judgeStop,
}

/**
 * A contract with a regex, although it says that it has none, comes from another version: it fails and does
 * not pass.
 */
const NO_ENGINE: RegexEngine = {
  compile: () => {
    throw new Error('the regex engine was not loaded')
  },
}

/** A compaction does not count as a start if the real start is known. */
function isGoingOn({ event, memory }: HandlerCall): boolean {
  return event.kind === 'SessionStart' && event.source === 'compact' && agentStart(memory) !== undefined
}

function remembering(patch: Patch, { memory }: HandlerCall): Answer | null {
  return memory === undefined ? null : { effect: 'pass', remember: [patch] }
}

function tellAgent({ hook, run }: PreparedContract, call: HandlerCall): Outcome {
  if (!hook.trusted)
    return { failure: 'untrusted', message: 'to let it give instructions to agents, run `holdpoint trust`' }
  const names = placeholdersOf(call.event, call.actor, call.facts, undefined)
  const nameless = withoutFolder(run.contract, names, call)
  if (nameless !== undefined) return nameless
  const context = [{ text: tell(run.contract, names), to: 'self' } as const]
  return { ...remembering(startPatch(call.facts), call), effect: 'pass', context }
}

async function judgeStop(prepared: PreparedContract, call: HandlerCall): Promise<Outcome> {
  const { contract, key } = prepared.run
  const { event, actor, facts, memory } = call
  // A compaction ends like a sub-agent, but without a type: no contract applies to it.
  if (event.kind === 'SubagentStop' && actor.agentType === undefined) return null
  const start = agentStart(memory)
  const names = placeholdersOf(event, actor, facts, start?.date)
  const nameless = withoutFolder(contract, names, call)
  if (nameless !== undefined) return nameless
  if (!(await holds(contract.when, names, facts, { memory, start }))) return null
  const commands = await runCommands(
    { ...prepared.run, commands: contract.commands },
    prepared.hook.trusted,
    call,
    prepared.tools,
  )
  if ('failure' in commands) return commands
  const input = { event, facts, names, start, ran: commands.ran, matches: matcherOf(prepared.engine) }
  const verdict = await checkContract(contract, input)
  return answerStop(verdict, {
    key,
    name: `Contract ${contract.id}`,
    blocks: contract.blocks,
    event,
    memory,
    reason: reasonOf(contract, verdict),
    remember: commands.remember,
  })
}

/** An agent whose name cannot be part of a path may stop, because there is no file it could write. */
function withoutFolder(
  { id, files }: Contract,
  names: Names,
  { actor, event }: HandlerCall,
): Answer | undefined {
  const needs = (placeholder: string) => files.some(({ path }) => path.includes(`{${placeholder}}`))
  const unknown = [
    ...(needs('agent_type') && names.agentType === undefined ? [actor.agentType ?? ''] : []),
    ...(needs('session') && names.session === undefined ? [event.session] : []),
  ]
  const [name] = unknown
  if (name === undefined) return undefined
  const notice = `Contract ${id} cannot be judged: ${JSON.stringify(name.slice(0, 80))} cannot be the name of a folder.`
  return { effect: 'pass', notices: [notice] }
}

function reasonOf({ id, blocks }: Contract, { missing }: ContractResult): string {
  return [
    `You may not finish yet: the contract "${id}" is not met. What is missing:`,
    ...missing.map((line) => `- ${line}`),
    `Do this, then finish. (After ${blocks} times you may stop, and the user sees what is missing.)`,
  ].join('\n')
}

function matcherOf(engine: RegexEngine): (pattern: string, line: string) => boolean {
  const compiled = new Map<string, (line: string) => boolean>()
  return (pattern, line) => {
    const test = compiled.get(pattern) ?? engine.compile(pattern)
    compiled.set(pattern, test)
    return test(line)
  }
}
