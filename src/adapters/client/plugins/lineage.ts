import { inTime } from './in-time.ts'

/** The caller, in the fields of the payload: the session that the user started, and the sub-agent in it. */
export interface Identity {
  readonly session_id: string
  readonly agent_id?: string
  readonly agent_type?: string
}

/** What is known of a session: `parentID` if a sub-agent runs in it. */
export interface SessionFacts {
  readonly parentID?: string
  readonly agent?: string
}

const PARENTS_MAX = 16
const SESSIONS_MAX = 10_000
const LOOK_MAX_MS = 2_000

export interface Lineage {
  learn(session: string, facts: SessionFacts): void
  identityOf(session: string): Promise<Identity>
}

/** `look` asks the agent about a session whose start this process has not seen. */
export function createLineage(look: (session: string) => Promise<SessionFacts | undefined>): Lineage {
  const known = new Map<string, SessionFacts>()
  const asked = async (session: string) => look(session)
  const factsOf = async (session: string): Promise<SessionFacts> => {
    const facts = known.get(session) ?? (await inTime(asked(session), LOOK_MAX_MS))
    if (facts !== undefined) learn(session, facts)
    return facts ?? {}
  }
  const learn = (session: string, facts: SessionFacts) => {
    if (known.size >= SESSIONS_MAX) known.clear()
    known.set(session, facts)
  }
  return {
    learn,
    async identityOf(session) {
      const own = await factsOf(session)
      if (own.parentID === undefined) return { session_id: session }
      let root = own.parentID
      for (let i = 0; i < PARENTS_MAX; i += 1) {
        const { parentID } = await factsOf(root)
        if (parentID === undefined) break
        root = parentID
      }
      return {
        session_id: root,
        agent_id: session,
        ...(own.agent === undefined ? {} : { agent_type: own.agent }),
      }
    },
  }
}
