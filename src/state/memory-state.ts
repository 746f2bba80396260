import { good } from '../errors.ts'
import { encodeCommit } from './commit.ts'
import { emptySession, type FoldedSession, foldCommit } from './fold.ts'
import type { Commit, StateStore } from './state.ts'

/** Of a session nobody has met. A fold copies before it changes anything. */
const NOTHING = emptySession()

export interface MemoryStateOptions {
  /** How many sessions are kept, those used last; 10,000 when missing. */
  readonly sessionsMax?: number
}

/** For embedding programs and tests: the same fold, kept for the life of the process. */
export function createMemoryState({ sessionsMax = 10_000 }: MemoryStateOptions = {}): StateStore {
  const sessions = new Map<string, FoldedSession>()
  const keep = (session: string, state: FoldedSession) => {
    sessions.delete(session)
    sessions.set(session, state)
    const [oldest] = sessions.keys()
    if (sessions.size > sessionsMax && oldest !== undefined) sessions.delete(oldest)
  }
  return {
    read(session) {
      const known = sessions.get(session)
      // Its age counts only once somebody may have to go.
      if (known !== undefined && sessions.size > sessionsMax / 2) keep(session, known)
      return good(known ?? NOTHING)
    },
    commit(session, commit) {
      const line = encodeCommit(commit)
      if (!line.ok) return line
      // Through text like the file, so that a caller's later changes to its objects do not reach the state.
      const kept: Commit = JSON.parse(line.value)
      const folded = foldCommit(sessions.get(session) ?? NOTHING, kept)
      keep(session, folded.state)
      return good(folded)
    },
  }
}
