import { statSync } from 'node:fs'

/** Why a daemon exits, and the exit code for its supervisor. Any other exit code is a crash. */
export const EXIT_CODES = {
  stopped: 0,
  idle: 0,
  replaced: 0,
  unsupervised: 0,
  outdated: 75,
  orphaned: 76,
} as const
export type ExitReason = keyof typeof EXIT_CODES

export interface DaemonState {
  readonly idleMs: number
  readonly idleMaxMs: number
  readonly ownsSocket: boolean
  readonly isCurrent: boolean
  readonly hasSupervisor: boolean
  /** An agent uses HTTP, which needs a daemon that does not exit when it is idle. */
  readonly needsSupervisor: boolean
}

/** The reason for which a daemon must exit now; undefined if it should go on. */
export function exitReason(state: DaemonState): ExitReason | undefined {
  if (!state.isCurrent) return 'outdated'
  if (!state.ownsSocket) return 'replaced'
  if (!state.hasSupervisor) return 'orphaned'
  if (state.needsSupervisor) return 'unsupervised'
  return state.idleMs > state.idleMaxMs ? 'idle' : undefined
}

/** Returns a function that says whether the file is still the same. */
export function watchFile(path: string): () => boolean {
  const before = markOf(path)
  return () => markOf(path) === before
}

function markOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false })
  return found === undefined ? '' : `${found.ino}:${found.size}:${found.mtimeMs}`
}
