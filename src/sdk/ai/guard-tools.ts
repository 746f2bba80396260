import type { ToolSet } from 'ai'
import { HoldpointError } from '../../errors.ts'
import type { Runtime } from '../../runtime.ts'
import type { Ask } from '../question.ts'
import { type Courier, createCourier } from './courier.ts'
import { guardTool, type ToolGuard } from './guard-tool.ts'
import { createToldTexts } from './tell-model.ts'

export interface GuardToolsOptions {
  /** Which conversation. Missing: the runtime's own. */
  readonly session?: string
  /** Which agent calls these tools. A sub-agent's tools are guarded by a call of their own. Missing: the main one. */
  readonly agent?: string
  readonly agentType?: string
  readonly cwd?: string
  /** Asks a person where a hook says `ask`. Missing: the SDK's tool approval does. */
  readonly ask?: Ask
  /** Carries messages and the end of the run to the loop. Missing: messages stand below the tool's result. */
  readonly courier?: Courier
  /** Told what hooks want a person to know. */
  notify?(notice: string): void
  /** `released`: what a streaming tool yields before its last value reaches the program unjudged. */
  readonly preliminary?: 'held' | 'released'
  /** Tools that are given back as they are. One that runs at the provider must be named here: nobody can judge it. */
  readonly unguarded?: readonly string[]
}

/**
 * The same tools behind the hooks of a runtime: each call is judged before it runs, each output before anybody sees
 * it, each failure is told.
 */
export function guardTools<const Tools extends ToolSet>(
  runtime: Pick<Runtime, 'evaluate'>,
  tools: Tools,
  options: GuardToolsOptions = {},
): Tools {
  const guard = toolGuard(runtime, options)
  const entries = Object.entries(tools).map(([name, tool]) => {
    if (options.unguarded?.includes(name) === true) return [name, tool] as const
    if (tool.type === 'provider' && tool.execute === undefined) throw unjudgeable(name)
    return [name, guardTool(name, tool, guard)] as const
  })
  return Object.fromEntries(entries) as Tools
}

function toolGuard(runtime: Pick<Runtime, 'evaluate'>, options: GuardToolsOptions): ToolGuard {
  const { session, agent, agentType, cwd, ask, courier, notify } = options
  return {
    desk: {
      runtime,
      who: {
        ...(session === undefined ? {} : { session }),
        ...(agent === undefined ? {} : { agent }),
        ...(agentType === undefined ? {} : { agentType }),
        ...(cwd === undefined ? {} : { cwd }),
      },
      // Without one of the program's there is still the end of the run to remember.
      courier: courier ?? createCourier(),
      sendsMessages: courier !== undefined,
      notify: (notice) => {
        try {
          notify?.(notice)
        } catch {
          // Whether a person could be told changes no answer.
        }
      },
    },
    told: createToldTexts(),
    ...(ask === undefined ? {} : { ask }),
    releasesPreliminary: options.preliminary === 'released',
  }
}

function unjudgeable(name: string): HoldpointError {
  return new HoldpointError({
    code: 'OPTION_INVALID',
    key: name,
    message: 'This tool runs at the provider: no hook can judge it before it runs.',
    fix: 'Leave it out, or name it in `unguarded`.',
  })
}
