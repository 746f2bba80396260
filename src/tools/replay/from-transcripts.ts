import { type Event, type EventBase, toolOf } from '../../core/event.ts'
import type { TranscriptItem } from '../../core/transcript.ts'
import type { TranscriptSession } from '../history/find-transcripts.ts'
import { readTranscript, type Unread } from '../history/read-transcript.ts'
import type { ReadableHost } from '../history/readers.ts'
import type { RecordedEvent } from './recorded.ts'

/** More files of one session than are open at a time are read one after another. */
const OPEN_MAX = 128

/**
 * The calls of one session in the order they were made, also when its sub-agents have files of their own. A call that ran is
 * followed by its end, as hooks that remember what happened need it.
 */
export function* eventsOfSession(
  session: TranscriptSession,
  { host, reader }: ReadableHost,
  project: string,
  unread: Unread,
): Generator<RecordedEvent> {
  const streams = session.files.map(({ file, path }) => readTranscript(file, path, reader, unread))
  const merged = streams.length > OPEN_MAX ? inTurn(streams) : byTime(streams)
  const running = new Map<string, Event>()
  const agents = new Set<string>()
  for (const item of merged) {
    if (item.kind === 'call') {
      const decoded = host.decode({ payload: JSON.stringify(item.call.payload), cwd: item.call.cwd })
      if (!decoded.ok) {
        unread.incomplete += 1
        continue
      }
      const event = decoded.value
      const at = new Date(item.call.at)
      const more = { position: 0, at, project, doubts: [] }
      if (event.agentId !== undefined && !agents.has(event.agentId)) {
        agents.add(event.agentId)
        yield {
          ...more,
          event: { ...baseOf(event), kind: 'SubagentStart', name: 'SubagentStart' },
          isContext: true,
        }
      }
      if (running.size >= RUNNING_MAX) running.clear()
      running.set(item.call.useId, event)
      yield { ...more, event }
    } else if (item.kind === 'outcome') {
      const event = running.get(item.useId)
      running.delete(item.useId)
      const tool = event === undefined ? undefined : toolOf(event)
      if (event === undefined || tool === undefined || item.outcome !== 'ran') continue
      const ended: Event = { ...baseOf(event), kind: 'PostToolUse', name: 'PostToolUse', tool, output: null }
      yield { position: 0, at: new Date(0), project, doubts: [], event: ended, isContext: true }
    }
  }
}

const RUNNING_MAX = 1_000

function baseOf({ host, session, agentId, agentType, cwd }: Event): Omit<EventBase, 'name'> {
  return {
    host,
    session,
    cwd,
    raw: {},
    ...(agentId === undefined ? {} : { agentId }),
    ...(agentType === undefined ? {} : { agentType }),
  }
}

function* inTurn(streams: readonly Iterable<TranscriptItem>[]): Generator<TranscriptItem> {
  for (const stream of streams) yield* stream
}

/** Of each file the next item is known; the oldest of them comes first. Items without a time follow their file. */
function* byTime(streams: readonly Generator<TranscriptItem>[]): Generator<TranscriptItem> {
  const heads = streams.map((stream) => ({ stream, next: stream.next(), at: '' }))
  for (;;) {
    let oldest: (typeof heads)[number] | undefined
    for (const head of heads) {
      if (head.next.done === true) continue
      if (head.next.value.kind === 'call') head.at = head.next.value.call.at
      if (oldest === undefined || head.at < oldest.at) oldest = head
    }
    if (oldest === undefined || oldest.next.done === true) return
    yield oldest.next.value
    oldest.next = oldest.stream.next()
  }
}
