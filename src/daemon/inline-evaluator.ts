import { andThen, orElse } from '../core/maybe-async.ts'
import { monotonicMs } from '../system/clock.ts'
import { createEvaluator, type Evaluated, type EvaluatorOptions, storeRecords } from './evaluator.ts'
import type { EvaluatorThread } from './evaluator-thread.ts'
import { encodeReply } from './protocol.ts'
import type { Watchdog } from './watchdog.ts'

/**
 * This many requests of one turn of the event loop are evaluated here; the rest goes to other threads. With fewer, calls
 * of a few agents are shared between threads: no more of them in a second, and some wait three times as long.
 */
const INLINE_MAX = 8

/**
 * Evaluates on the main thread, because waking another thread costs more than most evaluations. It does so only
 * while nothing else is being evaluated here: a hook that waits for a program, or many requests, must not delay
 * other requests. The watchdog handles an endless loop here.
 */
export function evaluateInlineFirst(
  others: EvaluatorThread,
  watchdog: Pick<Watchdog, 'begin' | 'end'>,
  log: (line: string) => void,
  at?: EvaluatorOptions['at'],
): EvaluatorThread {
  const evaluate = createEvaluator(monotonicMs, { onWait: () => release?.(), ...(at && { at }) })
  let busy = false
  /** Ends the turn of the evaluation that runs now. */
  let release: (() => void) | undefined
  let thisTurn = 0
  const unstored: Evaluated[] = []
  let isTurnEnding = false

  /** After all replies of a turn of the event loop. */
  const endTurn = () => {
    isTurnEnding = false
    thisTurn = 0
    for (const trouble of storeRecords(unstored.splice(0))) log(trouble)
  }
  const endTurnSoon = () => {
    if (!isTurnEnding) setImmediate(endTurn)
    isTurnEnding = true
  }

  const sent = (evaluated: Evaluated) => {
    unstored.push(evaluated)
    endTurnSoon()
    return encodeReply(evaluated.reply)
  }
  const failed = (error: unknown) => {
    log(`the evaluation failed: ${error instanceof Error ? error.message : String(error)}`)
    return 'lost' as const
  }

  return {
    ...others,
    ask(frame, receivedMs, waitMs) {
      if (busy || thisTurn >= INLINE_MAX) return others.ask(frame, receivedMs, waitMs)
      endTurnSoon()
      thisTurn += 1
      busy = true
      watchdog.begin()
      // Once: at the end, or earlier if it waits for a person, who must not keep other requests from this thread.
      const end = () => {
        if (release !== end) return
        release = undefined
        watchdog.end()
        busy = false
      }
      release = end
      const reply = orElse<Uint8Array | 'lost'>(() => andThen(evaluate(frame, receivedMs), sent), failed)
      if (reply instanceof Promise) return inTime(reply, waitMs).finally(end)
      end()
      return reply
    },
  }
}

function inTime<T>(work: Promise<T>, waitMs: number): Promise<T | 'late'> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, waitMs, 'late')
    void work.then((done) => {
      clearTimeout(timer)
      resolve(done)
    })
  })
}
