import type { Decision, Reply } from '../core/decision.ts'
import { describeProblem, type Problem } from '../core/errors.ts'
import { type Event, toolOf } from '../core/event.ts'
import type { LastResort } from '../core/host.ts'
import { isObject, type Json, type JsonObject } from '../core/json.ts'
import { type Dialect, eventNamed, nameOfKind, type Shapes } from './dialect.ts'
import { hostInput } from './dialect-tools.ts'
import { isTooDeep, readableJson } from './strict-json.ts'

/** A fitted decision in the shapes of the dialect. Unless the event has words for it, no opinion is no output at all. */
export function encodeDialect(dialect: Dialect, decision: Decision, event: Event): Reply {
  const known = eventNamed(dialect, event.name)
  if (known === undefined) return encodeUnknown(decision)
  const says = known.says ?? {}
  const refusal = refusalOf(decision, event, says) ?? unsayable(decision)
  const notices = [...decision.notices, ...unsaidEnd(decision, event, says)]
  if (refusal !== undefined && says.deny === 'exit') return stopped(refusal)
  const { name } = event
  const bodies = [
    ...(says.always === undefined ? [] : [says.always]),
    ...(refusal === undefined
      ? granted(dialect, decision, event, says)
      : [shaped(says.deny, refusal, name)].filter(isBody)),
    ...contexts(decision).flatMap((text) => [shaped(says.context, text, name)].filter(isBody)),
    ...(decision.output === undefined || says.output === undefined
      ? []
      : [says.output(decision.output, name)]),
  ]
  const plain = says.context === 'plain' ? contexts(decision).join('\n\n') : ''
  const body = bodies.length === 0 ? undefined : merged(bodies)
  return replied(body, plain, notices, dialect.notices)
}

/** No decision could be made: block by exit code with plain text, or go on and say why on standard error. */
export function refuseDialect(dialect: Dialect, problem: Problem, { effect, kind }: LastResort): Reply {
  const text = `holdpoint: this could not be judged. ${describeProblem(problem)}`
  if (effect === 'pass') {
    const always = eventNamed(dialect, nameOfKind(dialect, kind ?? '') ?? '')?.says?.always
    const stdout = always === undefined ? '' : `${readableJson(always)}\n`
    return { stdout, stderr: `${text}\n`, exitCode: 0 }
  }
  return stopped(`${text} It was stopped to be safe: tell the user; do not try another way around.`)
}

/** Exit 2 and plain text: what every agent of the family takes for a block, at an event nobody knows too. */
function encodeUnknown(decision: Decision): Reply {
  const { effect, rewrite, notices } = decision
  if (goesOn(effect) && rewrite === undefined) return { stdout: '', stderr: lines(notices), exitCode: 0 }
  return stopped(
    rewrite === undefined ? reasonOf(decision) : 'This call may only run changed. Tell the user.',
  )
}

function goesOn(effect: Decision['effect']): boolean {
  return effect === 'pass' || effect === 'allow'
}

/** The reason of a stop. Where the work shall end, a call or a prompt is stopped: no agent of the family ends safely. */
function refusalOf(decision: Decision, { kind }: Event, says: Shapes): string | undefined {
  const { effect, halt } = decision
  const ends = halt !== undefined && says.deny !== undefined && !STOPS.has(kind)
  if (effect !== 'deny' && !ends) return undefined
  return [...(effect === 'deny' ? [reasonOf(decision)] : []), ...(ends ? [worded(halt)] : [])].join('\n')
}

/** A reply that the agent's parser drops would let the old input run. */
function unsayable({ rewrite }: Decision): string | undefined {
  if (rewrite === undefined || !isTooDeep(rewrite)) return undefined
  return 'Tell the user: this call may only run changed, and the change is nested too deeply to be passed on.'
}

/** A deny at a stop would make the agent go on. */
const STOPS: ReadonlySet<Event['kind']> = new Set<Event['kind']>(['Stop', 'SubagentStop'])

function unsaidEnd({ halt }: Decision, { kind }: Event, says: Shapes): readonly string[] {
  if (halt === undefined || (says.deny !== undefined && !STOPS.has(kind))) return []
  return [`To be ended here: ${worded(halt)}`]
}

function granted(dialect: Dialect, decision: Decision, event: Event, says: Shapes): readonly JsonObject[] {
  const { effect, rewrite } = decision
  const tool = toolOf(event)
  const input =
    rewrite === undefined || tool === undefined || says.rewrite === undefined
      ? []
      : [says.rewrite(hostInput(dialect.tools, tool, rewrite), event.name)]
  if (effect === 'ask')
    return [...[shaped(says.ask, reasonOf(decision), event.name)].filter(isBody), ...input]
  if (effect === 'allow' && says.allow !== undefined)
    return [says.allow(reasonOf(decision), event.name), ...input]
  return input
}

function shaped(
  shape: Shapes['deny'] | Shapes['ask'] | Shapes['context'],
  text: string,
  name: string,
): JsonObject | undefined {
  return typeof shape === 'function' ? shape(text, name) : undefined
}

function isBody(body: JsonObject | undefined): body is JsonObject {
  return body !== undefined
}

function contexts(decision: Decision): readonly string[] {
  const texts = decision.context.filter((each) => each.to === 'self').map((each) => each.text)
  return texts.length === 0 ? [] : [texts.join('\n\n')]
}

/** Several shapes in one reply: objects under one key are one object. */
function merged(bodies: readonly JsonObject[]): JsonObject {
  const whole: Record<string, Json> = {}
  for (const [key, value] of bodies.flatMap((body) => Object.entries(body))) {
    const before = whole[key]
    whole[key] = isObject(before) && isObject(value) ? { ...before, ...value } : value
  }
  return whole
}

/** `body` undefined: there is nothing to say. An empty one is said: an agent may need that. */
function replied(
  body: JsonObject | undefined,
  plain: string,
  notices: readonly string[],
  by: Dialect['notices'],
): Reply {
  const text = notices.join('\n').slice(0, NOTICES_MAX)
  const told = by === 'systemMessage' && text !== '' ? { ...body, systemMessage: text } : body
  const json = told === undefined ? '' : `${readableJson(told)}\n`
  const stderr = by === 'stderr' && text !== '' ? `${text}\n` : ''
  return { stdout: json === '' && plain !== '' ? `${plain}\n` : json, stderr, exitCode: 0 }
}

const NOTICES_MAX = 4_000

function stopped(reason: string): Reply {
  return { stdout: '', stderr: `${reason}\n`, exitCode: 2 }
}

function lines(texts: readonly string[]): string {
  return texts.length === 0 ? '' : `${texts.join('\n').slice(0, NOTICES_MAX)}\n`
}

function reasonOf(decision: Decision): string {
  const text = decision.reasons.map((reason) => reason.text).join('\n')
  const did = decision.effect === 'allow' ? 'Granted' : 'Stopped'
  return text.trim() === '' ? `${did} by Holdpoint (${decision.because.join(', ')}).` : text
}

function worded(halt: string): string {
  return halt.trim() === '' ? 'Ended by Holdpoint.' : halt
}
