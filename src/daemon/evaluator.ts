import {
  createResponders,
  decodeInput,
  type OpenedCall,
  openCall,
  type Responders,
} from '../app/hook-call.ts'
import type { Approver, HookResponse } from '../app/responder.ts'
import type { Reply } from '../core/decision.ts'
import { andThen, type MaybePromise } from '../core/maybe-async.ts'
import { appendToOwnSpool } from '../storage/journal/spool.ts'
import type { Home } from '../system/home.ts'
import { askAtBoard } from './approvals/ask-person.ts'
import { decodeRequest } from './protocol.ts'

/** One answer, and the work to do after it was sent. */
export interface Evaluated {
  readonly reply: Reply
  /** Stores the record. Returns an error text if that failed, which does not change the answer. */
  settle(): string | undefined
}

export interface EvaluatorOptions {
  /** The evaluation waits for a person from now on. */
  readonly onWait?: () => void
  /** The files of a caller's home. Missing: where they are. */
  readonly at?: (home: Home) => Home
}

/** Synchronous unless something must be loaded, or a hook returns a promise. */
export type Evaluator = (frame: Buffer, receivedMs: number) => MaybePromise<Evaluated>

/**
 * Answers requests as the one-shot process would: same arguments, same responder, same record. It reads nothing
 * from its own process, because everything about the caller's process is in the request.
 */
export function createEvaluator(now: () => number, { onWait, at }: EvaluatorOptions = {}): Evaluator {
  const ask: Approver = (...asked) => {
    onWait?.()
    return askAtBoard(...asked)
  }
  const kept = createResponders(now, ask, { keepsAnswers: true })
  const responders: Responders = at === undefined ? kept : (home, ...asked) => kept(at(home), ...asked)
  return (frame, receivedMs) => {
    const { argv, cwd, env, input, elapsedMs } = decodeRequest(frame)
    const opened = openCall({ argv, cwd, env, startedMs: receivedMs - elapsedMs }, responders)
    return andThen(respond(opened, input), (response) => ({
      reply: response.reply,
      settle: () => keepRecord(response, opened),
    }))
  }
}

function respond({ responder, request, problem }: OpenedCall, input: Buffer): MaybePromise<HookResponse> {
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
