import { constants } from 'node:os'
import type { Caller } from '../caller.ts'

/** Whether the demo must end early: Ctrl-C, a closed terminal, or a closed pipe. */
export interface Interruption {
  /** Throws if the demo was interrupted. */
  check(): void
  /** The exit code for the interruption; undefined if there was none. */
  exitCode(): number | undefined
  /** The error of standard output, unless the reader only closed the pipe. */
  fault(): Error | undefined
}

/**
 * Only stores the signal: the demo checks it where it knows what is running, and cleans up. Another signal
 * during the clean-up changes nothing; npm sends the same one twice.
 */
export function watchInterruption(caller: Caller): Interruption {
  let code: number | undefined
  let fault: Error | undefined
  caller.onSignals(['SIGINT', 'SIGTERM', 'SIGHUP'], (signal) => {
    code ??= 128 + constants.signals[signal]
  })
  // The command line's own listener ends the process at once, which would leave the daemon running.
  caller.stdout.removeAllListeners('error').on('error', (error) => {
    const isClosed = 'code' in error && error.code === 'EPIPE'
    code ??= isClosed ? 0 : 1
    if (!isClosed) fault ??= error
  })
  return {
    check: () => {
      if (code !== undefined) throw new Error('interrupted')
    },
    exitCode: () => code,
    fault: () => fault,
  }
}
