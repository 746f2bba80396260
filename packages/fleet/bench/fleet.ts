import type { ChildProcess } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { testBundle, testKey, testPublish } from '../../../src/tools/bundle/bundle.testing.ts'
import { openFleet } from '../src/collector.ts'
import { startCluster } from '../test/cluster.ts'
import {
  ask,
  type CollectorProcess,
  cpuSeconds,
  loadAverage,
  postmasterPid,
  startCollector,
  startWorker,
} from './processes.ts'
import { seeded } from './sim-journal.ts'
import type { WorkerOrders } from './sim-worker.ts'

/** Machines that are enrolled, poll and push, while collectors are killed and the database is restarted. */
export interface FleetResult {
  readonly machines: number
  readonly minutes: number
  readonly pollSeconds: number
  readonly records: number
  readonly lost: number
  readonly doubled: number
  readonly brokenChains: number
  readonly findings: number
  readonly collectorsKilled: number
  readonly databaseRestarts: number
  /** Seconds until this share of the machines had the new bundle. */
  readonly spreadSeconds: Readonly<Record<string, number>>
  /** CPU milliseconds for each machine and minute of the run. */
  readonly collectorMsPerMachineMinute: number
  readonly postgresMsPerMachineMinute: number
  readonly serverMsPerMachineMinute: number
  readonly recordsPerSecond: number
  readonly load: string
}

export interface FleetOptions {
  readonly machines: number
  readonly minutes: number
  readonly pollSeconds: number
  readonly faults: boolean
  readonly recordsPerSecond: number
  readonly activeShare: number
  print(line: string): void
}

interface Counted {
  readonly machines: number
  readonly records: number
  readonly waiting: number
  readonly atRevision: number
  readonly troubled: number
  readonly firstTrouble?: string
  readonly rssMb: number
}

