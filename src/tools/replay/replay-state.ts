import { deserialize, serialize } from 'node:v8'
import { good } from '../../core/errors.ts'
import { encodeCommit } from '../../core/state/commit.ts'
import { emptySession, type FoldedSession, foldCommit } from '../../core/state/fold.ts'
import type { Commit, StateStore } from '../../core/state/state.ts'

/** The memory of sessions while they are replayed, which can be saved and taken up again. */
export interface ReplayState extends StateStore {
  save(): Buffer
}

/** Sessions of a journal are interleaved. Those that were not used for longest are forgotten first. */
const SESSIONS_MAX = 512

export function createReplayState(saved?: Buffer): ReplayState {
  const sessions: Map<string, FoldedSession> = saved === undefined ? new Map() : deserialize(saved)
  const use = (session: string, state: FoldedSession) => {
    sessions.delete(session)
    sessions.set(session, state)
    const [oldest] = sessions.keys()
    if (sessions.size > SESSIONS_MAX && oldest !== undefined) sessions.delete(oldest)
  }
  return {
    read(session) {
      const known = sessions.get(session)
      if (known === undefined) return good(emptySession())
      use(session, known)
      return good(known)
    },
    commit(session, commit) {
      const line = encodeCommit(commit)
      if (!line.ok) return line
      const kept: Commit = JSON.parse(line.value)
      const folded = foldCommit(sessions.get(session) ?? emptySession(), kept)
      use(session, folded.state)
      return good(folded)
    },
    save: () => serialize(sessions),
  }
}
