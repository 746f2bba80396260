import { untilAborted } from '../until-aborted.ts'
import { denied } from './denied.ts'
import { type Desk, type GuardedCall, judgeAfter, judgeFailure } from './judge-call.ts'
import type { ToldTexts } from './tell-model.ts'

/** A call that runs. */
export interface Begun {
  /** With the input it runs with. */
  readonly call: GuardedCall
  /** What hooks had to say before it ran. */
  readonly texts: readonly string[]
  readonly startedMs: number
  readonly signal: AbortSignal | undefined
}

/** A streaming tool's last value is its output; the others are held back. */
export async function lastOf(result: unknown): Promise<unknown> {
  if (!isAsyncIterable(result)) return await result
  let last: unknown
  for await (last of result);
  return last
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}

/** The output as hooks leave it, or their objection as an error. */
export async function releaseOutput(
  desk: Desk,
  told: ToldTexts,
  { call, texts, startedMs, signal }: Begun,
  output: unknown,
): Promise<unknown> {
  const released = await untilAborted(judgeAfter(desk, call, output, since(startedMs)), signal)
  if ('withheld' in released) throw denied(released.withheld)
  told.add(call.toolCallId, released.output, [...texts, ...released.texts])
  return released.output
}

/** What the model reads of a tool that failed: its own error, and below it what hooks have to say. */
export async function failureOf(
  desk: Desk,
  { call, texts, startedMs, signal }: Begun,
  error: unknown,
): Promise<unknown> {
  const message = error instanceof Error ? error.message : String(error)
  const interrupted = signal?.aborted === true
  const judged = judgeFailure(desk, call, message, { interrupted, durationMs: since(startedMs) })
  // Nobody reads the error of a cancelled call any more: hooks are told, and nobody waits for them.
  if (interrupted) return error
  const told = [...texts, ...(await untilAborted(judged, signal))]
  if (told.length === 0) return error
  const whole = new Error([message, ...told].join('\n\n'), { cause: error })
  return error instanceof Error ? Object.assign(whole, { name: error.name }) : whole
}

function since(startedMs: number): number {
  return Math.round(performance.now() - startedMs)
}
