import type { Decision } from '../core/decision.ts'
import { toolOf } from '../core/event.ts'
import { redact } from '../core/redact/redact.ts'
import type { TriedCall } from '../tools/explain/call.ts'
import { visible } from './visible.ts'

/** What a tried call would also do: change the input, tell the agent something; and what is not as in a session. */
export function effectLines({ decision, event, addedPacks, loaded }: TriedCall): readonly string[] {
  const { rewrite, output, context, downgraded = [] } = decision
  const shown = (value: unknown) => visible(redact(JSON.stringify(value), loaded.maskers), TEXT_MAX)
  return [
    ...(rewrite === undefined
      ? []
      : [`input becomes ${shown(rewrite)} (was ${shown(toolOf(event)?.input ?? {})})`]),
    ...(output === undefined ? [] : [`output becomes ${shown(output)}`]),
    ...contextLines(context, (text) => visible(redact(text, loaded.maskers), TEXT_MAX)),
    ...downgraded.map((text) => `this agent: ${text}`),
    ...addedPacks.map(
      (pack) =>
        `the pack ${pack} is not on in this folder; --skill added it for this try. To switch it on, run \`holdpoint init --pack ${pack}\``,
    ),
  ]
}

const TEXT_MAX = 2_000

function contextLines(context: Decision['context'], shown: (text: string) => string): readonly string[] {
  return context.map(
    ({ text, to }) => `context for ${to === 'self' ? 'the agent' : `the ${to} agent`}: ${shown(text)}`,
  )
}
