import type { Facts } from '../core/facts.ts'
import { type FactsScope, liveFacts } from './live-facts.ts'

/** Facts from the disk that a decision needed. Without the disk of that time, such a decision is a guess. */
export type AskedFact = 'file' | 'branch' | 'commits'

export interface FrozenOptions {
  /** Called for each fact that only the disk could answer. Paths are used as written, without resolving links. */
  asked?(fact: AskedFact): void
  now?(): Date
}

/** Facts without a disk: the same call is decided in the same way on every machine, and nothing is read. */
export function frozenFacts(where: FactsScope, { asked, now }: FrozenOptions = {}): Facts {
  const { env, ...live } = liveFacts(where)
  return {
    ...live,
    env,
    ...(now === undefined ? {} : { now }),
    branch: () => {
      asked?.('branch')
      return undefined
    },
    readText: async () => {
      asked?.('file')
      return undefined
    },
    // Not asked for: nearly every repository has nothing in its settings that changes what a command does.
    readNow: () => undefined,
    list: async () => {
      asked?.('file')
      return []
    },
    stat: async () => {
      asked?.('file')
      return undefined
    },
    stamp: () => undefined,
    realpath: (path) => path,
    recentCommits: async () => {
      asked?.('commits')
      return []
    },
  }
}
