import type { Log } from './log.ts'

/** Long enough that a turn of an agent is over, or that a person reads. */
const QUIET_MS = 3_000

/**
 * Frees what events have left behind, once when none has come for some seconds: the JavaScript engine itself collects
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
