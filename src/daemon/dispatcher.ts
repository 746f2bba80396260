import { createResponders, openCall } from '../app/hook-call.ts'
import { type HookOptions, readHookOptions } from '../app/hook-options.ts'
import { deadlinesOf } from '../core/deadlines.ts'
import type { Problem } from '../core/errors.ts'
import { andThen, type MaybePromise } from '../core/maybe-async.ts'
import { appendToSpool } from '../storage/journal/spool.ts'
import { monotonicMs } from '../system/clock.ts'
import type { EvaluatorThread } from './evaluator-thread.ts'
import { decodeRequest, encodeReply } from './protocol.ts'

/**
 * Receives the requests of both servers, passes them on, and measures and counts them. It decides nothing
 * itself.
 */
export interface Dispatcher {
  /** The encoded reply; undefined if there is none: then the caller should decide by itself. */
  answer(frame: Buffer): MaybePromise<Uint8Array | undefined>
  /** For a caller that cannot decide by itself: tries once more, then uses the last resort. */
  answerAnyway(frame: Buffer): Promise<Uint8Array>
  readonly counts: Readonly<Counts>
  /** When the last request arrived, on the monotonic clock. */
  usedMs(): number
}

interface Counts {
  answered: number
  late: number
  lost: number
  /** Requests that are being answered now. */
  open: number
}

export interface DispatcherOptions {
  readonly thread: Pick<EvaluatorThread, 'ask'>
  /** Calls that are answered like all others and not counted. */
  readonly isUncounted?: (argv: readonly string[]) => boolean
  /**
   * Why no prompt of this host may start a turn now. `env` is the environment of the caller, which is the agent.
   */
  readonly closed: (host: string, env: Readonly<Record<string, string>>) => MaybePromise<Problem | undefined>
  readonly status: () => object
  readonly stop: () => void
}

const LOST_TWICE: Problem = { code: 'INTERNAL', message: 'Holdpoint itself failed twice at this event.' }

/** This deadline is after the engine's own and before the client gives up. */
const GRACE_MS = 500

export function createDispatcher({
  thread,
  closed,
  status,
  stop,
  isUncounted = () => false,
}: DispatcherOptions): Dispatcher {
  const counts: Counts = { answered: 0, late: 0, lost: 0, open: 0 }
  let usedMs = monotonicMs()

  const counted = (result: Uint8Array | 'late' | 'lost', argv: readonly string[]) => {
    if (!isUncounted(argv)) counts[typeof result === 'string' ? result : 'answered'] += 1
    return result
  }

  const evaluate = (frame: Buffer, argv: readonly string[], receivedMs: number, elapsedMs: number) => {
    const { deadlineMs = deadlinesOf('Stop').clientMs, event } = optionsOf(argv)
    const ask = (): MaybePromise<Uint8Array | undefined> => {
      const usedMs = elapsedMs + (monotonicMs() - receivedMs)
      const leftMs = deadlineMs - usedMs - Math.min(GRACE_MS, deadlineMs / 8)
      return andThen(thread.ask(frame, receivedMs, Math.max(0, leftMs)), (result) => {
        if (counted(result, argv) === 'late')
          return refuse(frame, { code: 'INPUT_TIMEOUT', message: `No decision within ${deadlineMs} ms.` })
        return typeof result === 'string' ? undefined : result
      })
    }
    if (event !== 'UserPromptSubmit') return ask()
    const problem = closed(argv[0] ?? '', decodeRequest(frame).env)
    return andThen(problem, (why) => (why === undefined ? ask() : refuse(frame, why)))
  }

  const answer = (frame: Buffer): MaybePromise<Uint8Array | undefined> => {
    const { argv, elapsedMs } = decodeRequest(frame)
    if (argv[0] === '#status') return encodeText(`${JSON.stringify(status())}\n`)
    if (argv[0] === '#stop') {
      setImmediate(stop)
      return encodeText('')
    }
    const receivedMs = monotonicMs()
    if (!isUncounted(argv)) usedMs = receivedMs
    counts.open += 1
    const end = () => {
      counts.open -= 1
    }
    try {
      const reply = evaluate(frame, argv, receivedMs, elapsedMs)
      if (reply instanceof Promise) return reply.finally(end)
      end()
      return reply
    } catch (error) {
      end()
      throw error
    }
  }

  return {
    counts,
    usedMs: () => usedMs,
    answer,
    answerAnyway: async (frame) =>
      (await answer(frame)) ?? (await answer(frame)) ?? refuse(frame, LOST_TWICE),
  }
}

const responders = createResponders(monotonicMs)

/** Without what depends on the caller's folder. The arguments of calls are mostly the same objects. */
function optionsOf(argv: readonly string[]): Pick<HookOptions, 'deadlineMs' | 'event'> {
  const known = OPTIONS.get(argv)
  if (known !== undefined) return known
  const { options } = readHookOptions(argv, '/')
  OPTIONS.set(argv, options)
  return options
}

const OPTIONS = new WeakMap<readonly string[], HookOptions>()

/** The last resort, encoded and recorded without the thread that should have answered. */
async function refuse(frame: Buffer, problem: Problem): Promise<Uint8Array> {
  const { argv, cwd, env } = decodeRequest(frame)
  const startedMs = monotonicMs()
  const { responder, request, home } = openCall({ argv, cwd, env, startedMs }, responders)
  const { reply, record } = await responder.refuse(request, problem)
  const kept = record()
  if (kept !== undefined) appendToSpool(home.journal, kept)
  return encodeReply(reply)
}

function encodeText(stdout: string): Uint8Array {
  return encodeReply({ stdout, stderr: '', exitCode: 0 })
}
