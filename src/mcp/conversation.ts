import type { Decision } from '../decision.ts'
import type { Event } from '../event.ts'
import type { Abilities } from '../hosts/host.ts'
import { isObject, type Json, type JsonObject } from '../json.ts'
import { type Id, keyOf, type Message } from './message.ts'

/** What the gate stands between: one client and one server, and what it remembers of them. */
export interface Conversation {
  readonly gate: GateOptions
  /** Part of every use's id: two gates may share a session. */
  readonly mark: string
  /** Requests of the client that nobody has answered yet, by the key of their id. */
  readonly waiting: Map<string, Waiting>
  /** Calls that were answered, the last ones, where a server may send an answer once more. */
  readonly answered: Map<string, Waiting>
  /** Requests that were cancelled, the last ones: the server may still answer them. */
  readonly cancelled: Map<string, Waiting>
  /** Questions of the gate's own to the client. */
  readonly asked: Map<string, (answer: JsonObject) => void>
  /** Calls that became tasks of the server: their result is asked for later, by another request. */
  readonly tasks: Map<string, ToolUse>
  /** The client can put a question to a person. */
  canAsk: boolean
  /** Tool calls so far. */
  uses: number
  /** Complaints so far: a server that floods us with garbage must not flood the person. */
  complaints: number
  /** Why the server will answer nothing any more. */
  gone?: string
}

export interface GateOptions {
  /** The server's name, as it stands in the names of its tools. */
  readonly server: string
  readonly who: Who
  /** Sends the event through the hooks, and has it recorded. Never rejects. */
  judge(event: Event, can: Abilities): Promise<Decision>
  /** Has it recorded that the gate itself refused, and why: no hook was asked. */
  refused(event: Event, why: string): void
  readonly tools: ToolPolicy
  /** For the person. */
  say(text: string): void
  /** Nobody can guess it. */
  newId(): string
  now(): number
  /** The server may send an answer once more, to a client that lost its connection. */
  readonly replays: boolean
}

export interface Who {
  readonly session: string
  readonly agentId?: string
  readonly agentType?: string
  readonly cwd: string
}

/** Which tools there are for the client. */
export interface ToolPolicy {
  /** Why the tool may not be called. Undefined: it may, as far as this goes. */
  refusal(name: string): string | undefined
  /** Those of a list that the client may see. `isMore`: the list goes on where the one before ended. */
  seen(tools: readonly Json[], isMore: boolean): readonly Json[]
  /** What the tool promises of its results, as far as it was listed. */
  promise(name: string): ToolPromise
  /** What the model must know; said once. */
  warnings(): readonly string[]
}

/** Whether results hold data of a promised shape, and whether anything may stand beside what was promised. */
export type ToolPromise = 'nothing' | 'data' | 'only this data'

/** One call of a tool, from the request to the result. */
export interface ToolUse {
  /** Of this use alone: ids of requests may come again. */
  readonly useId: string
  /** As the server calls it. */
  readonly tool: string
  readonly input: JsonObject
  readonly startedMs: number
  /** Where the client asked for a task in place of a result. */
  readonly asTask: boolean
  /** What hooks said before the call, for the agent: it is told with the result. */
  readonly context: readonly string[]
}

export interface Waiting {
  readonly id: Id
  readonly method: string
  use?: ToolUse
  /** Asks for more of a list. */
  readonly isMore?: boolean
  /** The server knows of it. */
  forwarded: boolean
  /** Ends the question to a person about this call. */
  stopAsking?(): void
}

/** What goes on, and where to, in place of what came. */
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

export function joined(passages: readonly Passage[]): Passage {
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
  if (talk.complaints === COMPLAINTS_MAX) talk.gate.say('Nothing more of this kind is said.')
}

/** More than any client waits for at a time. */
export const WAITING_MAX = 10_000
const KEPT_MAX = 1_000

/** Takes the request out of those that wait; undefined where nobody waits for this answer, or the server was not asked. */
export function takeWaiting(talk: Conversation, id: Id): Waiting | undefined {
  const key = keyOf(id)
  const waiting = talk.waiting.get(key)
  if (waiting === undefined) return talk.answered.get(key)
  if (!waiting.forwarded) return undefined
  talk.waiting.delete(key)
  if (talk.gate.replays) keep(talk.answered, key, waiting)
  return waiting
}

/** The server knows of it, and may answer all the same. */
export function rememberCancelled(talk: Conversation, waiting: Waiting): void {
  keep(talk.cancelled, keyOf(waiting.id), waiting, WAITING_MAX)
}

/**
 * An answer under this id may be that to an earlier request, which had to be judged. Without replays the server has
 * said what it had to say to everything but what was cancelled.
 */
export function isSpent(talk: Conversation, id: Id): boolean {
  const key = keyOf(id)
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

/** The message's `params`, where they are an object. */
export function paramsOf({ json }: Message): JsonObject {
  const { params } = json
  return isObject(params) ? params : {}
}
