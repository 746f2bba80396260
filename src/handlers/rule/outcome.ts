import type { Answer, Failure } from '../../core/decision.ts'
import { toolOf } from '../../core/event.ts'
import { isObject, type Json, type JsonObject, textAt } from '../../core/json.ts'
import { redact } from '../../core/redact/redact.ts'
import type { RuleOutcome } from '../../core/rule.ts'
import type { ConditionResult } from './conditions.ts'
import type { RuleInput } from './rule-input.ts'

/** Whether a rule blocks: such a rule also applies if it is unsure. Other rules do not. */
export function isStrict({ deny, ask }: RuleOutcome): boolean {
  return deny !== undefined || ask !== undefined
}

/** The outcome of a rule whose conditions match or, if it blocks, may match. */
export function answerOf(
  outcome: RuleOutcome,
  verdict: ConditionResult,
  ruleInput: RuleInput,
): Answer | Failure | null {
  const text = (template: string) => filled(template, ruleInput)
  const told: Pick<Answer, 'notices' | 'context'> = {
    ...(outcome.warn === undefined ? {} : { notices: [text(outcome.warn)] }),
    ...(outcome.context === undefined ? {} : { context: [{ text: text(outcome.context), to: 'self' }] }),
  }
  const detail = { matched: verdict.truth, because: verdict.seen }
  const stopped = outcome.deny ?? outcome.ask
  if (stopped !== undefined) {
    const effect = outcome.deny === undefined ? 'ask' : 'deny'
    return { effect, reason: `${text(stopped)}${doubtOf(verdict)}`, ...told, detail }
  }
  if (outcome.rewrite === undefined) return { effect: 'pass', ...told, detail }
  const input = toolOf(ruleInput.event)?.input
  if (input === undefined) return null
  const rewrite = withFields(input, outcome.rewrite)
  if (rewrite === undefined) {
    return {
      failure: 'validation',
      message: 'a field it wants to change is inside a field that is not a mapping',
    }
  }
  // A call that already has these values is not changed again.
  return JSON.stringify(rewrite) === JSON.stringify(input)
    ? null
    : { effect: 'pass', rewrite, ...told, detail }
}

function doubtOf({ truth, seen }: ConditionResult): string {
  if (truth === 'yes') return ''
  const what = seen.length === 0 ? '' : `: ${redact(seen.slice(0, 3).join('; '))}`
  return ` (It is not certain that this rule applies, but it cannot be ruled out${what}.)`
}

const PLACEHOLDER = /\{(tool|command|path|branch)\}/g
const SHOWN_MAX_CHARACTERS = 200

function filled(template: string, ruleInput: RuleInput): string {
  return template.replace(PLACEHOLDER, (_whole, name: string) => shown(placeholder(name, ruleInput)))
}

function placeholder(name: string, ruleInput: RuleInput): string | undefined {
  const tool = toolOf(ruleInput.event)
  switch (name) {
    case 'tool':
      return tool?.name
    case 'command':
      return tool === undefined ? undefined : textAt(tool.input, 'command')
    case 'path':
      return ruleInput.places()?.[0]?.shown
    default:
      return ruleInput.facts.branch()
  }
}

/** Text of the agent in a message that is shown and stored: masked, one line, shortened. */
function shown(value: string | undefined): string {
  if (value === undefined) return '(unknown)'
  const line = redact(value.slice(0, 4 * SHOWN_MAX_CHARACTERS)).replaceAll(/\s+/g, ' ')
  return line.length > SHOWN_MAX_CHARACTERS ? `${line.slice(0, SHOWN_MAX_CHARACTERS)}…` : line
}

/** The input with the fields set. Undefined if a parent is not a mapping. */
function withFields(input: JsonObject, fields: JsonObject): JsonObject | undefined {
  let changed: Json | undefined = input
  for (const [field, value] of Object.entries(fields)) {
    changed = changed === undefined ? undefined : withField(changed, field.split('.'), value)
  }
  return isObject(changed) ? changed : undefined
}

function withField(target: Json, [step, ...rest]: readonly string[], value: Json): Json | undefined {
  if (step === undefined) return value
  if (Array.isArray(target)) {
    const index = /^\d+$/.test(step) ? Number(step) : target.length
    if (index >= target.length) return undefined
    const next = withField((target[index] as Json | undefined) ?? null, rest, value)
    return next === undefined ? undefined : target.with(index, next)
  }
  if (!isObject(target)) return undefined
  const old = Object.hasOwn(target, step) ? target[step] : undefined
  const next = withField(old ?? (rest.length === 0 ? null : {}), rest, value)
  return next === undefined ? undefined : { ...target, [step]: next }
}