export async function simulateFleet(options: FleetOptions): Promise<FleetResult> {
  const { machines, minutes, pollSeconds, print } = options
  const shm = process.env.HOLDPOINT_BENCH_FOLDER ?? tmpdir()
  const folder = mkdtempSync(join(shm, 'holdpoint-sim-'))
  const cluster = await startCluster({ settings: { shared_buffers: '1GB', max_wal_size: '4GB' } })
  const collectors: CollectorProcess[] = []
  const key = testKey()
  const published = join(folder, 'published')
  mkdirSync(published)
  const publish = (revision: number) =>
    testPublish(
      published,
      testBundle([key], { revision, created: new Date().toISOString(), expires: '2099-01-01T00:00:00.000Z' }),
      key,
      {
        now: new Date(),
        expires: new Date('2099-01-01'),
      },
    )
  publish(1)
  const files = await serveFiles(published)
  const workers = [startWorker('sim-worker'), startWorker('sim-worker')]
  const count = async (revision: number): Promise<Counted> => {
    const counted = await Promise.all(
      workers.map((worker) => ask<Counted>(worker, { kind: 'count', revision })),
    )
    const sum = (pick: (each: Counted) => number) => counted.reduce((total, each) => total + pick(each), 0)
    const trouble = counted.map(({ firstTrouble }) => firstTrouble).find((text) => text !== undefined)
    return {
      machines: sum((each) => each.machines),
      records: sum((each) => each.records),
      waiting: sum((each) => each.waiting),
      atRevision: sum((each) => each.atRevision),
      troubled: sum((each) => each.troubled),
      ...(trouble === undefined ? {} : { firstTrouble: trouble }),
      rssMb: sum((each) => each.rssMb),
    }
  }
  try {
    for (let each = 0; each < 2; each += 1) collectors.push(await startCollector(cluster.url()))
    const fleet = await openFleet(cluster.url())
    const token = await fleet.createToken({ role: 'push', label: '', team: '' })
    const orders = {
      folder,
      enrollment: { url: files.url, keys: [key.text], pollSeconds, token },
      collectors: collectors.map(({ url }) => url),
      recordsPerSecond: options.recordsPerSecond,
      activeShare: options.activeShare,
      tickEveryMs: TICK_MS,
    }
    const each = Math.ceil(machines / workers.length)
    await Promise.all(
      workers.map((worker, n) => {
        const first = n * each
        const own: WorkerOrders = { ...orders, first, count: Math.min(each, machines - first) }
        return ask(worker, { kind: 'start', orders: own })
      }),
    )
    print(`${machines} machines are started; they fetch their first bundle and register`)
    await untilShare(1, 0.99, count, machines, print)
    const cpu = () => ({
      collector: cost.collector + collectors.reduce((sum, { child }) => sum + cpuSeconds(child.pid ?? 0), 0),
      postgres: cost.postgres + cpuSeconds(postmasterPid(cluster.folder)),
      server: process.cpuUsage().user / 1e6 + process.cpuUsage().system / 1e6,
    })
    /** Of processes that were killed. */
    const cost = { collector: 0, postgres: 0 }
    const [startedMs, cpuBefore, before] = [performance.now(), cpu(), await count(1)]
    const minutesSoFar = () => (performance.now() - startedMs) / 60_000
    const chance = seeded(7)
    let [killed, restarts] = [0, 0]
    let spreadSeconds: Readonly<Record<string, number>> = {}
    const spreading = (async () => {
      await sleep((minutes * 60_000) / 3)
      publish(2)
      print('revision 2 is published')
      spreadSeconds = await untilShare(2, 0.999, count, machines, print, pollSeconds * 8)
    })()
    let nextFaultMs = performance.now() + 60_000
    while (minutesSoFar() < minutes) {
      await sleep(10_000)
      if (options.faults && performance.now() > nextFaultMs) {
        nextFaultMs = performance.now() + 45_000 + chance() * 60_000
        // The first two are one of each, however short the run is.
        const kills = killed === 0 || (restarts > 0 && chance() < 0.6)
        if (kills) {
          killed += 1
          const victim = Math.floor(chance() * collectors.length)
          const { child, url } = collectors[victim] as CollectorProcess
          cost.collector += cpuSeconds(child.pid ?? 0)
          child.kill('SIGKILL')
          await sleep(3_000)
          collectors[victim] = await startCollector(cluster.url(), Number(new URL(url).port))
          print(`collector ${victim + 1} was killed and started again`)
        } else {
          restarts += 1
          cost.postgres += cpuSeconds(postmasterPid(cluster.folder))
          cluster.stop('immediate')
          await cluster.start()
          print('the database was stopped as by a power cut and started again')
        }
      }
      const now = await count(2)
      print(
        `${minutesSoFar().toFixed(1)} min: ${now.records} records, ${now.waiting} waiting, ${now.troubled} troubled${now.firstTrouble === undefined ? '' : ` (${now.firstTrouble.slice(0, 120)})`}, workers ${now.rssMb} MB`,
      )
    }
    await spreading
    const ms = performance.now() - startedMs
    const [cpuAfter, after] = [cpu(), await count(2)]
    for (const worker of workers) worker.send({ kind: 'stop-working' })
    await untilEmpty(count, print)
    const ends = new Map(
      (
        await Promise.all(
          workers.map((worker) => ask<{ ends: [string, number, string][] }>(worker, { kind: 'ends' })),
        )
      )
        .flatMap((answer) => answer.ends)
        .map(([machine, seq, hash]) => [machine, { seq, hash }]),
    )
    const { lost, doubled } = compare(cluster, ends)
    print('verifying every chain')
    const chains = await fleet.verify()
    const findings = await fleet.findings()
    for (const finding of findings.slice(0, 5)) print(JSON.stringify(finding))
    await fleet.close()
    const perMachineMinute = (seconds: number) => (seconds * 1000) / machines / (ms / 60_000)
    return {
      machines,
      minutes: ms / 60_000,
      pollSeconds,
      records: [...ends.values()].reduce((sum, { seq }) => sum + seq, 0),
      lost,
      doubled,
      brokenChains: chains.filter(({ ok }) => !ok).length + Math.max(0, ends.size - chains.length),
      findings: findings.length,
      collectorsKilled: killed,
      databaseRestarts: restarts,
      spreadSeconds,
      collectorMsPerMachineMinute: perMachineMinute(cpuAfter.collector - cpuBefore.collector),
      postgresMsPerMachineMinute: perMachineMinute(cpuAfter.postgres - cpuBefore.postgres),
      serverMsPerMachineMinute: perMachineMinute(cpuAfter.server - cpuBefore.server),
      recordsPerSecond: Math.round((after.records - before.records) / (ms / 1000)),
      load: loadAverage(),
    }
  } finally {
    end(workers, collectors)
    files.close()
    cluster.remove()
    rmSync(folder, { recursive: true, force: true })
  }
}

