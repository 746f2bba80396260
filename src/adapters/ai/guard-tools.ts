import type { ToolSet } from 'ai'
import { HoldpointError } from '../../core/errors.ts'
import type { Runtime } from '../../library/runtime.ts'
import type { Ask } from '../question.ts'
import { guardTool, type ToolGuard } from './guard-tool.ts'
import { createModelTexts } from './model-output.ts'
import { HAS_APPROVAL } from './sdk-version.ts'
import { type Courier, createCourier } from './step-messages.ts'

export interface GuardToolsOptions {
  /** The conversation. Missing: the runtime's own. */
  readonly session?: string
  /**
   * The agent that calls these tools. For the tools of a sub-agent, call `guardTools` again. Missing: the
   * main agent.
   */
  readonly agent?: string
  readonly agentType?: string
  readonly cwd?: string
  /** Asks the user if a hook answers `ask`. Missing: the SDK's tool approval asks. */
  readonly ask?: Ask
  /**
   * Passes messages and the end of the run to the loop. Missing: messages are added to the tool's result.
   */
  readonly courier?: Courier
  /** Gets the notices of hooks for the user. */
  notify?(notice: string): void
  /** `released`: the values a streaming tool yields before its last one reach the program unchecked. */
  readonly preliminary?: 'held' | 'released'
  /**
   * Tools that are returned as they are. A tool that runs at the provider must be named here, because hooks
   * cannot check it.
   */
  readonly unguarded?: readonly string[]
}

/**
 * The same tools with the hooks of a runtime: each call is checked before it runs, each output before it is
 * used, and hooks see each failure.
 */
export function guardTools<const Tools extends ToolSet>(
  runtime: Pick<Runtime, 'evaluate'>,
  tools: Tools,
  options: GuardToolsOptions = {},
): Tools {
  const guard = toolGuard(runtime, options)
  const entries = Object.entries(tools).map(([name, tool]) => {
    if (options.unguarded?.includes(name) === true) return [name, tool] as const
    const wrong = whyUnchecked(tool, HAS_APPROVAL)
    if (wrong !== undefined) throw unjudgeable(name, wrong)
    return [name, guardTool(name, tool, guard)] as const
  })
  return Object.fromEntries(entries) as Tools
}

function toolGuard(runtime: Pick<Runtime, 'evaluate'>, options: GuardToolsOptions): ToolGuard {
  const { session, agent, agentType, cwd, ask, courier, notify } = options
  return {
    context: {
      runtime,
      who: {
        ...(session === undefined ? {} : { session }),
        ...(agent === undefined ? {} : { agent }),
        ...(agentType === undefined ? {} : { agentType }),
        ...(cwd === undefined ? {} : { cwd }),
      },
      // Without a courier of the program, the end of the run must still be remembered.
      courier: courier ?? createCourier(),
      sendsMessages: courier !== undefined,
      notify: (notice) => {
        try {
          notify?.(notice)
        } catch {
          // An exception in `onNotice` does not change the decision.
        }
      },
    },
    told: createModelTexts(),
    ...(ask === undefined ? {} : { ask }),
    releasesPreliminary: options.preliminary === 'released',
  }
}

/** Why no hook can check the calls of a tool; undefined: they are checked. */
export function whyUnchecked(tool: ToolSet[string], hasApproval: boolean): string | undefined {
  if (tool.execute !== undefined) return undefined
  // Version 5 says `provider-defined`.
  if (tool.type?.startsWith('provider') === true) return 'This tool runs at the provider'
  return hasApproval ? undefined : 'This tool has no `execute`, and version 5 of the SDK asks nobody about it'
}

function unjudgeable(name: string, why: string): HoldpointError {
  return new HoldpointError({
    code: 'OPTION_INVALID',
    key: name,
    message: `${why}, so no hook can check it before it runs.`,
    fix: 'Remove it, or name it in `unguarded`.',
  })
}
