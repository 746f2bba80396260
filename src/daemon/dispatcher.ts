import { createResponders, openCall } from '../app/hook-call.ts'
import { readHookOptions } from '../app/hook-options.ts'
import { deadlinesOf } from '../core/deadlines.ts'
import type { Problem } from '../core/errors.ts'
import { appendToSpool } from '../storage/journal/spool.ts'
import { monotonicMs } from '../system/clock.ts'
import type { EvaluatorThread } from './evaluator-thread.ts'
import { decodeRequest, encodeReply, requestHead } from './protocol.ts'

/**
 * Receives the requests of both servers, passes them on, and measures and counts them. It decides nothing
 * itself.
 */
export interface Dispatcher {
  /** The encoded reply; undefined if there is none: then the caller should decide by itself. */
  answer(frame: Buffer): Promise<Uint8Array | undefined>
  /** For a caller that cannot decide by itself: tries once more, then uses the last resort. */
  answerAnyway(frame: Buffer): Promise<Uint8Array>
  readonly counts: Readonly<Counts>
  /** When the last request arrived, on the monotonic clock. */
  usedMs(): number
}

type Awaitable<T> = T | Promise<T>

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
  readonly closed: (host: string, env: Readonly<Record<string, string>>) => Awaitable<Problem | undefined>
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

  const evaluate = async (frame: Buffer, argv: readonly string[], receivedMs: number, elapsedMs: number) => {
    const { deadlineMs = deadlinesOf('Stop').clientMs, event } = readHookOptions(argv, '/').options
    const problem =
      event === 'UserPromptSubmit' ? await closed(argv[0] ?? '', decodeRequest(frame).env) : undefined
    if (problem !== undefined) return refuse(frame, problem)
    const leftMs = deadlineMs - elapsedMs - (monotonicMs() - receivedMs) - Math.min(GRACE_MS, deadlineMs / 8)
    const result = await thread.ask(frame, receivedMs, Math.max(0, leftMs))
    if (!isUncounted(argv)) counts[typeof result === 'string' ? result : 'answered'] += 1
    if (result === 'late') {
      return refuse(frame, { code: 'INPUT_TIMEOUT', message: `No decision within ${deadlineMs} ms.` })
    }
    return result === 'lost' ? undefined : result
  }

  const answer = async (frame: Buffer) => {
    const { argv, elapsedMs } = requestHead(frame)
    if (argv[0] === '#status') return encodeText(`${JSON.stringify(status())}\n`)
    if (argv[0] === '#stop') {
      setImmediate(stop)
      return encodeText('')
    }
    const receivedMs = monotonicMs()
    if (!isUncounted(argv)) usedMs = receivedMs
    counts.open += 1
    try {
      return await evaluate(frame, argv, receivedMs, elapsedMs)
    } finally {
      counts.open -= 1
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

/** The last resort, encoded and recorded without the thread that should have answered. */
async function refuse(frame: Buffer, problem: Problem): Promise<Uint8Array> {
  const { input: _input, elapsedMs: _elapsed, ...call } = decodeRequest(frame)
  const { responder, request, home } = openCall({ ...call, startedMs: monotonicMs() }, responders)
  const { reply, record } = await responder.refuse(request, problem)
  const kept = record()
  if (kept !== undefined) appendToSpool(home.journal, kept)
  return encodeReply(reply)
}

function encodeText(stdout: string): Uint8Array {
  return encodeReply({ stdout, stderr: '', exitCode: 0 })
}
