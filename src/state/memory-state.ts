import { good } from '../errors.ts'
import { encodeCommit } from './commit.ts'
import { emptySession, type FoldedSession, foldCommit } from './fold.ts'
import type { Commit, StateStore } from './state.ts'

/** Of a session nobody has met. A fold copies before it changes anything. */
const NOTHING = emptySession()

/** For embedding programs and tests: the same fold, kept for the life of the process. */
export function createMemoryState(): StateStore {
  const sessions = new Map<string, FoldedSession>()
  return {
    read: (session) => good(sessions.get(session) ?? NOTHING),
    commit(session, commit) {
      const line = encodeCommit(commit)
      if (!line.ok) return line
      // Through text like the file, so that a caller's later changes to its objects do not reach the state.
      const kept: Commit = JSON.parse(line.value)
      const folded = foldCommit(sessions.get(session) ?? NOTHING, kept)
      sessions.set(session, folded.state)
      return good(folded)
    },
  }
}
