import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { textAt } from '../../core/json.ts'
import type { TranscriptCall, TranscriptItem, TranscriptReader } from '../../core/transcript.ts'
import type { NotedHole } from '../../storage/journal/holes.ts'
import type { JournalRecord, Store } from '../../storage/journal/store.ts'
import { nothingUnread, readTranscript } from '../history/read-transcript.ts'
import { findReader } from '../history/readers.ts'
import { type AuditTally, compareSession, emptyAudit, hasHole } from './compare.ts'
import { describeCall } from './describe-call.ts'

/**
 * Compares a session that ended with what was decided in it. Only counts leave this function: the path comes from the agent,
 * and whatever file it names is read as a transcript and nothing else.
 */
async function auditEnded(end: JournalRecord, store: Store): Promise<AuditTally | undefined> {
  const path = textAt(end.extra ?? {}, 'transcript')
  const member = path === undefined ? undefined : await findReader(end.host)
  if (path === undefined || member === undefined) return undefined
  const { reader, host } = member
  const tally = emptyAudit()
  const [first] = store.read({ session: end.session })
  if (first === undefined) return undefined
  const records = function* () {
    for (const { record } of store.read({ session: end.session })) yield record
  }
  // What was before the first record of this session was audited then, or was before `init`.
  const context = {
    host: end.host,
    oldest: first.record.at,
    unreported: reader.unreported ?? [],
    untold: reader.untold ?? [],
    describe: (call: TranscriptCall) => describeCall(call, host),
    since: first.record.at,
  }
  compareSession(itemsOf(path, end.session, reader), records(), context, tally)
  return tally
}

const FILES_MAX = 1_000

/** The session's own file, and those of its sub-agents. A path that is no transcript of this agent's names neither. */
function* itemsOf(path: string, session: string, reader: TranscriptReader): Generator<TranscriptItem> {
  const unread = nothingUnread()
  // The name of a session comes from the agent: it must not lead out of the folder.
  const folders = /^\w[\w.:-]*$/.test(session) ? (reader.subagentFolders?.(path, session) ?? []) : []
  for (const file of [path, ...folders.flatMap(filesIn)]) yield* readTranscript(file, file, reader, unread)
}

function filesIn(folder: string): readonly string[] {
  try {
    const names = readdirSync(folder).filter((name) => name.endsWith('.jsonl'))
    return names.slice(0, FILES_MAX).map((name) => join(folder, name))
  } catch {
    return []
  }
}

/** What is to be noted of the session; undefined: everything that ran in it was decided. */
export async function holeAfter(end: JournalRecord, store: Store): Promise<NotedHole | undefined> {
  const tally = await auditEnded(end, store)
  if (tally === undefined || !hasHole(tally)) return undefined
  const { ran, ranAlthoughDenied, gaps } = tally
  const missed = gaps.hole + gaps['no hooks in this session']
  return { at: end.at, host: end.host, session: end.session, ran, missed, ranAlthoughDenied }
}
