import { deadlinesOf } from '../deadlines.ts'
import type { Problem } from '../errors.ts'
import { createResponders, openCall } from '../hook-call.ts'
import { readHookOptions } from '../hook-options.ts'
import { appendToSpool } from '../stores/spool.ts'
import { monotonicMs } from '../world/clock.ts'
import type { EvaluatorThread } from './evaluator-thread.ts'
import { decodeRequest, encodeReply, headOf } from './protocol.ts'

/** Where requests of both doors arrive: passed on, timed, counted. It judges nothing itself. */
export interface Desk {
  /** The encoded reply; undefined when there is none to give, and the caller had better ask itself. */
  answer(frame: Buffer): Promise<Uint8Array | undefined>
  /** For a caller that cannot ask itself: asked once more, then the last resort. */
  answerAnyway(frame: Buffer): Promise<Uint8Array>
  readonly counts: Readonly<Counts>
  /** When the last request came, on the monotonic clock. */
  usedMs(): number
}

type Awaitable<T> = T | Promise<T>

interface Counts {
  answered: number
  late: number
  lost: number
  /** Being answered now. */
  open: number
}

export interface DeskOptions {
  readonly thread: Pick<EvaluatorThread, 'ask'>
  /** Why no prompt of this host may start a turn now; `env` is the caller's, which is the agent's. */
  readonly closed: (host: string, env: Readonly<Record<string, string>>) => Awaitable<Problem | undefined>
  readonly status: () => object
  readonly stop: () => void
}

const LOST_TWICE: Problem = { code: 'INTERNAL', message: 'Holdpoint itself failed twice at this event.' }

/** The acceptor's answer comes after the engine's own and before the client gives up. */
const GRACE_MS = 500

export function createDesk({ thread, closed, status, stop }: DeskOptions): Desk {
  const counts: Counts = { answered: 0, late: 0, lost: 0, open: 0 }
  let usedMs = monotonicMs()

  const judge = async (frame: Buffer, argv: readonly string[], receivedMs: number, elapsedMs: number) => {
    const { deadlineMs = deadlinesOf('Stop').clientMs, event } = readHookOptions(argv, '/').options
    const problem =
      event === 'UserPromptSubmit' ? await closed(argv[0] ?? '', decodeRequest(frame).env) : undefined
    if (problem !== undefined) return refuse(frame, problem)
    const leftMs = deadlineMs - elapsedMs - (monotonicMs() - receivedMs) - Math.min(GRACE_MS, deadlineMs / 8)
    const result = await thread.ask(frame, receivedMs, Math.max(0, leftMs))
    counts[typeof result === 'string' ? result : 'answered'] += 1
    if (result === 'late') {
      return refuse(frame, { code: 'INPUT_TIMEOUT', message: `No decision within ${deadlineMs} ms.` })
    }
    return result === 'lost' ? undefined : result
  }

  const answer = async (frame: Buffer) => {
    const { argv, elapsedMs } = headOf(frame)
    if (argv[0] === '#status') return saying(`${JSON.stringify(status())}\n`)
    if (argv[0] === '#stop') {
      setImmediate(stop)
      return saying('')
    }
    const receivedMs = monotonicMs()
    usedMs = receivedMs
    counts.open += 1
    try {
      return await judge(frame, argv, receivedMs, elapsedMs)
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

/** The last resort, said and recorded without the thread that should have answered. */
async function refuse(frame: Buffer, problem: Problem): Promise<Uint8Array> {
  const { input: _input, elapsedMs: _elapsed, ...call } = decodeRequest(frame)
  const { responder, request, home } = openCall({ ...call, startedMs: monotonicMs() }, responders)
  const { reply, record } = await responder.refuse(request, problem)
  const kept = record()
  if (kept !== undefined) appendToSpool(home.journal, kept)
  return encodeReply(reply)
}

function saying(stdout: string): Uint8Array {
  return encodeReply({ stdout, stderr: '', exitCode: 0 })
}
