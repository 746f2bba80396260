import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ExportRecord, TelemetryOptions, TelemetrySignal } from '../../core/fleet-package.ts'
import { createMemoryStore } from '../../storage/journal/memory/store.ts'
import { recordOf } from '../../storage/journal/store.contract.ts'
import type { Store } from '../../storage/journal/store.ts'
import { createTelemetryExport } from './export-telemetry.ts'
import { readMachine } from './machine.ts'

let folder: string
let journal: Store | undefined
let nowMs: number
/** What was sent, as the ids of each batch by signal. */
let sent: Partial<Record<TelemetrySignal, string[][]>>
let signals: readonly TelemetrySignal[]
/** Why the receiver takes nothing, by signal. */
let refusals: Partial<Record<TelemetrySignal, unknown>>
let environment: Record<string, string | undefined>
let opened: TelemetryOptions[]
let closed: number
let isInstalled: boolean

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-telemetry-'))
  journal = createMemoryStore()
  nowMs = Date.parse('2026-06-01T12:00:00.000Z')
  sent = {}
  signals = ['logs']
  refusals = {}
  environment = { PATH: '/bin' }
  opened = []
  closed = 0
  isInstalled = true
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function add(count: number, agoMs = 0, session = 's'): void {
  const from = [...(journal?.read({}) ?? [])].length
  const at = new Date(nowMs - agoMs).toISOString()
  journal?.append(Array.from({ length: count }, (_, i) => recordOf({ id: `r${from + i}`, at, session })))
}

function exporting(variables: Readonly<Record<string, string>> = { OTEL_X: '1' }) {
  const made = createTelemetryExport({
    folder,
    journal: () => journal,
    load: () => (isInstalled ? { createTelemetry: telemetry } : undefined),
    environment,
    now: () => new Date(nowMs),
    chance: () => 0.5,
  })
  made.use(variables)
  return made
}

function telemetry(options: TelemetryOptions) {
  opened.push(options)
  return {
    signals,
    async send(signal: TelemetrySignal, records: readonly ExportRecord[]) {
      if (refusals[signal] !== undefined) throw refusals[signal]
      sent[signal] = [...(sent[signal] ?? []), records.map(({ record }) => record.id)]
    },
    async close() {
      closed += 1
      throw new Error('it was away')
    },
  }
}

/** Everything that a tick began has ended. */
async function ticked(made: ReturnType<typeof exporting>, afterMs = 0): Promise<void> {
  nowMs += afterMs
  made.tick()
  for (let i = 0; i < 20; i += 1) await Promise.resolve()
}

const batches = (signal: TelemetrySignal = 'logs') => (sent[signal] ?? []).map(({ length }) => length)
const cursors = () => JSON.parse(readFileSync(join(folder, 'telemetry.json'), 'utf8'))

describe('the export', () => {
  it('sends each record once, and goes on after a restart', async () => {
    add(3)
    const made = exporting()
    await ticked(made)
    await ticked(made, 5000)
    expect(sent.logs).toEqual([['r0', 'r1', 'r2']])
    add(1)
    await ticked(exporting())
    expect(sent.logs?.at(-1)).toEqual(['r3'])
    expect(cursors()).toEqual({ logs: 4 })
    expect(statSync(join(folder, 'telemetry.json')).mode & 0o777).toBe(0o600)
  })

  it('waits about five seconds between two batches, and not at all while a batch was full', async () => {
    add(401)
    const made = exporting()
    await ticked(made)
    await ticked(made)
    await ticked(made)
    expect(batches()).toEqual([200, 200, 1])
    add(1)
    await ticked(made, 4999)
    expect(batches()).toHaveLength(3)
    await ticked(made, 1)
    expect(batches()).toEqual([200, 200, 1, 1])
  })

  it('begins with the last hour', async () => {
    add(2, 3_600_001)
    add(1, 3_599_999)
    await ticked(exporting())
    expect(sent.logs).toEqual([['r2']])
  })

  it('of a journal whose records are all older begins with the next one', async () => {
    add(2, 7_200_000)
    const made = exporting()
    await ticked(made)
    expect([sent.logs, cursors()]).toEqual([undefined, { logs: 2 }])
    nowMs += 7_200_000
    // Not again the last hour: it may be long until something is sent.
    add(1, 3_700_000)
    await ticked(made)
    expect(sent.logs).toEqual([['r2']])
  })

  it('starts again with a journal that was started anew', async () => {
    add(5)
    const made = exporting()
    await ticked(made)
    journal = createMemoryStore()
    add(2)
    await ticked(made, 6000)
    expect(batches()).toEqual([5, 2])
    await ticked(made, 6000)
    expect(batches()).toEqual([5, 2])
  })

  it('waits for a journal', async () => {
    const full = journal
    add(1)
    journal = undefined
    const made = exporting()
    await ticked(made)
    expect(sent).toEqual({})
    expect(opened[0]?.sessionRecords('s')).toEqual([])
    journal = full
    await ticked(made, 6000)
    expect(batches()).toEqual([1])
  })

  it('has one place for each signal, and one that is refused does not stop the others', async () => {
    signals = ['logs', 'traces']
    refusals = { logs: new Error('status 503') }
    add(2)
    const made = exporting()
    await ticked(made)
    expect([batches(), batches('traces')]).toEqual([[], [2]])
    expect(made.trouble()).toBe('telemetry, logs: status 503')
    refusals = { logs: 'no text' }
    await ticked(made, 6000)
    expect(made.trouble()).toBe('telemetry, logs: no text')
    refusals = {}
    add(1)
    // After two failures it waits longer than the signal that works.
    await ticked(made, 5000)
    expect([batches(), batches('traces')]).toEqual([[], [2, 1]])
    await ticked(made, 5000)
    expect([batches(), batches('traces'), made.trouble()]).toEqual([[3], [2, 1], undefined])
    expect(cursors()).toEqual({ logs: 3, traces: 3 })
  })

  it('does not send the same records twice at once', async () => {
    add(1)
    const made = exporting()
    made.tick()
    await ticked(made)
    expect(batches()).toEqual([1])
  })

  it('can read all records of a session, from the first', () => {
    add(2)
    add(1, 0, 'other')
    exporting()
    expect(opened[0]?.sessionRecords('s').map(({ seq, record }) => [seq, record.id])).toEqual([
      [1, 'r0'],
      [2, 'r1'],
    ])
  })

  it('takes no cursor that is no number', async () => {
    add(2)
    writeFileSync(join(folder, 'telemetry.json'), '{"logs":"x","metrics":1,"other":7}')
    await ticked(exporting())
    expect(batches()).toEqual([2])
    expect(cursors()).toEqual({ logs: 2, metrics: 1 })
  })
})

