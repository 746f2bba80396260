import { setFlagsFromString } from 'node:v8'
import type { Log } from './log.ts'

/**
 * From now on the heap is collected when it has grown by a fifth, not when it has doubled: while many events come, the
 * daemon then has 120 instead of 160 MB. An engine that does not know the flag says so in the log, and goes on.
 */
export function growSlowly(): void {
  setFlagsFromString('--heap-growing-percent=20')
}

/**
 * Longer than a model thinks between two calls: the first event after a collection takes a millisecond more, because code
 * that had not run for a while is gone as well.
 */
const QUIET_MS = 30_000

/**
 * Frees what events have left behind, once when none has come for half a minute: the JavaScript engine itself collects
 * only when it needs room, and a daemon that waits would keep it for hours. Call the function now and then.
 */
export function collectWhenQuiet(
  log: Log,
  collect: () => Promise<void> = collectGarbage,
): (use: Use) => void {
  let collectedAt = 0
  return ({ usedMs, idleMs, open }) => {
    if (open > 0 || idleMs < QUIET_MS || usedMs === collectedAt) return
    collectedAt = usedMs
    collect().catch((error) => log(`nothing was collected: ${String(error)}`))
  }
}

interface Use {
  /** When the last event came. */
  readonly usedMs: number
  readonly idleMs: number
  /** Requests that wait for an answer. */
  readonly open: number
}

/** Through the debugger's own interface, within the process: a flag for it would make V8 refuse the code cache. */
async function collectGarbage(): Promise<void> {
  const { Session } = await import('node:inspector/promises')
  const session = new Session()
  session.connect()
  try {
    await session.post('HeapProfiler.collectGarbage')
  } finally {
    session.disconnect()
  }
}
