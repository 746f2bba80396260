import { setTimeout as sleep } from 'node:timers/promises'
import { openFleet } from '../src/collector.ts'
import { startCluster } from '../test/cluster.ts'
import {
  ask,
  type CollectorProcess,
  cpuSeconds,
  loadAverage,
  postmasterPid,
  rssMb,
  startCollector,
  startWorker,
} from './processes.ts'

/** How many decisions two collectors take in a second, with machines that always have more to send. */
export interface IngestResult {
  readonly machines: number
  /** Records in a push. */
  readonly batch: number
  readonly seconds: number
  readonly rows: number
  readonly rowsPerSecond: number
  /** By collector: at the beginning (after a warm-up), the most, at the end. */
  readonly memoryMb: readonly (readonly [first: number, most: number, last: number])[]
  readonly collectorCpu: number
  readonly postgresCpu: number
  readonly generatorCpu: number
  readonly bytesPerRow: number
  readonly load: string
  /** In each tenth of the run. */
  readonly curve: readonly number[]
}

const BATCH_MAX = 250

export interface IngestOptions {
  readonly machines: number
  readonly seconds: number
  /** Before anything is measured. */
  readonly warmUpSeconds: number
  /** Batches are made for so many records a second: more than two cores can take, so that nobody runs out of them. */
  readonly recordsPerSecondMax: number
  readonly print: (line: string) => void
}

export async function measureIngest(options: IngestOptions): Promise<IngestResult> {
  const { machines, seconds, warmUpSeconds, recordsPerSecondMax, print } = options
  const cluster = await startCluster({
    settings: { shared_buffers: '1GB', max_wal_size: '4GB', checkpoint_timeout: '5min' },
  })
  const collectors: CollectorProcess[] = []
  const workers = [startWorker('ingest-worker'), startWorker('ingest-worker')]
  try {
    for (let each = 0; each < 2; each += 1) collectors.push(await startCollector(cluster.url()))
    const fleet = await openFleet(cluster.url())
    const token = await fleet.createToken({ role: 'push', label: '', team: '' })
    await fleet.close()
    const each = Math.ceil(machines / workers.length)
    const rows = recordsPerSecondMax * (seconds + warmUpSeconds)
    const batch = Math.max(10, Math.min(BATCH_MAX, Math.ceil(rows / machines / 2)))
    const rounds = Math.ceil(rows / machines / batch)
    print(`makes ${rounds} batches of ${batch} records for each of ${machines} machines`)
    await Promise.all(
      workers.map((worker, n) =>
        ask(worker, {
          kind: 'start',
          url: collectors[n]?.url,
          token,
          machines: each,
          first: n * each,
          batch,
          rounds,
        }),
      ),
    )
    print(`${machines} machines are registered`)
    for (const worker of workers) worker.send({ kind: 'go' })
    await sleep(warmUpSeconds * 1000)
    const pids = collectors.map(({ child }) => child.pid ?? 0)
    const database = postmasterPid(cluster.folder)
    const cpu = () => ({
      collector: pids.reduce((sum, pid) => sum + cpuSeconds(pid), 0),
      postgres: cpuSeconds(database),
      generator: workers.reduce((sum, { pid }) => sum + cpuSeconds(pid ?? 0), 0),
    })
    const stored = () => Number(cluster.sql('SELECT coalesce(sum(head_seq), 0) FROM holdpoint.chains'))
    const memory = pids.map((pid) => [rssMb(pid)])
    const [before, cpuBefore, startedMs] = [stored(), cpu(), performance.now()]
    const curve: number[] = []
    for (let part = 0; part < 10; part += 1) {
      const [partRows, partMs] = [stored(), performance.now()]
      await sleep((seconds * 1000) / 10)
      for (const [n, pid] of pids.entries()) memory[n]?.push(rssMb(pid))
      curve.push(Math.round((stored() - partRows) / ((performance.now() - partMs) / 1000)))
      print(`${curve.at(-1)} rows/s, memory ${memory.map((list) => list.at(-1)).join(' and ')} MB`)
    }
    const [after, cpuAfter, ms] = [stored(), cpu(), performance.now() - startedMs]
    await Promise.all(workers.map((worker) => ask(worker, { kind: 'stop' })))
    const counted = Number(cluster.sql('SELECT count(*) FROM holdpoint.records'))
    const heads = stored()
    if (counted !== heads) throw new Error(`${counted} rows are stored, and the chains have ${heads}`)
    const bytes = Number(
      cluster.sql(
        "SELECT sum(pg_total_relation_size(inhrelid)) FROM pg_inherits WHERE inhparent = 'holdpoint.records'::regclass",
      ),
    )
    return {
      machines,
      batch,
      seconds: ms / 1000,
      rows: after - before,
      rowsPerSecond: Math.round((after - before) / (ms / 1000)),
      memoryMb: memory.map((list) => [list[0] ?? 0, Math.max(...list), list.at(-1) ?? 0] as const),
      collectorCpu: cpuAfter.collector - cpuBefore.collector,
      postgresCpu: cpuAfter.postgres - cpuBefore.postgres,
      generatorCpu: cpuAfter.generator - cpuBefore.generator,
      bytesPerRow: Math.round(bytes / counted),
      load: loadAverage(),
      curve,
    }
  } finally {
    for (const worker of workers) worker.kill('SIGKILL')
    for (const { child } of collectors) child.kill('SIGKILL')
    cluster.remove()
  }
}
