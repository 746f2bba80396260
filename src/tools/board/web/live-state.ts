import { batch, signal } from '@preact/signals'
import type { Effect } from '../../../core/decision.ts'
import type { ApprovalState, RecordFilter, RecordPage, RecordSummary } from '../api.ts'
import { addRecords, type CallRows, NO_ROWS } from './record-rows.ts'
import { followStream, getJson, type Refusal } from './server-calls.ts'

/** What the live page shows, kept while another page is open. */

export const rows = signal<CallRows>(NO_ROWS)
/** Rows that were put at the top since the list was loaded. */
export const addedBefore = signal(0)
/** The place where older records begin; undefined: there are none. */
const next = signal<number | undefined>(undefined)
export const searchedTo = signal<string | undefined>(undefined)
export const isLoading = signal(false)
export const problem = signal<Refusal | undefined>(undefined)
/** What arrived while the list was paused. */
const waiting = signal<readonly RecordSummary[]>([])
export const isHeld = signal(false)
export const filter = signal<RecordFilter>({})
/** Why the stream is not open; undefined while it is. `null`: not tried yet. */
export const disconnected = signal<Refusal | undefined | null>(null)
export const approvals = signal<ApprovalState>({ board: { kind: 'unconnected' }, pending: [] })
/** Times and effects of the last minutes, for the pulse. */
export const pulse = signal<readonly { readonly atMs: number; readonly effect: Effect }[]>([])
/** The newest stop, for screen readers. */
export const lastStop = signal<RecordSummary | undefined>(undefined)

export const PULSE_MS = 10 * 60_000
const PAGE = 200
const WAITING_MAX = 5_000

let load = 0

/** Loads the newest page. An answer for an earlier filter is dropped. */
async function reload(): Promise<void> {
  load += 1
  const mine = load
  isLoading.value = true
  const page = await getJson<RecordPage>('/api/records', { ...queryOf(filter.value), limit: PAGE })
  if (mine !== load) return
  batch(() => {
    isLoading.value = false
    problem.value = page.ok ? undefined : page.refusal
    if (!page.ok) return
    rows.value = addRecords(NO_ROWS, page.value.rows, 'behind')
    addedBefore.value = 0
    waiting.value = []
    take(page.value)
    if (isWhole(filter.value)) notePulse(page.value.rows)
  })
  // A search that found little goes on by itself, so that rare calls are found in a long journal.
  if (page.ok && rows.value.rows.length < PAGE / 2 && next.value !== undefined) await loadOlder()
}

export async function loadOlder(): Promise<void> {
  if (isLoading.value || next.value === undefined) return
  const mine = load
  isLoading.value = true
  for (let found = 0; found < PAGE / 2 && next.value !== undefined; ) {
    const query = { ...queryOf(filter.value), limit: PAGE, before: next.value }
    const page = await getJson<RecordPage>('/api/records', query)
    if (mine !== load) return
    if (!page.ok) {
      problem.value = page.refusal
      break
    }
    found += page.value.rows.length
    batch(() => {
      rows.value = addRecords(rows.value, page.value.rows, 'behind')
      take(page.value)
    })
  }
  isLoading.value = false
}

function take(page: RecordPage): void {
  next.value = page.next
  searchedTo.value = page.next === undefined ? undefined : page.searchedTo
}

export function setFilter(changed: RecordFilter): void {
  filter.value = changed
  void reload()
}

export function setHeld(value: boolean): void {
  isHeld.value = value
  if (!value) {
    const held = waiting.value
    waiting.value = []
    show(held)
  }
}

export function waitingCount(): number {
  return waiting.value.length
}

/** Records that arrive together are drawn together. */
let arrived: RecordSummary[] = []

function arrive(records: readonly RecordSummary[]): void {
  if (arrived.length === 0) queueMicrotask(flush)
  arrived.push(...records)
}

function flush(): void {
  const records = arrived.reverse()
  arrived = []
  batch(() => {
    notePulse(records)
    lastStop.value = records.find(({ effect }) => effect === 'deny' || effect === 'ask') ?? lastStop.value
    const wanted = records.filter(matches)
    if (isHeld.value) waiting.value = [...wanted, ...waiting.value].slice(0, WAITING_MAX)
    else show(wanted)
  })
}

function show(records: readonly RecordSummary[]): void {
  if (records.length === 0) return
  const before = rows.value
  const after = addRecords(before, records, 'before')
  addedBefore.value += after.rows.length - before.rows.length
  rows.value = after
}

function notePulse(records: readonly RecordSummary[]): void {
  const sinceMs = Date.now() - PULSE_MS
  const fresh = records.map(({ at, effect }) => ({ atMs: Date.parse(at), effect }))
  pulse.value = [...pulse.value, ...fresh].filter(({ atMs }) => atMs > sinceMs)
}

/** The same comparison as the server's. */
function matches(record: RecordSummary): boolean {
  const { effects = [], host, project, tool, text } = filter.value
  const needle = text?.toLowerCase()
  const { input, reason, agentType, because, id, event, session } = record
  const texts = [input, reason, record.tool, agentType, id, event, session, ...because]
  return (
    (effects.length === 0 || effects.includes(record.effect)) &&
    (host === undefined || record.host === host) &&
    (project === undefined || record.project === project) &&
    (tool === undefined || record.tool === tool) &&
    (needle === undefined || texts.some((each) => each?.toLowerCase().includes(needle)))
  )
}

function isWhole(asked: RecordFilter): boolean {
  return Object.values(asked).every(
    (value) => value === undefined || (Array.isArray(value) && value.length === 0),
  )
}

function queryOf({ effects = [], host, project, tool, text }: RecordFilter) {
  return { effect: effects, host, project, tool, text }
}

/** Runs for as long as the page is open. The list is loaded when the stream is open, so that nothing is missing between. */
export function startFollowing(): void {
  void followStream({
    onMessage(message) {
      if (message.kind === 'records') arrive(message.rows)
      else approvals.value = message.state
    },
    onState(refusal) {
      disconnected.value = refusal
      if (refusal === undefined) void reload()
    },
  })
}
