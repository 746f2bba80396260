import type { HookEvent } from '../../library/hook-event.ts'
import type { GuardContext } from '../judge-call.ts'
import { deliver } from './run-agent.ts'

/** The runs of a sub-agent, each from its start to its end, as hooks see them. */
export interface Lifetime {
  /** Once for each run, also if it waited for an approval in between. */
  begin(run: string): Promise<void>
  end(run: string, lastMessage?: string): Promise<void>
  /** True between the two. */
  isOpen(run: string): boolean
}

/** The run of an agent that another one handed the conversation to. There is one at a time. */
export const HANDED_OVER = ''

/** Of the agent of this context. A main agent has none inside of a session. */
export function createLifetime(context: GuardContext): Lifetime {
  const open = new Set<string>()
  const isSubagent = context.who.agent !== undefined
  return {
    async begin(run) {
      if (open.has(run) || !isSubagent) return
      open.add(run)
      await observe(context, { kind: 'SubagentStart' })
    },
    async end(run, lastMessage) {
      if (!open.delete(run)) return
      const said = lastMessage === undefined ? {} : { lastMessage }
      await observe(context, { kind: 'SubagentStop', stopHookActive: false, ...said })
    },
    isOpen: (run) => open.has(run),
  }
}

/** Hooks run, and their texts are delivered; at these events the SDK can stop nothing. */
async function observe(context: GuardContext, event: HookEvent): Promise<void> {
  try {
    const result = await context.runtime.evaluate({ ...context.who, ...event })
    deliver(context, result)
    if (!result.allowed && result.reason !== undefined) context.notify(result.reason)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    context.notify(`Holdpoint itself failed at ${event.kind}: ${why}.`)
  }
}
