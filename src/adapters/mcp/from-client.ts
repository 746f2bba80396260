import { canShowForms, type SendNow } from './ask-person.ts'
import { callTool } from './call-tool.ts'
import {
  type Conversation,
  complain,
  isSpent,
  joinPassages,
  NOTHING,
  type Passage,
  paramsOf,
  rememberCancelled,
  toClient,
  toServer,
  WAITING_MAX,
} from './conversation.ts'
import {
  CODES,
  encodeMessage,
  errorMessage,
  folded,
  type Id,
  idKey,
  type Message,
  readMessages,
} from './message.ts'
import { AFTER_USE_CAN, afterFailure } from './tool-events.ts'

/**
 * Handles one message of the client, or a batch. A message that cannot be read is never sent on, because it
 * could be a call. A batch with any message that the gate handles is split. `send` reaches the client at
 * once.
 */
export function fromClient(talk: Conversation, line: Buffer, send: SendNow): Passage | Promise<Passage> {
  const read = readMessages(line)
  if (read === undefined) return NOTHING
  if ('wrong' in read) return refused(talk, read.id, read.garbled ? CODES.parse : CODES.request, read.wrong)
  const [only] = read.messages
  if (only !== undefined && !read.isBatch) return one(talk, only, read.bytes, send)
  if (read.messages.every((message) => isPlain(talk, message))) {
    for (const message of read.messages) if (message.kind === 'request') wait(talk, message)
    return toServer(read.bytes)
  }
  const parts = read.messages.map((message) => one(talk, message, encodeMessage(message.json), send))
  return Promise.all(parts).then(joinPassages)
}

const CALL = 'tools/call'
const RESULT = 'tasks/result'

function one(talk: Conversation, message: Message, bytes: Buffer, send: SendNow): Passage | Promise<Passage> {
  if (message.kind === 'response') return answered(talk, message, bytes)
  const { method } = message
  if (isUnknownUse(message)) {
    const wrong = 'may use a tool in a way that Holdpoint cannot check'
    return refused(talk, message.kind === 'request' ? message.id : null, CODES.request, wrong)
  }
  if (message.kind === 'notification') {
    return method === 'notifications/cancelled' ? cancelled(talk, message, bytes) : toServer(bytes)
  }
  const { id } = message
  const refusal = whyNot(talk, id)
  if (refusal !== undefined) return refused(talk, refusal.id, refusal.code, refusal.why)
  if (method === CALL) return callTool(talk, message, bytes, send)
  if (method === 'initialize') talk.canAsk = canShowForms(paramsOf(message).capabilities)
  if (method !== RESULT) {
    wait(talk, message)
    return toServer(bytes)
  }
  const use = talk.tasks.get(String(paramsOf(message).taskId))
  if (use === undefined)
    return refused(talk, id, CODES.params, 'names a task that was not started through this gate')
  talk.waiting.set(idKey(id), { id, method, use, forwarded: true })
  return toServer(bytes)
}

/**
 * A server that ignores case would take `Tools/Call` for a call, and a later version of the protocol may have
 * other ways to use a tool. So unknown methods of this kind are refused.
 */
function isUnknownUse({ kind, method }: Exclude<Message, { kind: 'response' }>): boolean {
  const plain = folded(method).trim()
  if (plain === RESULT) return method !== RESULT
  if (!plain.startsWith('tools/')) return false
  return kind === 'notification' || (method !== CALL && method !== 'tools/list')
}

/** Nothing to check: the message is sent on. */
function isPlain(talk: Conversation, message: Message): boolean {
  if (message.kind === 'response') return message.id === null || !talk.asked.has(idKey(message.id))
  if (isUnknownUse(message) || CONCERNS.has(message.method)) return false
  return message.kind === 'notification' || whyNot(talk, message.id) === undefined
}

const CONCERNS: ReadonlySet<string> = new Set([
  'initialize',
  CALL,
  'tools/list',
  RESULT,
  'notifications/cancelled',
])

function wait(talk: Conversation, message: Extract<Message, { kind: 'request' }>): void {
  const { id, method } = message
  const isMore = paramsOf(message).cursor !== undefined
  talk.waiting.set(idKey(id), { id, method, isMore, forwarded: true })
}

interface Refusal {
  readonly id: Id | null
  readonly code: number
  readonly why: string
}

function whyNot(talk: Conversation, id: Id): Refusal | undefined {
  if (talk.gone !== undefined) return { id, code: CODES.closed, why: `is too late: ${talk.gone}` }
  // An answer with this id would be taken for the answer to the waiting request.
  if (talk.waiting.has(idKey(id)))
    return { id: null, code: CODES.request, why: 'has the id of a request that is still waiting' }
  if (isSpent(talk, id))
    return { id, code: CODES.request, why: 'has the id of an earlier request that may still be answered' }
  return talk.waiting.size < WAITING_MAX
    ? undefined
    : { id, code: CODES.internal, why: 'is one too many: the server answers too slowly' }
}

function refused(talk: Conversation, id: Id | null, code: number, wrong: string): Passage {
  const text = `Holdpoint does not forward this message: it ${wrong}.`
  complain(talk, `A message of the client was refused: it ${wrong}.`)
  return toClient(errorMessage(id, code, text))
}

function answered(
  talk: Conversation,
  message: Extract<Message, { kind: 'response' }>,
  bytes: Buffer,
): Passage {
  const take = message.id === null ? undefined : talk.asked.get(idKey(message.id))
  if (take === undefined) return toServer(bytes)
  take(message.json)
  return NOTHING
}

/** The client does not want an answer any more; an answer that still comes is dropped. */
function cancelled(talk: Conversation, message: Message, bytes: Buffer): Passage {
  const { requestId } = paramsOf(message)
  const isId = typeof requestId === 'string' || typeof requestId === 'number'
  const waiting = isId ? talk.waiting.get(idKey(requestId)) : undefined
  if (waiting === undefined) return toServer(bytes)
  talk.waiting.delete(idKey(waiting.id))
  waiting.stopAsking?.()
  if (!waiting.forwarded) return NOTHING
  rememberCancelled(talk, waiting)
  if (waiting.use !== undefined) {
    const event = afterFailure(talk.gate, waiting.use, 'The client cancelled the call.', true)
    void talk.gate.decide(event, AFTER_USE_CAN)
  }
  return toServer(bytes)
}
