import { redact } from '../../core/redact/redact.ts'
import type { CallOutcome, TranscriptCall, TranscriptItem, TranscriptReader } from '../../core/transcript.ts'
import type { JournalRecord } from '../../storage/journal/store.ts'
import { type Decisions, type DescribedCall, decisionsIn } from './find-decision.ts'

/** Why a call that ran has no verdict. */
export type GapReason =
  /** Hooks of this session were asked about other calls, and not about this one. */
  | 'hole'
  /** No hook was ever asked in this session: hooks were switched off, or not installed for it. */
  | 'no hooks in this session'
  /** The agent asks no hook about this tool. */
  | 'the agent cannot ask'
  /** It is older than the oldest record: before `init`, or dropped since. */
  | 'before the journal begins'

export interface CallGap {
  readonly at: string
  readonly host: string
  readonly session: string
  readonly agent: string
  readonly tool: string
  readonly reason: GapReason | 'ran although denied'
}

/** One or many sessions, compared. */
export interface AuditTally {
  sessions: number
  /** Calls that ran, also those that failed. */
  ran: number
  /** Of these, those that Holdpoint decided before. */
  decided: number
  /** Decided by a policy that is not in force any more. */
  earlierPolicy: number
  ranAlthoughDenied: number
  gaps: Record<GapReason, number>
  /** Calls in sessions without any hook, by the folder they were made in. */
  unguardedFolders: Record<string, number>
  /** The first few of each kind. */
  examples: CallGap[]
}

export function emptyAudit(): AuditTally {
  return {
    sessions: 0,
    ran: 0,
    decided: 0,
    earlierPolicy: 0,
    ranAlthoughDenied: 0,
    gaps: {
      hole: 0,
      'no hooks in this session': 0,
      'the agent cannot ask': 0,
      'before the journal begins': 0,
    },
    unguardedFolders: {},
    examples: [],
  }
}

export interface AuditContext {
  readonly host: string
  /** The time of the oldest record in the journal; undefined: it is empty. */
  readonly oldest: string | undefined
  readonly unreported: readonly string[]
  readonly untold?: TranscriptReader['untold']
  /** The tool and the input of a call, in the words of the journal. */
  describe(call: TranscriptCall): DescribedCall
  /** ISO; older calls are left out. */
  readonly since?: string
  includes?(call: TranscriptCall): boolean
  /** Whether the record was decided by the policy that is in force now. */
  isCurrent?(record: JournalRecord): boolean
}

const EXAMPLES_PER_KIND = 5
const OPEN_MAX = 10_000

/** The calls of one session's transcripts against the records of the same session. */
export function compareSession(
  items: Iterable<TranscriptItem>,
  records: Iterable<JournalRecord>,
  context: AuditContext,
  tally: AuditTally,
): void {
  const decisions = decisionsIn(records, context.untold ?? [])
  const open = new Map<string, TranscriptCall>()
  let calls = 0
  for (const item of items) {
    if (item.kind === 'call') {
      const { call } = item
      if ((context.since !== undefined && call.at < context.since) || context.includes?.(call) === false)
        continue
      calls += 1
      open.set(call.useId, call)
      const [oldest] = open.keys()
      if (open.size > OPEN_MAX && oldest !== undefined) open.delete(oldest)
    } else if (item.kind === 'outcome') {
      const call = open.get(item.useId)
      open.delete(item.useId)
      if (call !== undefined) settle(call, item, decisions, context, tally)
    }
  }
  if (calls > 0) tally.sessions += 1
}

function settle(
  call: TranscriptCall,
  { outcome }: CallOutcome,
  decisions: Decisions,
  context: AuditContext,
  tally: AuditTally,
): void {
  const record = decisions.take(call, context.describe(call))
  // What ended with an error may have been refused, and then there is nothing to account for.
  if (outcome === 'refused' || outcome === 'unclear') return
  tally.ran += 1
  if (record === undefined) {
    const reason = reasonFor(call, decisions, context)
    tally.gaps[reason] += 1
    if (reason === 'no hooks in this session') noteFolder(tally, call.cwd)
    note(tally, call, context, reason)
    return
  }
  tally.decided += 1
  if (context.isCurrent?.(record) === false) tally.earlierPolicy += 1
  if (record.effect !== 'deny') return
  tally.ranAlthoughDenied += 1
  note(tally, call, context, 'ran although denied')
}

function reasonFor(call: TranscriptCall, { isAsked }: Decisions, context: AuditContext): GapReason {
  if (context.unreported.includes(String(call.payload.tool_name))) return 'the agent cannot ask'
  if (context.oldest === undefined || call.at < context.oldest) return 'before the journal begins'
  return isAsked ? 'hole' : 'no hooks in this session'
}

/** Folders come from the transcript: a bound keeps a hostile one from filling the memory. */
const FOLDERS_MAX = 200
const FOLDER_LENGTH_MAX = 200

function noteFolder({ unguardedFolders: folders }: AuditTally, cwd: string): void {
  const folder = redact(cwd.slice(0, FOLDER_LENGTH_MAX))
  if (Object.hasOwn(folders, folder)) folders[folder] = (folders[folder] ?? 0) + 1
  else if (Object.keys(folders).length < FOLDERS_MAX) folders[folder] = 1
}

function note(
  tally: AuditTally,
  call: TranscriptCall,
  { host }: AuditContext,
  reason: CallGap['reason'],
): void {
  if (tally.examples.filter((each) => each.reason === reason).length >= EXAMPLES_PER_KIND) return
  tally.examples.push({
    at: call.at,
    host,
    session: call.session.slice(0, 80),
    agent: (call.agentType ?? (call.agentId === undefined ? 'main' : 'sub-agent')).slice(0, 80),
    tool: String(call.payload.tool_name).slice(0, 80),
    reason,
  })
}

/** Whether something ran that nobody can account for. */
export function hasHole({ gaps, ranAlthoughDenied }: AuditTally): boolean {
  return gaps.hole + gaps['no hooks in this session'] + ranAlthoughDenied > 0
}
