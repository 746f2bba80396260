import type { Runtime } from '../../library/runtime.ts'
import type { Ask } from '../question.ts'
import { createRunCourier, type RunCourier } from './courier.ts'
import type { FunctionToolOptions } from './function-tool.ts'
import { guardAnyTool } from './guard-any-tool.ts'
import { endGuardrail, promptGuardrail } from './guardrails.ts'
import { type GuardedAgent, guardHandoff } from './handoffs.ts'
import { createLifetime, HANDED_OVER } from './lineage.ts'
import { createRunAgent, type RunGuard } from './run-agent.ts'
import type { AnyAgent, AnyContext, AnyHandoff, AnyTool, FunctionTool } from './sdk-types.ts'

export interface GuardOptions {
  /** The conversation. Missing: the runtime's own. */
  readonly session?: string
  /** The name that hooks see. Missing: the main agent. Agents that it hands over to have their own names. */
  readonly agent?: string
  readonly agentType?: string
  readonly cwd?: string
  /** Asks the user if a hook answers `ask`. Missing: the SDK interrupts the run for an approval. */
  readonly ask?: Ask
  /** Delivers messages of hooks. Missing: they are added to the tool's result. */
  readonly courier?: RunCourier
  /** The signal that `run` gets too: the SDK does not pass it to a question before a call. */
  readonly signal?: AbortSignal
  /** Gets the notices of hooks for the user. */
  notify?(notice: string): void
  /** Tools that are left as they are. A tool that hooks cannot check must be named here. */
  readonly unguarded?: readonly string[]
}

/**
 * The same agent with the hooks of a runtime: its tools, its MCP servers, its prompt, and every agent that it hands over
 * to. The original agent is not changed.
 *
 * @example
 * const agent = guardAgent(runtime, new Agent({ name: 'Writer', tools: [send] }), { session: 'demo' })
 * const result = await run(agent, 'Send it.')
 */
export function guardAgent<Guarded extends AnyAgent>(
  runtime: Pick<Runtime, 'evaluate'>,
  agent: Guarded,
  options: GuardOptions = {},
): Guarded {
  return guardRoot(agent, runGuard(runtime, options), options) as Guarded
}

/** Single tools with hooks, for a program that passes tools to the SDK in another way than in an agent. */
export function guardAgentTools<const Tools extends readonly AnyTool[]>(
  runtime: Pick<Runtime, 'evaluate'>,
  tools: Tools,
  options: GuardOptions = {},
): Tools {
  const guard = createRunAgent(runGuard(runtime, options), options.agent ?? '', options)
  return tools.map((tool) => guardAnyTool(tool, guard, agentTools.get(tool))) as readonly AnyTool[] as Tools
}

function runGuard(runtime: Pick<Runtime, 'evaluate'>, options: GuardOptions): RunGuard {
  const { session, cwd, ask, courier, signal, notify, unguarded = [] } = options
  return {
    runtime,
    session,
    cwd,
    ask,
    signal,
    unguarded,
    // Without a courier of the program, the end of the run must still be remembered.
    courier: courier ?? createRunCourier(),
    sendsMessages: courier !== undefined,
    notify: (notice) => {
      try {
        notify?.(notice)
      } catch {
        // An exception in `notify` does not change the decision.
      }
    },
  }
}

/** Which agent a tool runs, for tools made by `asTool` of a guarded agent. */
const agentTools = new WeakMap<AnyTool, NonNullable<FunctionToolOptions['starts']>>()

type Who = Pick<GuardOptions, 'agent' | 'agentType'>

function guardRoot(root: AnyAgent, run: RunGuard, who: Who): AnyAgent {
  const known = new Map<AnyAgent, GuardedAgent>()
  const guarded = (agent: AnyAgent): GuardedAgent => {
    const found = known.get(agent)
    if (found !== undefined) return found
    const own = agent === root ? who : { agent: agent.name }
    const made = guardOne(agent, run, own, guarded)
    known.set(agent, made)
    known.set(made.agent, made)
    return made
  }
  return guarded(root).agent
}

