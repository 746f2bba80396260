import type { Decision } from '../decision.ts'
import { isObject, type JsonObject } from '../json.ts'
import { redact } from '../redact.ts'
import type { Conversation, ToolUse, Waiting } from './conversation.ts'
import { encode, keyOf } from './message.ts'
import { eventTool } from './tool-events.ts'

export type SendNow = (bytes: Buffer) => void

/**
 * Puts the call to a person through the client, which shows the question and sends the answer back. Only a clear yes
 * counts: an answer that is missing, late or of another shape is a no.
 */
export function askPerson(
  talk: Conversation,
  waiting: Waiting,
  use: ToolUse,
  decision: Decision,
  send: SendNow,
): Promise<boolean> {
  if (talk.asked.size >= ASKED_MAX) return Promise.resolve(false)
  const id = `holdpoint-${talk.gate.newId()}`
  return new Promise((resolve) => {
    const settle = (isYes: boolean) => {
      clearTimeout(timer)
      talk.asked.delete(keyOf(id))
      delete waiting.stopAsking
      resolve(isYes)
    }
    const giveUp = () => {
      const params = { requestId: id, reason: 'Nobody needs the answer any more.' }
      send(encode({ jsonrpc: '2.0', method: 'notifications/cancelled', params }))
      settle(false)
    }
    const timer = setTimeout(giveUp, ANSWER_MAX_MS)
    waiting.stopAsking = giveUp
    talk.asked.set(keyOf(id), (answer) => settle(saysYes(answer)))
    send(encode({ jsonrpc: '2.0', id, method: 'elicitation/create', params: question(talk, use, decision) }))
  })
}

/** A person reads and thinks; a client that gave up on the call before says so. */
const ANSWER_MAX_MS = 600_000
const INPUT_MAX = 1_000
/** Fewer than are judged side by side: the answers have to be read. No person answers more. */
const ASKED_MAX = 32

function question({ gate }: Conversation, { tool, input }: ToolUse, decision: Decision): JsonObject {
  const reasons = decision.reasons.map((reason) => reason.text).join('\n')
  const whole = JSON.stringify(input)
  const more = whole.length > INPUT_MAX ? `... (${whole.length - INPUT_MAX} more characters)` : ''
  const text = redact(whole.slice(0, INPUT_MAX), []) + more
  return {
    message: `Holdpoint asks before ${eventTool(gate.server, tool)} runs. ${reasons}\n\nInput: ${text}`,
    requestedSchema: {
      type: 'object',
      properties: { answer: { type: 'string', title: 'Let this call run?', enum: ['no', 'yes'] } },
      required: ['answer'],
    },
  }
}

function saysYes({ result }: JsonObject): boolean {
  return (
    isObject(result) &&
    result.action === 'accept' &&
    isObject(result.content) &&
    result.content.answer === 'yes'
  )
}

/** Whether a client that says this of itself can show a form. An empty word means that it can. */
export function canShowForms(capabilities: unknown): boolean {
  const elicitation = isObject(capabilities) ? capabilities.elicitation : undefined
  return isObject(elicitation) && (Object.keys(elicitation).length === 0 || isObject(elicitation.form))
}
