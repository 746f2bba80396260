import type { Event } from '../../core/event.ts'
import { isObject, type Json, type JsonObject } from '../../core/json.ts'
import type { RegexEngine } from '../../core/match/pattern.ts'
import type { ValueTest } from '../../core/rule.ts'
import type { RuleInput } from './rule-input.ts'
import { compileText } from './text.ts'
import { allOf, anyOf, type Truth } from './truth.ts'

export type ValueJudge = (value: Json, ruleInput: RuleInput) => Truth

/** All tests on one value. A test on text is applied to every text inside a list or a mapping. */
export function compileValue(tests: readonly ValueTest[], engine: RegexEngine): ValueJudge {
  const judges = tests.map((test) => compileOne(test, engine))
  return (value, ruleInput) => allOf(judges, (judge) => judge(value, ruleInput))
}

function compileOne(test: ValueTest, engine: RegexEngine): ValueJudge {
  switch (test.kind) {
    case 'text': {
      const judge = compileText(test.any, engine)
      return (value, ruleInput) => anyOf(textsIn(value), (text) => judge.text(text, ruleInput))
    }
    case 'equals':
      return (value) => (sameJson(value, test.value, 0) ? 'yes' : 'no')
    case 'above':
      return (value) => compared(numberOf(value), (number) => number > test.number)
    case 'below':
      return (value) => compared(numberOf(value), (number) => number < test.number)
    case 'longerThan':
      return (value) => compared(sizeOf(value), (size) => size > test.size)
    case 'shorterThan':
      return (value) => compared(sizeOf(value), (size) => size < test.size)
  }
}

function compared(number: number | undefined, holds: (number: number) => boolean): Truth {
  if (number === undefined) return 'maybe'
  return holds(number) ? 'yes' : 'no'
}

/** Agents also send numbers as text. */
function numberOf(value: Json): number | undefined {
  if (typeof value === 'number') return value
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN
  return Number.isNaN(number) ? undefined : number
}

/** Characters of a text, items of a list, keys of a mapping. */
function sizeOf(value: Json): number | undefined {
  if (typeof value === 'string' || Array.isArray(value)) return value.length
  return isObject(value) ? Object.keys(value).length : undefined
}

/** Deeper than any tool's input; a hostile one must not overflow the stack. */
const DEPTH_MAX = 100

function* textsIn(value: Json, depth = 0): Generator<string> {
  if (typeof value === 'string') yield value
  else if (typeof value === 'number' || typeof value === 'boolean') yield String(value)
  else if (value !== null && depth < DEPTH_MAX) {
    for (const item of Object.values(value)) yield* textsIn(item, depth + 1)
  } else if (value !== null) yield JSON.stringify(value)
}

function sameJson(left: Json, right: Json, depth: number): boolean {
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) {
    return left === right
  }
  const [one, other] = [Object.entries(left), Object.entries(right)]
  if (one.length !== other.length || Array.isArray(left) !== Array.isArray(right) || depth > DEPTH_MAX) {
    return false
  }
  const named = right as JsonObject
  return one.every(([key, item]) => {
    const same = Object.hasOwn(named, key) ? named[key] : undefined
    return same !== undefined && sameJson(item, same, depth + 1)
  })
}

/** The values at a dotted name. Through a list: of every item, or of the one with that number. */
export function fieldValuesAt(value: Json | undefined, field: string): readonly Json[] {
  if (value === undefined || value === null) return []
  if (field === '') return [value]
  if (Array.isArray(value)) {
    const [step = '', ...rest] = field.split('.')
    const item = /^\d+$/.test(step) ? (value[Number(step)] as Json | undefined) : undefined
    if (item !== undefined) return fieldValuesAt(item, rest.join('.'))
    return value.flatMap((each: Json) => (isObject(each) ? fieldValuesAt(each, field) : []))
  }
  if (!isObject(value)) return []
  const found: Json[] = []
  // A name may itself contain a dot.
  for (let at = field.length; at > 0; at = field.lastIndexOf('.', at - 1)) {
    const name = field.slice(0, at)
    const next = Object.hasOwn(value, name) ? value[name] : undefined
    if (next !== undefined && next !== null) found.push(...fieldValuesAt(next, field.slice(at + 1)))
  }
  return found
}

/** The text of an event: undefined if it has none, null if the host did not send it. */
export function promptOf(event: Event): Json | undefined {
  return event.kind === 'UserPromptSubmit' || event.kind === 'UserPromptExpansion' ? event.prompt : undefined
}

export function toolOutputOf(event: Event): Json | undefined {
  switch (event.kind) {
    case 'PostToolUse':
      // A tool that returned nothing has an empty output: that is known.
      return event.output ?? ''
    case 'PostToolUseFailure':
      return event.error
    case 'PostToolBatch':
      return event.calls.map((call) => call.output)
    case 'Stop':
    case 'SubagentStop':
    case 'StopFailure':
      return event.lastMessage ?? null
    case 'PostCompact':
      return event.summary
    default:
      return undefined
  }
}
