import type { Decision } from '../../core/decision.ts'
import { isObject, type JsonObject } from '../../core/json.ts'
import { redact } from '../../core/redact/redact.ts'
import type { Conversation, ToolUse, Waiting } from './conversation.ts'
import { encodeMessage, idKey } from './message.ts'
import { eventTool } from './tool-events.ts'

export type SendNow = (bytes: Buffer) => void

/**
 * Asks the user through the client, which shows the question and sends the answer back. Only a clear yes
 * counts: a missing, late or malformed answer is a no.
 */
export function elicitApproval(
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
      talk.asked.delete(idKey(id))
      delete waiting.stopAsking
      resolve(isYes)
    }
    const giveUp = () => {
      const params = { requestId: id, reason: 'The answer is no longer needed.' }
      send(encodeMessage({ jsonrpc: '2.0', method: 'notifications/cancelled', params }))
      settle(false)
    }
    const timer = setTimeout(giveUp, ANSWER_MAX_MS)
    waiting.stopAsking = giveUp
    talk.asked.set(idKey(id), (answer) => settle(saysYes(answer)))
    send(
      encodeMessage({
        jsonrpc: '2.0',
        id,
        method: 'elicitation/create',
        params: question(talk, use, decision),
      }),
    )
  })
}

/** The user needs time to read and think; a client that gives up earlier cancels the call. */
const ANSWER_MAX_MS = 600_000
const INPUT_MAX = 1_000
/**
 * Fewer than the calls that are checked in parallel, so that answers can still be read. No user answers more
 * questions.
 */
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
      properties: { answer: { type: 'string', title: 'Run this call?', enum: ['no', 'yes'] } },
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

/** Whether a client with these capabilities can show a form. An empty object means that it can. */
export function canShowForms(capabilities: unknown): boolean {
  const elicitation = isObject(capabilities) ? capabilities.elicitation : undefined
  return isObject(elicitation) && (Object.keys(elicitation).length === 0 || isObject(elicitation.form))
}
