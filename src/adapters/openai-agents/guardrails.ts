import type { InputGuardrail, OutputGuardrail } from '@openai/agents'
import type { GuardContext } from '../judge-call.ts'
import { HANDED_OVER, type Lifetime } from './lineage.ts'
import { deliver } from './run-agent.ts'

type GuardrailInput = Parameters<InputGuardrail['execute']>[0]['input']

/** Checks the prompt before the model is called. A deny ends the run with `InputGuardrailTripwireTriggered`. */
export function promptGuardrail(context: GuardContext): InputGuardrail {
  return {
    name: 'holdpoint',
    runInParallel: false,
    async execute({ input }) {
      const reason = await objection(context, promptOf(input))
      return { tripwireTriggered: reason !== undefined, outputInfo: reason === undefined ? {} : { reason } }
    },
  }
}

/** Ends the life of an agent with its last message. It lets every output through. */
export function endGuardrail(lifetime: Lifetime): OutputGuardrail {
  return {
    name: 'holdpoint',
    async execute({ agentOutput }) {
      await lifetime.end(
        HANDED_OVER,
        typeof agentOutput === 'string' ? agentOutput : JSON.stringify(agentOutput),
      )
      return { tripwireTriggered: false, outputInfo: {} }
    },
  }
}

/** Undefined: the prompt may be sent. */
async function objection(context: GuardContext, prompt: string): Promise<string | undefined> {
  try {
    const result = await context.runtime.evaluate({ ...context.who, kind: 'UserPromptSubmit', prompt })
    deliver(context, result)
    return result.allowed === true ? result.halt : (result.reason ?? 'A hook denied this prompt.')
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return `Holdpoint itself failed: ${why}. The prompt was not sent.`
  }
}

/** The text of the last message of the user. */
function promptOf(input: GuardrailInput): string {
  if (typeof input === 'string') return input
  const last = input.findLast((item) => 'role' in item && item.role === 'user')
  if (last === undefined || !('content' in last)) return ''
  const { content } = last
  if (typeof content === 'string') return content
  const parts: readonly object[] = Array.isArray(content) ? content : []
  return parts
    .flatMap((part) => ('text' in part && typeof part.text === 'string' ? [part.text] : []))
    .join('\n')
}
