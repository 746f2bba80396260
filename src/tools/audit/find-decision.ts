import type { TranscriptCall, TranscriptReader } from '../../core/transcript.ts'
import type { JournalRecord } from '../../storage/journal/store.ts'

/** What the journal would hold of a call. */
export interface DescribedCall {
  readonly tool: string
  readonly input?: string
}

export interface Decisions {
  /** The decision on a call, each only once. Undefined: there is none. */
  take(call: TranscriptCall, described: DescribedCall): JournalRecord | undefined
  /** Whether a hook was asked anything in this session. */
  readonly isAsked: boolean
}

/** A record without the id of the call is found by its tool and this near in time, as those of 0.1.0 are. */
const NEAR_MS = 60_000
/** The same where the input is the same too: a call may wait for others of its message, or for a person. */
const SAME_INPUT_MS = 3_600_000

/** The decisions of one session, by call. */
export function decisionsIn(
  records: Iterable<JournalRecord>,
  untold: NonNullable<TranscriptReader['untold']>,
): Decisions {
  const byCall = new Map<string, JournalRecord>()
  const unnamed: JournalRecord[] = []
  const taken = new Set<JournalRecord>()
  let isAsked = false
  for (const record of records) {
    isAsked = true
    // The second delivery of an event is no second decision.
    if (record.event !== 'PreToolUse' || record.extra?.repeated === true) continue
    const id = record.extra?.call
    if (typeof id === 'string') byCall.set(keyOf(record, id), record)
    if (typeof id !== 'string' || untold.length > 0) unnamed.push(record)
  }
  const isOpen = (record: JournalRecord, call: TranscriptCall, tool: string) =>
    !taken.has(record) &&
    record.tool === tool &&
    (agentOf(record) === agentOf({ agent: call.agentId, session: call.session }) ||
      (record.agent === undefined && untold.includes('agent')))
  return {
    isAsked,
    take(call, { tool, input }) {
      const named = byCall.get(keyOf({ agent: call.agentId, session: call.session }, call.useId))
      const atMs = Date.parse(call.at)
      const within = ({ at }: JournalRecord, ms: number) => Math.abs(Date.parse(at) - atMs) <= ms
      const open = named === undefined ? unnamed.filter((record) => isOpen(record, call, tool)) : []
      const found =
        named ??
        open.find((record) => isSameInput(record, input) && within(record, SAME_INPUT_MS)) ??
        open.find((record) => within(record, NEAR_MS))
      if (found !== undefined) taken.add(found)
      return found
    },
  }
}

/** Some models count their ids anew for each agent. */
function keyOf(
  record: { readonly agent?: string | undefined; readonly session: string },
  id: string,
): string {
  return `${agentOf(record) ?? ''}\n${id}`
}

/** An agent with a session to itself is the only one in it, whether or not both sides say so. */
function agentOf({
  agent,
  session,
}: {
  readonly agent?: string | undefined
  readonly session: string
}): string | undefined {
  return agent === session ? undefined : agent
}

const MASK = '[redacted:'

/** What was masked differs; up to there both are the same. */
function isSameInput({ input: recorded }: JournalRecord, input: string | undefined): boolean {
  if (recorded === undefined || input === undefined) return false
  const at = recorded.indexOf(MASK)
  return at === -1 ? recorded === input : recorded.slice(0, at) === input.slice(0, at)
}
