import { type GuardContext, type GuardedCall, judgeAfter, judgeFailure } from '../judge-call.ts'
import { untilAborted } from '../until-aborted.ts'
import { denied } from './denied.ts'
import type { ModelTexts } from './model-output.ts'

/** A running call. */
export interface Begun {
  /** With the input that it runs with. */
  readonly call: GuardedCall
  /** What hooks said before it ran. */
  readonly texts: readonly string[]
  readonly startedMs: number
  readonly signal: AbortSignal | undefined
}

/** A streaming tool's last value is its output; the others are held back. */
export async function lastValue(result: unknown): Promise<unknown> {
  if (!isAsyncIterable(result)) return await result
  let last: unknown
  for await (last of result);
  return last
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}

/** The output as hooks leave it, or their denial as an error. */
export async function releaseOutput(
  context: GuardContext,
  told: ModelTexts,
  { call, texts, startedMs, signal }: Begun,
  output: unknown,
): Promise<unknown> {
  const released = await untilAborted(judgeAfter(context, call, output, since(startedMs)), signal)
  if ('withheld' in released) throw denied(released.withheld)
  told.add(call.toolCallId, released.output, [...texts, ...released.texts])
  return released.output
}

/** What the model reads about a tool that failed: its own error, and the texts of hooks below it. */
export async function failureOf(
  context: GuardContext,
  { call, texts, startedMs, signal }: Begun,
  error: unknown,
): Promise<unknown> {
  const message = error instanceof Error ? error.message : String(error)
  const interrupted = signal?.aborted === true
  const judged = judgeFailure(context, call, message, { interrupted, durationMs: since(startedMs) })
  // The error of a cancelled call is not used any more: hooks get the event, but the call does not wait for
  // them.
  if (interrupted) return error
  const told = [...texts, ...(await untilAborted(judged, signal))]
  if (told.length === 0) return error
  const whole = new Error([message, ...told].join('\n\n'), { cause: error })
  return error instanceof Error ? Object.assign(whole, { name: error.name }) : whole
}

function since(startedMs: number): number {
  return Math.round(performance.now() - startedMs)
}
