/**
 * The keys of the last deliveries, the oldest first, in pieces that are shared between states of a session: a state with
 * one more key copies one piece, not all of them.
 */
export type RecentKeys = readonly ReadonlySet<string>[]

const PIECE = 64

export function hasKey(keys: RecentKeys, key: string): boolean {
  return keys.some((piece) => piece.has(key))
}

export function allKeys(keys: RecentKeys): readonly string[] {
  return keys.flatMap((piece) => [...piece])
}

export function recentKeys(all: readonly string[], max: number): RecentKeys {
  const writer = writeKeys([])
  for (const key of all) writer.add(key, max)
  return writer.keys()
}

/** Adds keys to a copy. */
export interface KeyWriter {
  has(key: string): boolean
  /** The oldest piece is dropped when there are more than `max` keys without it. */
  add(key: string, max: number): void
  keys(): RecentKeys
}

export function writeKeys(before: RecentKeys): KeyWriter {
  const pieces = [...before]
  let count = before.reduce((sum, piece) => sum + piece.size, 0)
  /** The last piece, once it is one that no other state has. */
  let own: Set<string> | undefined
  return {
    has: (key) => hasKey(pieces, key),
    add(key, max) {
      if (own === undefined || own.size >= PIECE) {
        const last = own === undefined ? pieces.at(-1) : undefined
        const continues = last !== undefined && last.size < PIECE
        own = new Set(continues ? last : [])
        if (continues) pieces.pop()
        pieces.push(own)
      }
      own.add(key)
      count += 1
      const oldest = pieces[0]?.size ?? 0
      if (count - oldest < max) return
      pieces.shift()
      count -= oldest
    },
    keys: () => pieces,
  }
}
