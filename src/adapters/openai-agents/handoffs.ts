import { getHandoff } from '@openai/agents'
import { changedCopy } from './changed-copy.ts'
import { agentCall, readArguments, writtenArguments } from './guarded-call.ts'
import { HANDED_OVER, type Lifetime } from './lineage.ts'
import type { RunAgent } from './run-agent.ts'
import type { AnyAgent, AnyHandoff } from './sdk-types.ts'

/** An agent with hooks, as handoffs need it. */
export interface GuardedAgent {
  readonly agent: AnyAgent
  readonly guard: RunAgent
  readonly lifetime: Lifetime
}

/**
 * A handoff with hooks: they see it as a call that starts an agent, made by the agent that hands over. A denied handoff
 * leaves the conversation with that agent.
 */
export function guardHandoff(
  entry: AnyAgent | AnyHandoff,
  source: () => GuardedAgent,
  guarded: (agent: AnyAgent) => GuardedAgent,
): AnyHandoff {
  const own: AnyHandoff = getHandoff(entry)
  return copyOf(own, {
    agent: guarded(own.agent).agent,
    onInvokeHandoff: async (context, text) => {
      const { guard, agent, lifetime } = source()
      const { courier, sendsMessages, signal } = guard.run
      const call = agentCall(own.agentName, '', readArguments(text ?? ''))
      const verdict = await guard.gate.begin(call, { signal, hasYes: false })
      if (verdict.kind === 'stop') {
        // The result of a handoff is the name of the next agent, so only a message can carry the reason.
        if (!sendsMessages) throw new Error(`The handoff to ${own.agentName} was denied: ${verdict.reason}`)
        guard.context.courier.send(verdict.reason)
        return agent
      }
      for (const said of verdict.texts) {
        if (sendsMessages) guard.context.courier.send(said)
        else guard.context.notify(said)
      }
      const next = guarded(await own.onInvokeHandoff(context, writtenArguments(text ?? '', verdict)))
      await lifetime.end(HANDED_OVER)
      courier.handOver(guard.name, next.guard.name)
      await next.lifetime.begin(HANDED_OVER)
      return next.agent
    },
  })
}

/** Before 0.12, the SDK's own handoffs cannot be copied. */
function copyOf(handoff: AnyHandoff, parts: Pick<AnyHandoff, 'agent' | 'onInvokeHandoff'>): AnyHandoff {
  return typeof handoff.clone === 'function' ? handoff.clone(parts) : changedCopy(handoff, parts)
}
