import { type Event, toolOf } from '../../core/event.ts'
import { redact } from '../../core/redact/redact.ts'
import type { CallDecider, Verdict } from '../history/decide-call.ts'
import type { TranscriptSession } from '../history/find-transcripts.ts'
import { nothingUnread, readTranscript } from '../history/read-transcript.ts'
import type { ReadableHost } from '../history/readers.ts'
import { addEvidence, type History } from './evidence.ts'

/** Calls that wait for their end; a session that leaves more of them open forgets the oldest. */
const OPEN_MAX = 1_000
const EXAMPLE_MAX = 200

/** Adds what one session shows: what the policy says of each call, and what became of it. */
export async function gatherSession(
  session: TranscriptSession,
  { host, reader }: ReadableHost,
  decider: CallDecider,
  project: string,
  since: string | undefined,
  history: History,
): Promise<void> {
  const open = new Map<string, { readonly event: Event; readonly verdict: Verdict }>()
  const seen = new Set<string>()
  const unread = nothingUnread()
  let calls = 0
  for (const { file, path } of session.files) {
    for (const item of readTranscript(file, path, reader, unread)) {
      if (item.kind === 'call' && (since === undefined || item.call.at >= since)) {
        const decoded = host.decode({ payload: JSON.stringify(item.call.payload), cwd: item.call.cwd })
        if (!decoded.ok) continue
        calls += 1
        const verdict = await decider.decide(decoded.value, project, new Date(item.call.at))
        open.set(item.call.useId, { event: decoded.value, verdict })
        const [oldest] = open.keys()
        if (open.size > OPEN_MAX && oldest !== undefined) open.delete(oldest)
      } else if (item.kind === 'outcome') {
        const call = open.get(item.useId)
        open.delete(item.useId)
        if (call !== undefined)
          addEvidence(history, call.event, call.verdict, item, seen, exampleOf(call.event))
      }
    }
  }
  for (const { event, verdict } of open.values()) {
    addEvidence(history, event, verdict, undefined, seen, exampleOf(event))
  }
  if (calls > 0) history.sessions += 1
}

function exampleOf(event: Event): string {
  const command = toolOf(event)?.input.command
  return typeof command === 'string' ? redact(command.slice(0, 4_000)).slice(0, EXAMPLE_MAX) : ''
}
