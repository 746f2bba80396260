import type { Decision } from '../core/decision.ts'
import { toolOf } from '../core/event.ts'
import { redact } from '../core/redact/redact.ts'
import type { TriedCall } from '../tools/explain/call.ts'
import type { Caller } from './caller.ts'
import { tilde } from './screen.ts'
import { visible, visibleLines } from './visible.ts'

/** What a tried call would also do: change the input, tell the agent something; and what is not as in a session. */
export function effectLines(
  caller: Caller,
  { decision, event, addedPacks, ignoredImports, leftToHost, loaded }: TriedCall,
): readonly string[] {
  const { rewrite, output, context, downgraded = [] } = decision
  const shown = (value: unknown) => visible(redact(JSON.stringify(value), loaded.maskers), TEXT_MAX)
  return [
    ...(rewrite === undefined
      ? []
      : [`input becomes ${shown(rewrite)} (was ${shown(toolOf(event)?.input ?? {})})`]),
    ...(output === undefined ? [] : [`output becomes ${shown(output)}`]),
    ...contextLines(context, (text) => linesOf(redact(text, loaded.maskers))),
    ...downgraded.map((text) => `this agent: ${text}`),
    ...addedPacks.map(
      (pack) =>
        `the pack ${pack} is not on in this folder; --skill added it for this try. To switch it on, run \`holdpoint init --pack ${pack}\``,
    ),
    ...ignoredImports.map(
      (file) =>
        `the imports of ${visible(tilde(caller, file))} are ignored, because the file is not trusted. To use them, run \`holdpoint trust\``,
    ),
    ...leftToHost.map(
      (file) =>
        `the hooks of ${visible(tilde(caller, file))} are left out, because ${event.host} runs them itself. To try them, name another agent: --host codex`,
    ),
  ]
}

const TEXT_MAX = 2_000

/** Text of several lines stays readable; further lines are indented, so that none looks like a line of ours. */
function linesOf(text: string): string {
  const more = text.length - TEXT_MAX
  return visibleLines(more > 0 ? `${text.slice(0, TEXT_MAX)}... (${more} more characters)` : text, '    ')
}

function contextLines(context: Decision['context'], shown: (text: string) => string): readonly string[] {
  return context.map(
    ({ text, to }) => `context for ${to === 'self' ? 'the agent' : `the ${to} agent`}: ${shown(text)}`,
  )
}
