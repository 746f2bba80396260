import { isObject, textAt } from '../../core/json.ts'
import type { JournalRecord } from '../../storage/journal/store.ts'
import type { ApprovalNote, RecordSummary } from './api.ts'

const INPUT_MAX = 300
const REASON_MAX = 300
const BECAUSE_MAX = 5

/** The part of a record that a list needs. A page of records must stay small. */
export function summaryOf(record: JournalRecord, seq?: number): RecordSummary {
  const { agent, agentType, tool, input, reason, extra = {} } = record
  const toolMs = extra.toolMs
  const call = textAt(extra, 'call')
  const approval = approvalOf(record)
  return {
    id: record.id,
    ...(seq === undefined ? {} : { seq }),
    at: record.at,
    host: record.host,
    event: record.event,
    session: record.session,
    ...(agent === undefined ? {} : { agent }),
    ...(agentType === undefined ? {} : { agentType }),
    ...(tool === undefined ? {} : { tool }),
    ...textOf('input', input ?? (record.host === 'person' ? record.notices?.[0] : undefined), INPUT_MAX),
    project: record.project,
    effect: record.effect,
    because: record.because.slice(0, BECAUSE_MAX),
    ...textOf('reason', reason, REASON_MAX),
    durationMs: record.durationMs,
    ...(typeof toolMs === 'number' ? { toolMs } : {}),
    ...(call === undefined ? {} : { call }),
    ...(record.failed === undefined ? {} : { failed: true }),
    ...(extra.paused === undefined ? {} : { paused: true }),
    ...(approval === undefined ? {} : { approval }),
  }
}

function textOf(name: 'input' | 'reason', text: string | undefined, max: number): Partial<RecordSummary> {
  if (text === undefined || text === '') return {}
  return { [name]: text.length > max ? `${text.slice(0, max)}…` : text }
}

function approvalOf({ extra }: JournalRecord): ApprovalNote | undefined {
  const note = extra?.approval
  const answer = isObject(note) ? textAt(note, 'answer') : undefined
  if (!isObject(note) || answer === undefined) return undefined
  const [by, terminal, how] = ['by', 'terminal', 'how'].map((name) => textAt(note, name))
  return {
    answer,
    ...(by === undefined ? {} : { by }),
    ...(terminal === undefined ? {} : { terminal }),
    ...(how === undefined ? {} : { how }),
  }
}
