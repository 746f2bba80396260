import { NO_ABILITIES } from '../../core/host.ts'
import { isObject, type JsonObject } from '../../core/json.ts'
import { elicitApproval, type SendNow } from './ask-person.ts'
import {
  type Conversation,
  NOTHING,
  type Passage,
  paramsOf,
  type ToolUse,
  toClient,
  toServer,
  type Waiting,
} from './conversation.ts'
import {
  CODES,
  encodeMessage,
  errorMessage,
  folded,
  type Id,
  idKey,
  type Message,
  resultMessage,
} from './message.ts'
import { beforeUse, beforeUseCan, notPermitted } from './tool-events.ts'
import { contextOf, isRefused, refusalText, refusedResult } from './tool-result.ts'

type Request = Extract<Message, { kind: 'request' }>

/**
 * A call on its way to the server: checked, perhaps confirmed by the user, perhaps changed. The server gets
 * exactly what was checked: the original bytes, which have one meaning for every parser, or the changed call
 * written again.
 */
export async function callTool(
  talk: Conversation,
  message: Request,
  bytes: Buffer,
  send: SendNow,
): Promise<Passage> {
  const { id, json } = message
  const use = useOf(talk, message)
  if (typeof use === 'string') return toClient(errorMessage(id, CODES.params, use))
  const hidden = talk.gate.tools.refusal(use.tool)
  if (hidden !== undefined) {
    talk.gate.refused(beforeUse(talk.gate, { ...use, input: {} }), hidden)
    return refuse(id, `Holdpoint denied this call. ${hidden}`)
  }
  const waiting: Waiting = { id, method: message.method, use, forwarded: false }
  const isWanted = () => talk.waiting.get(idKey(id)) === waiting
  talk.waiting.set(idKey(id), waiting)
  const decision = await talk.gate.decide(beforeUse(talk.gate, use), beforeUseCan(talk.canAsk))
  if (!isWanted()) return NOTHING
  if (isRefused(decision)) return end(talk, id, refusalText(decision))
  const input = decision.rewrite ?? use.input
  if (decision.effect === 'ask') {
    const isYes = await elicitApproval(talk, waiting, { ...use, input }, decision, send)
    if (!isWanted()) return NOTHING
    if (!isYes) {
      await talk.gate.decide(
        notPermitted(talk.gate, use, 'The user was asked and did not say yes.'),
        NO_ABILITIES,
      )
      return end(talk, id, `${refusalText(decision)}\n\nThe user was asked and did not say yes.`)
    }
  }
  waiting.use = { ...use, input, context: contextOf(decision) }
  waiting.forwarded = true
  if (decision.rewrite === undefined) return toServer(bytes)
  return toServer(encodeMessage({ ...json, params: { ...paramsOf(message), arguments: input } }))
}

function end(talk: Conversation, id: Id, text: string): Passage {
  talk.waiting.delete(idKey(id))
  return refuse(id, text)
}

function refuse(id: Id, text: string): Passage {
  return toClient(resultMessage(id, refusedResult(text)))
}

/** The call, or what is wrong with it. */
function useOf(talk: Conversation, message: Request): ToolUse | string {
  const params = paramsOf(message)
  const { name, arguments: input, task } = params
  const alike = Object.keys(params).find((key) => WORDS.has(folded(key)) && !WORDS.has(key))
  if (alike !== undefined)
    return `The call has the key ${JSON.stringify(alike)}, which some servers read as another key.`
  if (typeof name !== 'string' || name === '') return 'The call names no tool.'
  const isMissing = input === undefined || input === null
  if (!isMissing && !isObject(input)) return 'The arguments of the call are not an object.'
  const twin = isMissing ? undefined : twinIn(Object.keys(input))
  if (twin !== undefined)
    return `The call has the argument ${JSON.stringify(twin)} twice with different case, which some servers read as one.`
  talk.uses += 1
  return {
    useId: `${talk.mark}-${talk.uses}`,
    tool: name,
    input: isMissing ? NO_INPUT : input,
    startedMs: talk.gate.now(),
    asTask: task !== undefined,
    context: [],
  }
}

/**
 * A key that appears again with different case: hooks would check one, and the server might use the other.
 */
function twinIn(keys: readonly string[]): string | undefined {
  const seen = new Set<string>()
  return keys.find((key) => seen.size === seen.add(folded(key)).size)
}

const WORDS: ReadonlySet<string> = new Set(['name', 'arguments', 'task', '_meta'])
const NO_INPUT: JsonObject = {}
