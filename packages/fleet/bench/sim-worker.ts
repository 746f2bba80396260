import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readInForce } from '../../../src/config/bundle/store.ts'
import { createFleetClient, type FleetClient } from '../../../src/daemon/fleet/client.ts'
import { fileCursor } from '../../../src/daemon/fleet/cursor-file.ts'
import { readMachine } from '../../../src/daemon/fleet/machine.ts'
import { createSessions, createSimJournal, type SimJournal, seeded } from './sim-journal.ts'

/** A process that is many machines: the code that a daemon runs for a fleet, each with its own folder and journal. */

export interface WorkerOrders {
  readonly folder: string
  readonly first: number
  readonly count: number
  readonly enrollment: Readonly<Record<string, unknown>>
  /** Each machine has one of these. */
  readonly collectors: readonly string[]
  /** Records that an active machine writes in a second. */
  readonly recordsPerSecond: number
  /** How many machines have an active agent. */
  readonly activeShare: number
  readonly tickEveryMs: number
}

export type WorkerMessage =
  | { readonly kind: 'start'; readonly orders: WorkerOrders }
  | { readonly kind: 'stop-working' }
  | { readonly kind: 'count'; readonly revision: number }
  | { readonly kind: 'ends' }

interface Sim {
  readonly client: FleetClient
  readonly journal: SimJournal
  readonly folder: string
  readonly cursor: ReturnType<typeof fileCursor>
  readonly next: (now: Date) => ReturnType<ReturnType<typeof createSessions>>
  readonly chance: () => number
}

let sims: readonly Sim[] = []
let isWorking = true

function start(given: WorkerOrders): void {
  sims = Array.from({ length: given.count }, (_, n) => createSim(given, given.first + n))
  const steps = 50
  let step = 0
  // A slice of the machines at a time, so that they do not all speak in the same moment.
  setInterval(() => {
    const from = Math.floor((sims.length * step) / steps)
    const to = Math.floor((sims.length * (step + 1)) / steps)
    for (const sim of sims.slice(from, to)) tick(sim, given)
    step = (step + 1) % steps
  }, given.tickEveryMs / steps)
}

function createSim(given: WorkerOrders, number: number): Sim {
  const folder = join(given.folder, String(number))
  const fleet = join(folder, 'fleet')
  mkdirSync(fleet, { recursive: true })
  const collector = given.collectors[number % given.collectors.length]
  const labels = { team: `team-${number % 25}` }
  const enrollment = {
    ...given.enrollment,
    labels,
    collector: { url: collector, token: given.enrollment.token },
  }
  writeFileSync(join(fleet, 'enrollment.json'), JSON.stringify(enrollment))
  const chance = seeded(number + 1)
  const journal = createSimJournal()
  const cursor = fileCursor(join(fleet, 'push.json'))
  const client = createFleetClient({
    home: { folder, managedConfig: join(folder, 'etc', 'config.yaml'), journal: folder },
    chain: (after, limit) => {
      journal.forget(after)
      return journal.chain(after, limit)
    },
    identity: { hostname: `host-${number}`, user: `user-${number % 5000}`, platform: 'linux-x64' },
    now: () => new Date(),
    chance: Math.random,
  })
  return { client, journal, folder: fleet, cursor, next: createSessions(number, chance), chance }
}

const FACTS = { agents: [{ host: 'claude-code', guarded: true }], paused: false, plan: 'f'.repeat(16) }

function tick(sim: Sim, { recordsPerSecond, activeShare, tickEveryMs }: WorkerOrders): void {
  const now = new Date()
  if (isWorking && sim.chance() < activeShare) {
    const mean = (recordsPerSecond * tickEveryMs) / 1000
    const count = Math.floor(mean * 2 * sim.chance() + 0.5)
    for (let each = 0; each < count; each += 1) sim.journal.add(sim.next(now))
  }
  sim.client.tick(FACTS)
}

process.on('message', (message: WorkerMessage) => {
  if (message.kind === 'start') {
    start(message.orders)
    process.send?.({ kind: 'started' })
  } else if (message.kind === 'stop-working') {
    isWorking = false
  } else if (message.kind === 'count') {
    const confirmed = sims.map(({ cursor, journal }) =>
      Math.max(0, journal.end.seq - (cursor.read()?.seq ?? 0)),
    )
    process.send?.({
      kind: 'counted',
      machines: sims.length,
      records: sims.reduce((sum, { journal }) => sum + journal.end.seq, 0),
      waiting: confirmed.reduce((sum, count) => sum + count, 0),
      atRevision: sims.filter(({ folder }) => (readInForce(folder)?.revision ?? 0) >= message.revision)
        .length,
      troubled: sims.filter(({ client }) => client.trouble() !== undefined).length,
      firstTrouble: sims.map(({ client }) => client.trouble()).find((text) => text !== undefined),
      rssMb: Math.round(process.memoryUsage.rss() / 2 ** 20),
    })
  } else {
    const ends = sims.map(
      ({ folder, journal }) => [readMachine(folder)?.id ?? '', journal.end.seq, journal.end.hash] as const,
    )
    process.send?.({ kind: 'ended', ends })
  }
})
process.on('disconnect', () => process.exit(0))