/** A view of the agent: what is not replaced here is read from the original, also if it changes later. */
function guardOne(
  original: AnyAgent,
  run: RunGuard,
  who: Who,
  guarded: (agent: AnyAgent) => GuardedAgent,
): GuardedAgent {
  const guard = createRunAgent(run, original.name, who)
  const lifetime = createLifetime(guard.context)
  const handoffs = new WeakMap<object, AnyHandoff>()
  const tools = new WeakMap<AnyTool, AnyTool>()
  const handoffOf = (entry: AnyAgent | AnyHandoff) => {
    const made = handoffs.get(entry) ?? guardHandoff(entry, () => self, guarded)
    handoffs.set(entry, made)
    return made
  }
  const toolOf = async (tool: AnyTool, runContext: AnyContext) => {
    const made =
      tools.get(tool) ??
      guardAnyTool(
        tool,
        guard,
        agentTools.get(tool),
        run.ask !== undefined && (await neverAsks(tool, runContext)),
      )
    tools.set(tool, made)
    return made
  }
  // A tool that no hook can check is found here, before anything runs.
  for (const tool of original.tools) guardAnyTool(tool, guard, agentTools.get(tool))
  const parts: { readonly [Name in keyof AnyAgent]?: PropertyDescriptor } = {
    getAllTools: {
      async value(this: AnyAgent, runContext: AnyContext, ...rest: []) {
        const all = await original.getAllTools.call(this, runContext, ...rest)
        return await Promise.all(all.map((tool) => toolOf(tool, runContext)))
      },
    },
    handoffs: { get: () => original.handoffs.map(handoffOf) },
    inputGuardrails: {
      get: () =>
        who.agent === undefined
          ? [promptGuardrail(guard.context), ...original.inputGuardrails]
          : original.inputGuardrails,
    },
    // An agent that was handed the conversation ends with its output; one that runs as a tool, with its tool.
    outputGuardrails: {
      get: () =>
        lifetime.isOpen(HANDED_OVER)
          ? [...original.outputGuardrails, endGuardrail(lifetime)]
          : original.outputGuardrails,
    },
    // A hook has ended the run: its reason is the output, and the model is not called again.
    toolUseBehavior: {
      get: () => {
        const halted = run.courier.halted()
        if (halted === undefined) return original.toolUseBehavior
        return () => ({ isFinalOutput: true, isInterrupted: undefined, finalOutput: halted })
      },
    },
    clone: {
      value: (config: Parameters<AnyAgent['clone']>[0]) => guardRoot(original.clone(config), run, who),
    },
    asTool: {
      value: (options: Parameters<AnyAgent['asTool']>[0]) => asTool(original, run, who, options),
    },
  }
  const marks = Object.getOwnPropertySymbols(original).map((mark) => [
    mark,
    Object.getOwnPropertyDescriptor(original, mark),
  ])
  // The SDK recognises a kind of agent by a property of its own.
  const agent: AnyAgent = Object.create(original, { ...Object.fromEntries(marks), ...parts })
  const self: GuardedAgent = { agent, guard, lifetime }
  return self
}

function asTool(
  original: AnyAgent,
  run: RunGuard,
  who: Who,
  options: Parameters<AnyAgent['asTool']>[0],
): FunctionTool {
  const own = { ...who, agent: who.agent ?? original.name }
  const agent = guardRoot(original, run, own)
  const tool: FunctionTool = original.asTool.call(agent, options)
  const { context } = createRunAgent(run, original.name, own)
  agentTools.set(tool, { agent: own.agent, lifetime: createLifetime(context) })
  return tool
}

/**
 * A tool with a conditional `needsApproval` is approved by the user if its arguments are not JSON. So the question stays
 * as it is if neither hooks nor the tool need it: a function without parameters says no for every call.
 */
async function neverAsks(tool: AnyTool, runContext: AnyContext): Promise<boolean> {
  if (tool.type !== 'function' || tool.needsApproval.length > 0) return false
  return (await tool.needsApproval(runContext, {} as never)) === false
}
