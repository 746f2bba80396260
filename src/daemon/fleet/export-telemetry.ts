import { join } from 'node:path'
import { isCount } from '../../config/bundle/keys.ts'
import {
  type ExportRecord,
  TELEMETRY_SIGNALS,
  type Telemetry,
  type TelemetryPackage,
  type TelemetrySignal,
} from '../../core/fleet-package.ts'
import type { Store } from '../../storage/journal/store.ts'
import { writeWhole } from '../../system/files.ts'
import { readOwnJson } from '../../system/own-json.ts'
import { ensureMachine } from './machine.ts'
import { createSchedule, type Schedule } from './schedule.ts'

export interface TelemetryExportOptions {
  /** For the cursor. */
  readonly folder: string
  journal(): Store | undefined
  /** Undefined: the package is not installed. */
  load(): TelemetryPackage | undefined
  /** The variables of this thread, which the exporters read. */
  readonly environment: Record<string, string | undefined>
  now(): Date
  chance(): number
}

export interface TelemetryExport {
  /** The variables of OpenTelemetry from the configuration. None: nothing is exported. */
  use(variables: Readonly<Record<string, string>>): void
  tick(): void
  /** Sends everything that is left, and returns how many records that were; for a command that ends afterwards. */
  flush(): Promise<number>
  trouble(): string | undefined
}

const BATCH = 200
const EVERY_MS = 5_000
/** How much of the past is sent when the export is switched on. */
const FIRST_MS = 60 * 60 * 1000
/** A session that is longer than this has a trace without its first calls. */
const SESSION_MAX = 5_000

/**
 * Sends records to an OpenTelemetry receiver, at least once. The journal is the queue: a cursor for each signal says how
 * far the receiver has confirmed it. If the receiver is away, the journal keeps its records as long as it always does.
 */
export function createTelemetryExport(options: TelemetryExportOptions): TelemetryExport {
  const { journal, now, chance, environment } = options
  let key = '{}'
  let telemetry: Telemetry | undefined
  let wrong: string | undefined
  let isBusy = false
  const schedules = new Map<TelemetrySignal, { readonly schedule: Schedule; dueMs: number; wrong?: string }>()

  function open(variables: Readonly<Record<string, string>>): void {
    telemetry = undefined
    schedules.clear()
    for (const name of Object.keys(environment)) if (name.startsWith('OTEL_')) delete environment[name]
    Object.assign(environment, variables)
    if (Object.keys(variables).length === 0) return
    const loaded = options.load()
    if (loaded === undefined) {
      wrong =
        'telemetry is configured, but the package @holdpoint/fleet is not installed. Install it next to Holdpoint, then run: holdpoint init'
      return
    }
    const machine = ensureMachine(options.folder)
    const resource: Record<string, string> = machine.ok ? { 'service.instance.id': machine.value.id } : {}
    telemetry = loaded.createTelemetry({ resource, sessionRecords })
    for (const signal of telemetry.signals) {
      schedules.set(signal, { schedule: createSchedule(EVERY_MS, chance), dueMs: 0 })
    }
  }

  function sessionRecords(session: string): readonly ExportRecord[] {
    return [...(journal()?.read({ session, limit: SESSION_MAX }) ?? [])]
  }

  /** Returns how many records were sent; fewer than a batch means that there are no more. */
  async function sendNext(sender: Telemetry, signal: TelemetrySignal): Promise<number> {
    const store = journal()
    if (store === undefined) return 0
    const cursors = readCursors(options.folder)
    const known = cursors[signal] ?? firstSeq(store, now())
    // A journal that was started anew begins to count again.
    const after = known > lastSeq(store) ? 0 : known
    const records = nextRecords(store, after)
    const last = records.at(-1)
    if (last === undefined) {
      if (cursors[signal] === undefined) writeCursor(options.folder, signal, after)
      return 0
    }
    await sender.send(signal, records)
    writeCursor(options.folder, signal, last.seq)
    return records.length
  }

  async function sendDue(sender: Telemetry): Promise<void> {
    for (const [signal, state] of schedules) {
      if (now().getTime() < state.dueMs) continue
      try {
        const sent = await sendNext(sender, signal)
        delete state.wrong
        state.dueMs = sent === BATCH ? 0 : now().getTime() + state.schedule.afterMs({ kind: 'done' })
      } catch (error) {
        state.wrong = `telemetry, ${signal}: ${error instanceof Error ? error.message : String(error)}`
        state.dueMs = now().getTime() + state.schedule.afterMs({ kind: 'failed' })
      }
    }
  }

  return {
    use(variables) {
      const next = JSON.stringify(variables)
      if (next === key) return
      key = next
      wrong = undefined
      const before = telemetry
      void before?.close().catch(() => {})
      try {
        open(variables)
      } catch (error) {
        wrong = error instanceof Error ? error.message : String(error)
      }
    },
    tick() {
      if (telemetry === undefined || isBusy) return
      isBusy = true
      void sendDue(telemetry).finally(() => {
        isBusy = false
      })
    },
    async flush() {
      if (wrong !== undefined) throw new Error(wrong)
      let most = 0
      for (const signal of telemetry?.signals ?? []) {
        let total = 0
        for (let sent = BATCH; telemetry !== undefined && sent === BATCH; total += sent) {
          sent = await sendNext(telemetry, signal)
        }
        most = Math.max(most, total)
      }
      return most
    },
    trouble: () => wrong ?? [...schedules.values()].find((state) => state.wrong !== undefined)?.wrong,
  }
}

function nextRecords(store: Store, after: number): readonly ExportRecord[] {
  const records: ExportRecord[] = []
  for (const { seq, record } of store.read({ after })) {
    records.push({ seq, record })
    if (records.length === BATCH) break
  }
  return records
}

/** The place before the records of the last hour. */
function firstSeq(store: Store, now: Date): number {
  const [first] = store.read({ since: new Date(now.getTime() - FIRST_MS).toISOString() })
  return first === undefined ? lastSeq(store) : first.seq - 1
}

function lastSeq(store: Store): number {
  return store.chain(Number.MAX_SAFE_INTEGER, 0).previous.seq
}

type Cursors = Partial<Record<TelemetrySignal, number>>

function cursorFile(folder: string): string {
  return join(folder, 'telemetry.json')
}

function readCursors(folder: string): Cursors {
  const value = readOwnJson(cursorFile(folder)) ?? {}
  return Object.fromEntries(
    TELEMETRY_SIGNALS.flatMap((signal) => {
      const seq = value[signal]
      return isCount(seq) ? [[signal, seq]] : []
    }),
  )
}

function writeCursor(folder: string, signal: TelemetrySignal, seq: number): void {
  writeWhole(cursorFile(folder), `${JSON.stringify({ ...readCursors(folder), [signal]: seq })}\n`, 0o600)
}
