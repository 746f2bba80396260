import type { Decision } from '../../core/decision.ts'
import type { Event } from '../../core/event.ts'
import type { Abilities } from '../../core/host.ts'
import { isObject, type Json, type JsonObject } from '../../core/json.ts'
import { type Id, idKey, type Message } from './message.ts'

/** The state of the gate for one client and one server. */
export interface Conversation {
  readonly gate: GateOptions
  /** Part of every id of a call: two gates may share a session. */
  readonly mark: string
  /** Requests of the client without an answer yet, by the key of their id. */
  readonly waiting: Map<string, Waiting>
  /** The last answered calls, if a server may send an answer again. */
  readonly answered: Map<string, Waiting>
  /** The last cancelled requests: the server may still answer them. */
  readonly cancelled: Map<string, Waiting>
  /** The gate's own questions to the client. */
  readonly asked: Map<string, (answer: JsonObject) => void>
  /** Calls that became tasks of the server: their result is requested later, by another request. */
  readonly tasks: Map<string, ToolUse>
  /** The client can ask the user a question. */
  canAsk: boolean
  /** Tool calls so far. */
  uses: number
  /** Complaints so far: a server that sends much garbage must not fill the user's log. */
  complaints: number
  /** Why the server will not answer any more. */
  gone?: string
}

export interface GateOptions {
  /** The server's name, as in the names of its tools. */
  readonly server: string
  readonly who: Who
  /** Evaluates the event with the hooks, and records it. Never rejects. */
  decide(event: Event, can: Abilities): Promise<Decision>
  /** Records that the gate itself refused a call, and why: no hook was called. */
  refused(event: Event, why: string): void
  readonly tools: ToolPolicy
  /** For the user. */
  say(text: string): void
  /** Cannot be guessed. */
  newId(): string
  now(): number
  /** The server may send an answer again, to a client that lost its connection. */
  readonly replays: boolean
}

export interface Who {
  readonly session: string
  readonly agentId?: string
  readonly agentType?: string
  readonly cwd: string
}

/** The tools that the client may see. */
export interface ToolPolicy {
  /** Why the tool may not be called. Undefined: the policy has no objection. */
  refusal(name: string): string | undefined
  /** The tools of a list that the client may see. `isMore`: the list continues the one before. */
  seen(tools: readonly Json[], isMore: boolean): readonly Json[]
  /** The output schema of the tool, if it was listed. */
  promise(name: string): ToolPromise
  /** Text for the model, given once. */
  warnings(): readonly string[]
}

/** Whether results have structured data with a schema, and whether other fields are allowed next to it. */
export type ToolPromise = 'nothing' | 'data' | 'only this data'

/** One call of a tool, from the request to the result. */
export interface ToolUse {
  /** Unique for this call: ids of requests may be reused. */
  readonly useId: string
  /** The server's name for it. */
  readonly tool: string
  readonly input: JsonObject
  readonly startedMs: number
  /** The client asked for a task instead of a result. */
  readonly asTask: boolean
  /** Texts of hooks for the agent from before the call: they are added to the result. */
  readonly context: readonly string[]
}

export interface Waiting {
  readonly id: Id
  readonly method: string
  use?: ToolUse
  /** Requests more of a list. */
  readonly isMore?: boolean
  /** The request was sent to the server. */
  forwarded: boolean
  /** Ends the question to the user about this call. */
  stopAsking?(): void
}

/** What is sent on, and to which side, instead of the message that came. */
export interface Passage {
  readonly toServer: readonly Buffer[]
  readonly toClient: readonly Buffer[]
}

export const NOTHING: Passage = { toServer: [], toClient: [] }

export function toServer(...toServer: readonly Buffer[]): Passage {
  return { toServer, toClient: [] }
}

export function toClient(...toClient: readonly Buffer[]): Passage {
  return { toServer: [], toClient }
}

export function joinPassages(passages: readonly Passage[]): Passage {
  return {
    toServer: passages.flatMap((passage) => passage.toServer),
    toClient: passages.flatMap((passage) => passage.toClient),
  }
}

export function openConversation(gate: GateOptions): Conversation {
  return {
    gate,
    mark: gate.newId(),
    waiting: new Map(),
    answered: new Map(),
    cancelled: new Map(),
    asked: new Map(),
    tasks: new Map(),
    canAsk: false,
    uses: 0,
    complaints: 0,
  }
}

const COMPLAINTS_MAX = 50

export function complain(talk: Conversation, text: string): void {
  talk.complaints += 1
  if (talk.complaints <= COMPLAINTS_MAX) talk.gate.say(text)
  if (talk.complaints === COMPLAINTS_MAX) talk.gate.say('No further messages of this kind are shown.')
}

/** More requests than any client has waiting at a time. */
export const WAITING_MAX = 10_000
const KEPT_MAX = 1_000

/**
 * Removes the request from those that wait; undefined if no request has this id, or it was not sent to the
 * server.
 */
export function takeWaiting(talk: Conversation, id: Id): Waiting | undefined {
  const key = idKey(id)
  const waiting = talk.waiting.get(key)
  if (waiting === undefined) return talk.answered.get(key)
  if (!waiting.forwarded) return undefined
  talk.waiting.delete(key)
  if (talk.gate.replays) keep(talk.answered, key, waiting)
  return waiting
}

/** The server got the request, and may still answer it. */
export function rememberCancelled(talk: Conversation, waiting: Waiting): void {
  keep(talk.cancelled, idKey(waiting.id), waiting, WAITING_MAX)
}

/**
 * An answer with this id may belong to an earlier request, whose result had to be checked. Without replays,
 * the server has answered everything except cancelled requests.
 */
export function isSpent(talk: Conversation, id: Id): boolean {
  const key = idKey(id)
  return talk.cancelled.has(key) || talk.answered.get(key)?.use !== undefined
}

export function rememberTask(talk: Conversation, taskId: string, use: ToolUse): void {
  keep(talk.tasks, taskId, use)
}

function keep<T>(kept: Map<string, T>, key: string, value: T, max = KEPT_MAX): void {
  kept.set(key, value)
  const [oldest] = kept.keys()
  if (kept.size > max && oldest !== undefined) kept.delete(oldest)
}

/** The message's `params`, if they are an object. */
export function paramsOf({ json }: Message): JsonObject {
  const { params } = json
  return isObject(params) ? params : {}
}