describe('the variables', () => {
  it('replace those of OpenTelemetry, and no others', () => {
    environment = { PATH: '/bin', OTEL_OLD: 'x' }
    exporting({ OTEL_NEW: 'y' })
    expect(environment).toEqual({ PATH: '/bin', OTEL_NEW: 'y' })
    expect(opened[0]?.resource).toEqual({ 'service.instance.id': readMachine(folder)?.id })
  })

  it('that are the same change nothing; others close what was open', () => {
    const made = exporting({ OTEL_X: '1' })
    made.use({ OTEL_X: '1' })
    expect([opened.length, closed]).toEqual([1, 0])
    made.use({ OTEL_X: '2' })
    expect([opened.length, closed, environment.OTEL_X]).toEqual([2, 1, '2'])
  })

  it('that are taken away end the export', async () => {
    add(1)
    const made = exporting()
    made.use({})
    await ticked(made)
    expect([sent, closed, environment]).toEqual([{}, 1, { PATH: '/bin' }])
    expect([made.trouble(), await made.flush()]).toEqual([undefined, 0])
  })

  it('that were never there open nothing', async () => {
    isInstalled = false
    const made = exporting({})
    await ticked(made)
    expect([opened, made.trouble()]).toEqual([[], undefined])
  })

  it('without the package say how to install it', async () => {
    isInstalled = false
    const made = exporting()
    expect(made.trouble()).toContain('@holdpoint/fleet')
    await expect(made.flush()).rejects.toThrow('is not installed')
    await ticked(made)
    isInstalled = true
    made.use({ OTEL_X: '2' })
    expect(made.trouble()).toBeUndefined()
  })

  it.each<[unknown, string]>([
    [new Error('not a protocol'), 'not a protocol'],
    ['a text', 'a text'],
  ])('that the package refuses are said: %s', (thrown, says) => {
    const made = createTelemetryExport({
      folder,
      journal: () => journal,
      load: () => ({
        createTelemetry: () => {
          throw thrown
        },
      }),
      environment,
      now: () => new Date(nowMs),
      chance: () => 0.5,
    })
    made.use({ OTEL_X: '1' })
    expect(made.trouble()).toBe(says)
  })

  it('are used even if this machine cannot have an identity', () => {
    rmSync(folder, { recursive: true })
    writeFileSync(folder, '')
    exporting()
    expect(opened[0]?.resource).toEqual({})
  })
})

describe('flush', () => {
  it('sends everything that is left, and counts the signal with the most', async () => {
    signals = ['logs', 'metrics']
    add(450)
    writeFileSync(join(folder, 'telemetry.json'), '{"metrics":445}')
    expect(await exporting().flush()).toBe(450)
    expect([batches(), batches('metrics')]).toEqual([[200, 200, 50], [5]])
    expect(await exporting().flush()).toBe(0)
  })

  it('fails if the receiver refuses', async () => {
    add(1)
    refusals = { logs: new Error('status 401') }
    await expect(exporting().flush()).rejects.toThrow('status 401')
  })
})
