import { statSync } from 'node:fs'

/** Why a daemon leaves, and the exit code by which its supervisor knows. Any other code is an accident. */
export const FAREWELLS = {
  stopped: 0,
  idle: 0,
  replaced: 0,
  unsupervised: 0,
  outdated: 75,
  orphaned: 76,
} as const
export type Farewell = keyof typeof FAREWELLS

export interface Signs {
  readonly idleMs: number
  readonly idleMaxMs: number
  readonly hasPlace: boolean
  readonly isCurrent: boolean
  readonly hasParent: boolean
  /** An agent asks over HTTP, and a daemon of its own accord would leave it alone after a while. */
  readonly needsParent: boolean
}

/** A daemon that nobody asks, whose place was taken, or whose own program changed under it, makes room. */
export function farewell(signs: Signs): Farewell | undefined {
  if (!signs.isCurrent) return 'outdated'
  if (!signs.hasPlace) return 'replaced'
  if (!signs.hasParent) return 'orphaned'
  if (signs.needsParent) return 'unsupervised'
  return signs.idleMs > signs.idleMaxMs ? 'idle' : undefined
}

/** Says whether a file is still the one it was at this moment. */
export function watchFile(path: string): () => boolean {
  const before = markOf(path)
  return () => markOf(path) === before
}

function markOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false })
  return found === undefined ? '' : `${found.ino}:${found.size}:${found.mtimeMs}`
}
