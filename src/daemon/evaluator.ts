import type { Reply } from '../decision.ts'
import { createResponders, decodeInput, type OpenedCall, openCall } from '../hook-call.ts'
import type { HookResponse } from '../responder.ts'
import { appendToOwnSpool } from '../stores/spool.ts'
import { decodeRequest } from './protocol.ts'

/** One answer, and what is left to do when it is on its way. */
export interface Evaluated {
  readonly reply: Reply
  /** Keeps the record. Returns what went wrong with that, which changes no answer. */
  settle(): string | undefined
}

export type Evaluator = (frame: Buffer, receivedMs: number) => Promise<Evaluated>

/**
 * Answers requests as the one-shot process would: same words, same responder, same record. It reads nothing of the
 * process it runs in; what the caller's process knew came with the request.
 */
export function createEvaluator(now: () => number): Evaluator {
  const responders = createResponders(now)
  return async (frame, receivedMs) => {
    const { input, elapsedMs, ...call } = decodeRequest(frame)
    const opened = openCall({ ...call, startedMs: receivedMs - elapsedMs }, responders)
    const response = await respond(opened, input)
    return { reply: response.reply, settle: () => keepRecord(response, opened) }
  }
}

function respond({ responder, request, problem }: OpenedCall, input: Buffer): Promise<HookResponse> {
  if (problem !== undefined) return responder.refuse(request, problem)
  const payload = decodeInput([input])
  return payload.ok
    ? responder.respond({ ...request, payload: payload.value })
    : responder.refuse(request, payload.problem)
}

function keepRecord(response: HookResponse, { home }: OpenedCall): string | undefined {
  const record = response.record()
  const kept = record === undefined ? undefined : appendToOwnSpool(home.journal, record)
  return kept?.ok === false ? kept.problem.message : undefined
}
