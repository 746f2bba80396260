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
import { appendAllToSpool } from '../storage/journal/spool.ts'
import type { JournalRecord } from '../storage/journal/store.ts'
import type { Home } from '../system/home.ts'
import { askAtBoard } from './approvals/ask-person.ts'
import { decodeRequest } from './protocol.ts'

/** One answer, and what is stored after it was sent. */
export interface Evaluated {
  readonly reply: Reply
  /** The folder of the journal that its record belongs to. */
  readonly journal: string
  record(): JournalRecord | undefined
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
    return andThen(respond(opened, input), ({ reply, record }) => ({
      reply,
      journal: opened.home.journal,
      record,
    }))
  }
}

function respond({ responder, request, problem }: OpenedCall, input: Buffer): MaybePromise<HookResponse> {
  if (problem !== undefined) return responder.refuse(request, problem)
  const payload = decodeInput([input])
  if (!payload.ok) return responder.refuse(request, payload.problem)
  const { host, cwd, env, skills, event, onFailure, deadlineMs, via, startedMs } = request
  return responder.respond({
    host,
    payload: payload.value,
    cwd,
    env,
    skills,
    event,
    onFailure,
    deadlineMs,
    via,
    startedMs,
  })
}

/** Stores the records of several answers, with one write for each journal. Returns what was lost, a text for each failure. */
export function storeRecords(all: readonly Evaluated[]): readonly string[] {
  const byJournal = new Map<string, JournalRecord[]>()
  const troubles: string[] = []
  for (const { journal, record } of all) {
    try {
      const made = record()
      const others = byJournal.get(journal)
      if (made === undefined) continue
      if (others === undefined) byJournal.set(journal, [made])
      else others.push(made)
    } catch (error) {
      // One record that cannot be made must not take the others with it either.
      troubles.push(`a record was lost: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  return [...troubles, ...[...byJournal].flatMap(([journal, records]) => storeIn(journal, records))]
}

/** One record that is too large must not take the others with it. */
function storeIn(journal: string, records: readonly JournalRecord[]): readonly string[] {
  const kept = appendAllToSpool(journal, records, false)
  if (kept.ok) return []
  if (records.length > 1) return records.flatMap((record) => storeIn(journal, [record]))
  return [`a record was lost: ${kept.problem.message}`]
}