function end(workers: readonly ChildProcess[], collectors: readonly CollectorProcess[]): void {
  for (const worker of workers) worker.kill('SIGKILL')
  for (const { child } of collectors) child.kill('SIGKILL')
}

/** A daemon looks every second; this is one of the costs of thousands of them in two processes. */
const TICK_MS = 10_000
/** Counting reads a file of every machine. */
const COUNT_EVERY_MS = 3_000

const SHARES = [0.5, 0.9, 0.99, 0.999]

/** When each share of the machines had a revision. */
async function untilShare(
  revision: number,
  share: number,
  count: (revision: number) => Promise<Counted>,
  machines: number,
  print: (line: string) => void,
  maxSeconds = 900,
): Promise<Readonly<Record<string, number>>> {
  const startedMs = performance.now()
  const reached: Record<string, number> = {}
  for (;;) {
    const { atRevision, troubled, firstTrouble } = await count(revision)
    const seconds = Math.round((performance.now() - startedMs) / 100) / 10
    for (const each of SHARES) if (atRevision / machines >= each) reached[`${each * 100} %`] ??= seconds
    if (atRevision / machines >= share) return reached
    if (seconds > maxSeconds) {
      print(
        `after ${seconds} s only ${atRevision} machines have revision ${revision}, ${troubled} troubled: ${firstTrouble ?? ''}`,
      )
      return reached
    }
    await sleep(COUNT_EVERY_MS)
  }
}

/** Until every record is confirmed. */
async function untilEmpty(
  count: (revision: number) => Promise<Counted>,
  print: (line: string) => void,
): Promise<void> {
  for (let tries = 0; tries < 600; tries += 1) {
    const { waiting, firstTrouble } = await count(2)
    if (waiting === 0) return
    if (tries % 10 === 0) print(`${waiting} records wait ${firstTrouble ?? ''}`)
    await sleep(1_000)
  }
  throw new Error('records wait for ten minutes')
}

/** What the machines wrote, against what the database has. */
function compare(
  cluster: Awaited<ReturnType<typeof startCluster>>,
  ends: ReadonlyMap<string, { readonly seq: number; readonly hash: string }>,
): { readonly lost: number; readonly doubled: number } {
  const rows = cluster.sql(`SELECT r.machine, r.rows, r.seqs, encode(c.head_hash, 'hex') FROM
    (SELECT machine, count(*) AS rows, count(DISTINCT (branch, seq)) AS seqs FROM holdpoint.records GROUP BY machine) r
    JOIN holdpoint.chains c USING (machine) WHERE c.branch = 'main'`)
  let [lost, doubled] = [0, 0]
  const seen = new Map(
    rows
      .split('\n')
      .filter(Boolean)
      .map((row) => [row.split('|')[0] ?? '', row.split('|')]),
  )
  for (const [machine, { seq, hash }] of ends) {
    const [, count = '0', distinct = '0', head = ''] = seen.get(machine) ?? []
    lost += Math.max(0, seq - Number(distinct))
    doubled += Number(count) - Number(distinct) + Math.max(0, Number(distinct) - seq)
    if (seq > 0 && head !== hash) lost += 1
  }
  return { lost, doubled }
}

/** What a web server or a bucket does. */
async function serveFiles(folder: string): Promise<{ readonly url: string; close(): void }> {
  const server = createServer((request, response) => {
    try {
      const content = readFileSync(join(folder, request.url ?? ''))
      const etag = `"${content.length}-${content.subarray(-30).toString('hex')}"`
      const isKnown = request.headers['if-none-match'] === etag
      response.writeHead(isKnown ? 304 : 200, { etag }).end(isKnown ? undefined : content)
    } catch {
      response.writeHead(404).end()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
