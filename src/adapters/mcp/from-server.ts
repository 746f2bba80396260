import { isObject, type Json, type JsonObject } from '../../core/json.ts'
import {
  type Conversation,
  complain,
  joinPassages,
  NOTHING,
  type Passage,
  rememberTask,
  type ToolUse,
  takeWaiting,
  toClient,
  type Waiting,
} from './conversation.ts'
import {
  CODES,
  encodeMessage,
  errorMessage,
  type Id,
  idKey,
  type Message,
  readMessages,
  resultMessage,
} from './message.ts'
import { AFTER_USE_CAN, afterFailure, afterUse } from './tool-events.ts'
import {
  contextOf,
  failureText,
  isRefused,
  keepingPromise,
  refusalText,
  refusedResult,
  withContext,
  withOutput,
} from './tool-result.ts'

/**
 * Handles one message of the server, or a batch. Results of tools are checked, and lists of tools are reduced
 * to what the client may see. Answers without a request are dropped: they would be results without a call.
 * Everything else is sent on unchanged.
 */
export function fromServer(talk: Conversation, line: Buffer): Passage | Promise<Passage> {
  const read = readMessages(line)
  if (read === undefined) return NOTHING
  if ('wrong' in read) return unreadable(talk, read.id, read.wrong)
  const [only] = read.messages
  if (only !== undefined && !read.isBatch) return one(talk, only, read.bytes)
  if (read.messages.every((message) => message.kind !== 'response')) return toClient(read.bytes)
  const parts = read.messages.map((message) => one(talk, message, encodeMessage(message.json)))
  return Promise.all(parts).then(joinPassages)
}

/** The server has ended: every waiting request gets an error, and hooks see the calls that failed. */
export async function serverGone(talk: Conversation, why: string): Promise<Passage> {
  talk.gone = why
  const left = [...talk.waiting.values()]
  talk.waiting.clear()
  for (const waiting of left) waiting.stopAsking?.()
  const started = left.flatMap(({ use, forwarded }) => (use !== undefined && forwarded ? [use] : []))
  await Promise.all(started.map((use) => talk.gate.decide(afterFailure(talk.gate, use, why), AFTER_USE_CAN)))
  return toClient(...left.map(({ id }) => errorMessage(id, CODES.closed, why)))
}

function unreadable(talk: Conversation, id: Id | null, wrong: string): Passage {
  complain(talk, `A message of the server was dropped: it ${wrong}.`)
  const waiting = id === null || !talk.waiting.has(idKey(id)) ? undefined : takeWaiting(talk, id)
  if (waiting === undefined) return NOTHING
  return toClient(errorMessage(waiting.id, CODES.internal, `The server's answer was dropped: it ${wrong}.`))
}

function one(talk: Conversation, message: Message, bytes: Buffer): Passage | Promise<Passage> {
  // An error without a request: the server could not read something.
  if (message.kind !== 'response' || message.id === null) return toClient(bytes)
  const waiting = takeWaiting(talk, message.id)
  if (waiting === undefined) {
    complain(talk, `An answer of the server was dropped: no request has the id ${idKey(message.id)}.`)
    return NOTHING
  }
  if (waiting.use !== undefined) return finished(talk, waiting.use, message.id, message.json, bytes)
  return waiting.method === 'tools/list' ? listed(talk, waiting, message.json, bytes) : toClient(bytes)
}

function listed(
  talk: Conversation,
  { id, isMore = false }: Waiting,
  { result }: JsonObject,
  bytes: Buffer,
): Passage {
  if (result === undefined) return toClient(bytes)
  if (!isObject(result) || !Array.isArray(result.tools)) {
    return toClient(errorMessage(id, CODES.internal, "The server's answer is not a list of tools."))
  }
  const before: readonly Json[] = result.tools
  const tools = talk.gate.tools.seen(before, isMore)
  const isSame = tools.length === before.length && tools.every((tool, index) => tool === before[index])
  return toClient(isSame ? bytes : resultMessage(id, { ...result, tools }))
}

async function finished(
  talk: Conversation,
  use: ToolUse,
  id: Id,
  json: JsonObject,
  bytes: Buffer,
): Promise<Passage> {
  const { gate } = talk
  const { result, error } = json
  if (error === undefined && !isObject(result)) {
    return toClient(errorMessage(id, CODES.internal, "The server's answer is not a tool result."))
  }
  const taskId = use.asTask && isObject(result) ? taskIn(result) : undefined
  if (taskId !== undefined) {
    rememberTask(talk, taskId, { ...use, asTask: false })
    return toClient(bytes)
  }
  const before = isObject(result) ? result : refusedResult(errorText(json))
  const isFailure = before.isError === true
  const event = isFailure ? afterFailure(gate, use, failureText(before)) : afterUse(gate, use, before)
  const decision = await gate.decide(event, AFTER_USE_CAN)
  if (isRefused(decision)) return toClient(resultMessage(id, refusedResult(refusalText(decision))))
  const told = [...use.context, ...contextOf(decision), ...gate.tools.warnings()]
  if (decision.output === undefined && told.length === 0) return toClient(bytes)
  const promise = gate.tools.promise(use.tool)
  const after =
    decision.output === undefined ? before : keepingPromise(withOutput(before, decision.output), promise)
  return toClient(resultMessage(id, withContext(after, told, promise)))
}

function taskIn(result: JsonObject): string | undefined {
  const { task, content } = result
  return isObject(task) && typeof task.taskId === 'string' && content === undefined ? task.taskId : undefined
}

function errorText({ error }: JsonObject): string {
  if (!isObject(error) || typeof error.message !== 'string') return JSON.stringify(error ?? null)
  const { code: _code, message, ...more } = error
  return Object.keys(more).length === 0 ? message : `${message}\n${JSON.stringify(more)}`
}
