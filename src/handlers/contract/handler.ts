import { holds } from '../../contracts/condition.ts'
import type { Contract, ContractRun } from '../../contracts/contract.ts'
import { answerStop } from '../../contracts/hold.ts'
import { judge, type Verdict } from '../../contracts/judge.ts'
import { type Names, namesOf } from '../../contracts/names.ts'
import { delegationPatch, startOf, startPatch } from '../../contracts/start.ts'
import { tell } from '../../contracts/tell.ts'
import type { Answer, Failure, Patch } from '../../decision.ts'
import type { Hook } from '../../hook.ts'
import { isObject } from '../../json.ts'
import type { RegexEngine } from '../../pattern.ts'
import type { Call, Handler, HandlerTools, Runner } from '../handler.ts'
import { runCommands } from '../run-commands.ts'

/**
 * Runs a contract of a configuration file. Without commands it runs no code of anybody's and reads nothing but the
 * files it names; its commands run only when somebody vouched for them.
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
        const post: Post = { hook, run, tools, engine }
        return (call) => PARTS[run.part](post, call)
      }
      if (run.regexes !== true) return ready(NO_ENGINE)
      return import('../../regex.ts').then(({ linearEngine }) => ready(linearEngine))
    },
  }
}

/** A contract where it stands in the plan. */
interface Post {
  readonly hook: Hook
  readonly run: ContractRun
  readonly tools: HandlerTools
  readonly engine: RegexEngine
}

type Outcome = Answer | Failure | null

const PARTS: Readonly<Record<ContractRun['part'], (post: Post, call: Call) => Outcome | Promise<Outcome>>> = {
  begin: (_post, call) => (isGoingOn(call) ? null : remembering(startPatch(call.facts), call)),
  delegated: (_post, call) => remembering(delegationPatch(call.facts), call),
  tell: tellAgent,
  judge: judgeStop,
}

/** A contract that says it has no regex and has one is of another version: it fails, it does not pass. */
const NO_ENGINE: RegexEngine = {
  compile: () => {
    throw new Error('the regex engine was not loaded')
  },
}

/** A compaction is no start, as long as the real one is known. */
function isGoingOn({ event, memory }: Call): boolean {
  return event.kind === 'SessionStart' && event.source === 'compact' && startOf(memory) !== undefined
}

function remembering(patch: Patch, { memory }: Call): Answer | null {
  return memory === undefined ? null : { effect: 'pass', remember: [patch] }
}

function tellAgent({ hook, run }: Post, call: Call): Outcome {
  if (!hook.trusted) return { failure: 'untrusted', message: 'what it tells waits for `holdpoint trust`' }
  const names = namesOf(call.event, call.actor, call.facts, undefined)
  const nameless = withoutFolder(run.contract, names, call)
  if (nameless !== undefined) return nameless
  const context = [{ text: tell(run.contract, names), to: 'self' } as const]
  return { ...remembering(startPatch(call.facts), call), effect: 'pass', context }
}

async function judgeStop(post: Post, call: Call): Promise<Outcome> {
  const { contract, key } = post.run
  const { event, actor, facts, memory } = call
  // A compaction ends like a sub-agent, but of no type: there is nobody who could have agreed to anything.
  if (event.kind === 'SubagentStop' && actor.agentType === undefined) return null
  const start = startOf(memory)
  const names = namesOf(event, actor, facts, start?.date)
  const nameless = withoutFolder(contract, names, call)
  if (nameless !== undefined) return nameless
  if (!(await holds(contract.when, names, facts, { memory, start }))) return null
  const commands = await runCommands(
    { ...post.run, commands: contract.commands },
    post.hook.trusted,
    call,
    post.tools,
  )
  if ('failure' in commands) return commands
  const scene = { event, facts, names, start, ran: commands.ran, matches: matcherOf(post.engine) }
  const verdict = await judge(contract, scene)
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

/** Whoever has no name that can be part of a path is let go: nobody could say where to write. */
function withoutFolder({ id, files }: Contract, names: Names, { actor, event }: Call): Answer | undefined {
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

function reasonOf({ id, blocks }: Contract, { missing }: Verdict): string {
  return [
    `You may not finish yet: the contract "${id}" is not met. What is missing:`,
    ...missing.map((line) => `- ${line}`),
    `Do this, then finish. (After ${blocks} times you are let go, and the user is told what is missing.)`,
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
