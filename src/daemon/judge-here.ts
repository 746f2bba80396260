import { monotonicMs } from '../world/clock.ts'
import { createEvaluator } from './evaluator.ts'
import type { EvaluatorThread } from './evaluator-thread.ts'
import { encodeReply } from './protocol.ts'
import type { Watchdog } from './watchdog.ts'

/** Of what arrives in one turn of the event loop, so much is judged here; the rest goes to threads that run beside. */
const HERE_MAX = 3

/**
 * Judges on the thread that accepts, because waking another one costs more than most judgements. Only while nothing is
 * being judged here: a hook that waits for a program, or a crowd, is no reason for others to wait; nor is code that is
 * still being loaded, because whoever knocks then would not be greeted. What a fault here can do is the watchdog's
 * business.
 */
export function judgeHereFirst(
  others: EvaluatorThread,
  watchdog: Pick<Watchdog, 'begin' | 'end'>,
  isWarm: () => boolean,
  log: (line: string) => void,
): EvaluatorThread {
  const evaluate = createEvaluator(monotonicMs)
  let busy = false
  let thisTurn = 0

  const keep = (settle: () => string | undefined) => {
    const trouble = settle()
    if (trouble !== undefined) log(`a record was lost: ${trouble}`)
  }

  const judge = async (frame: Buffer, receivedMs: number, waitMs: number) => {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<'late'>((resolve) => {
      timer = setTimeout(resolve, waitMs, 'late')
    })
    const judged = evaluate(frame, receivedMs).then(({ reply, settle }) => {
      setImmediate(keep, settle)
      return encodeReply(reply)
    })
    try {
      return await Promise.race([judged, late])
    } finally {
      clearTimeout(timer)
    }
  }

  return {
    ...others,
    async ask(frame, receivedMs, waitMs) {
      if (busy || !isWarm() || thisTurn >= HERE_MAX) return others.ask(frame, receivedMs, waitMs)
      if (thisTurn === 0) {
        setImmediate(() => {
          thisTurn = 0
        })
      }
      thisTurn += 1
      busy = true
      watchdog.begin()
      try {
        return await judge(frame, receivedMs, waitMs)
      } catch (error) {
        log(`judging failed: ${error instanceof Error ? error.message : String(error)}`)
        return 'lost'
      } finally {
        watchdog.end()
        busy = false
      }
    },
  }
}
