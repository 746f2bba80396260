import type { Answer, Failure } from '../../decision.ts'
import { toolOf } from '../../event.ts'
import { isObject, type Json, type JsonObject, textAt } from '../../json.ts'
import { redact } from '../../redact.ts'
import type { Outcome } from '../rule.ts'
import type { Verdict } from './conditions.ts'
import type { Scene } from './scene.ts'

/** A rule that stops something: it also speaks where it cannot be sure. The others keep silent then. */
export function isStrict({ deny, ask }: Outcome): boolean {
  return deny !== undefined || ask !== undefined
}

/** What a rule says whose conditions hold, or for a strict one may hold. */
export function answerOf(outcome: Outcome, verdict: Verdict, scene: Scene): Answer | Failure | null {
  const text = (template: string) => filled(template, scene)
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
  const input = toolOf(scene.event)?.input
  if (input === undefined) return null
  const rewrite = withFields(input, outcome.rewrite)
  if (rewrite === undefined) {
    return { failure: 'validation', message: 'a field it wants to change lies below one that is no mapping' }
  }
  // A call that is as the rule wants it is not changed again.
  return JSON.stringify(rewrite) === JSON.stringify(input)
    ? null
    : { effect: 'pass', rewrite, ...told, detail }
}

function doubtOf({ truth, seen }: Verdict): string {
  if (truth === 'yes') return ''
  const what = seen.length === 0 ? '' : `: ${redact(seen.slice(0, 3).join('; '))}`
  return ` (It is not certain that this rule applies, but it cannot be ruled out${what}.)`
}

const PLACEHOLDER = /\{(tool|command|path|branch)\}/g
const SHOWN_MAX_CHARACTERS = 200

function filled(template: string, scene: Scene): string {
  return template.replace(PLACEHOLDER, (_whole, name: string) => shown(placeholder(name, scene)))
}

function placeholder(name: string, scene: Scene): string | undefined {
  const tool = toolOf(scene.event)
  switch (name) {
    case 'tool':
      return tool?.name
    case 'command':
      return tool === undefined ? undefined : textAt(tool.input, 'command')
    case 'path':
      return scene.places()?.[0]?.shown
    default:
      return scene.facts.branch()
  }
}

/** What the agent wrote, in a text that is shown and kept: masked, one line, not too long. */
function shown(value: string | undefined): string {
  if (value === undefined) return '(unknown)'
  const line = redact(value.slice(0, 4 * SHOWN_MAX_CHARACTERS)).replaceAll(/\s+/g, ' ')
  return line.length > SHOWN_MAX_CHARACTERS ? `${line.slice(0, SHOWN_MAX_CHARACTERS)}…` : line
}

/** The input with the fields set; undefined where something other than a mapping stands in the way. */
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
