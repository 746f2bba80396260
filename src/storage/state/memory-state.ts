import { good } from '../../core/errors.ts'
import { copyCommit } from '../../core/state/commit.ts'
import { emptySession, type FoldedSession, foldCommit } from '../../core/state/fold.ts'
import type { StateStore } from '../../core/state/state.ts'

/** The state of an unknown session. It is copied before it is changed. */
const NOTHING = emptySession()

export interface MemoryStateOptions {
  /** How many sessions are kept, the most recently used; 10,000 if missing. */
  readonly sessionsMax?: number
  /** Commits are kept as they are: the caller makes them for this alone and never changes them. */
  readonly ownsCommits?: boolean
}

/** For embedding programs and tests: the same state, kept as long as the process lives. */
export function createMemoryState(options: MemoryStateOptions = {}): StateStore {
  const { sessionsMax = 10_000, ownsCommits = false } = options
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
      // Its age only matters when a session must be removed.
      if (known !== undefined && sessions.size > sessionsMax / 2) keep(session, known)
      return good(known ?? NOTHING)
    },
    commit(session, commit) {
      // Through text, as in a file, so that later changes of the caller's objects do not reach the state.
      const copy = ownsCommits ? good(commit) : copyCommit(commit)
      if (!copy.ok) return copy
      const folded = foldCommit(sessions.get(session) ?? NOTHING, copy.value)
      keep(session, folded.state)
      return good(folded)
    },
  }
}
