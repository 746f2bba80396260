import { NO_ABILITIES } from '../hosts/host.ts'
import { isObject, type JsonObject } from '../json.ts'
import { askPerson, type SendNow } from './ask-person.ts'
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
  encode,
  errorMessage,
  folded,
  type Id,
  keyOf,
  type Message,
  resultMessage,
} from './message.ts'
import { beforeUse, beforeUseCan, notPermitted } from './tool-events.ts'
import { contextOf, isDenied, refusal, refusalText } from './tool-result.ts'

type Request = Extract<Message, { is: 'request' }>

/**
 * A call on its way to the server: judged, perhaps put to a person, perhaps changed. What the server gets is what was
 * judged: the bytes as they came, which say one thing to every reader, or the changed call written anew.
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
  const isWanted = () => talk.waiting.get(keyOf(id)) === waiting
  talk.waiting.set(keyOf(id), waiting)
  const decision = await talk.gate.judge(beforeUse(talk.gate, use), beforeUseCan(talk.canAsk))
  if (!isWanted()) return NOTHING
  if (isDenied(decision)) return end(talk, id, refusalText(decision))
  const input = decision.rewrite ?? use.input
  if (decision.effect === 'ask') {
    const isYes = await askPerson(talk, waiting, { ...use, input }, decision, send)
    if (!isWanted()) return NOTHING
    if (!isYes) {
      await talk.gate.judge(
        notPermitted(talk.gate, use, 'A person was asked and did not say yes.'),
        NO_ABILITIES,
      )
      return end(talk, id, `${refusalText(decision)}\n\nA person was asked and did not say yes.`)
    }
  }
  waiting.use = { ...use, input, context: contextOf(decision) }
  waiting.forwarded = true
  if (decision.rewrite === undefined) return toServer(bytes)
  return toServer(encode({ ...json, params: { ...paramsOf(message), arguments: input } }))
}

function end(talk: Conversation, id: Id, text: string): Passage {
  talk.waiting.delete(keyOf(id))
  return refuse(id, text)
}

function refuse(id: Id, text: string): Passage {
  return toClient(resultMessage(id, refusal(text)))
}

/** The call, or what is wrong with it. */
function useOf(talk: Conversation, message: Request): ToolUse | string {
  const params = paramsOf(message)
  const { name, arguments: input, task } = params
  const alike = Object.keys(params).find((key) => WORDS.has(folded(key)) && !WORDS.has(key))
  if (alike !== undefined)
    return `The call has the key ${JSON.stringify(alike)}, which some servers take for another.`
  if (typeof name !== 'string' || name === '') return 'The call names no tool.'
  const isMissing = input === undefined || input === null
  if (!isMissing && !isObject(input)) return 'The arguments of the call are no object.'
  const twin = isMissing ? undefined : twinIn(Object.keys(input))
  if (twin !== undefined)
    return `The call has the argument ${JSON.stringify(twin)} twice, in two spellings, which some servers take for one.`
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

/** A key that stands beside itself in another case: hooks would judge the one, and the server might take the other. */
function twinIn(keys: readonly string[]): string | undefined {
  const seen = new Set<string>()
  return keys.find((key) => seen.size === seen.add(folded(key)).size)
}

const WORDS: ReadonlySet<string> = new Set(['name', 'arguments', 'task', '_meta'])
const NO_INPUT: JsonObject = {}
