import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chownSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openFleet } from '../src/collector.ts'
import { type Cluster, startCluster } from './cluster.ts'
import { createTestMachine, type TestMachine } from './machine.ts'

/** Real collectors as processes, a real PostgreSQL, and what happens to them. Needs the build. */

const PROGRAM = join(import.meta.dirname, '..', '..', '..', 'dist', 'holdpoint.cjs')

interface Process {
  readonly child: ChildProcess
  readonly url: string
}

async function startCollector(database: string, port = 0): Promise<Process> {
  const args = [PROGRAM, 'fleet', 'collector', '--listen', `127.0.0.1:${port}`, '--database', database]
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env.PATH },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const found = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (text) => {
      const [, address] = /listens on (127\.0\.0\.1:\d+)/.exec(String(text)) ?? []
      if (address !== undefined) resolve(address)
    })
    child.on('exit', (code) => reject(new Error(`the collector ended with ${code}`)))
  })
  return { child, url: `http://${found}` }
}

/** Pushes until everything is stored, whatever goes wrong meanwhile. */
async function insist(machine: TestMachine): Promise<void> {
  for (let tries = 0; tries < 2_000; tries += 1) {
    const pushed = await machine.push()
    if (pushed.ok && pushed.value.kind === 'stored' && !pushed.value.more) return
    if (!pushed.ok || pushed.value.kind === 'later') await sleep(50 + Math.random() * 100)
  }
  throw new Error('the records were never stored')
}

describe('with two collectors', () => {
  let cluster: Cluster
  let collectors: Process[]
  let token: string
  beforeAll(async () => {
    // With everything that makes a commit durable.
    cluster = await startCluster({ settings: {} })
    collectors = [await startCollector(cluster.url()), await startCollector(cluster.url())]
    const fleet = await openFleet(cluster.url())
    token = await fleet.createToken({ role: 'push', label: '', team: '' })
    await fleet.close()
  })
  afterAll(() => {
    for (const { child } of collectors) child.kill('SIGKILL')
    cluster.remove()
  })

  it('nothing is lost and nothing is doubled if one is killed and the database loses its power, again and again', async () => {
    let isOver = false
    const anyUrl = () => collectors[Math.floor(Math.random() * collectors.length)]?.url ?? ''
    // The identity does not depend on the collector, so the address in the cursor must not either.
    const machines = Array.from({ length: 30 }, () =>
      createTestMachine({ url: anyUrl, token, name: 'fleet' }),
    )
    const working = machines.map(async (machine) => {
      while (!isOver) {
        machine.add(
          ...Array.from({ length: 1 + Math.floor(Math.random() * 40) }, () => ({ input: 'x'.repeat(300) })),
        )
        await insist(machine)
        await sleep(Math.random() * 200)
      }
    })
    for (let round = 0; round < 4; round += 1) {
      await sleep(1_500)
      const victim = round % 2
      const port = Number(new URL(collectors[victim]?.url ?? '').port)
      collectors[victim]?.child.kill('SIGKILL')
      if (round > 0) {
        cluster.stop('immediate')
        await cluster.start()
      }
      collectors[victim] = await startCollector(cluster.url(), port)
    }
    isOver = true
    await Promise.all(working)
    expect(collectors.map(({ child }) => child.exitCode)).toEqual([null, null])
    const sent = machines.reduce(
      (sum, { journal }) => sum + journal.chain(Number.MAX_SAFE_INTEGER, 0).previous.seq,
      0,
    )
    expect(sent).toBeGreaterThan(1_000)
    expect(
      cluster.sql('SELECT count(*), count(DISTINCT (machine, branch, seq)) FROM holdpoint.records'),
    ).toBe(`${sent}|${sent}`)
    expect(cluster.sql('SELECT sum(decisions) FROM holdpoint.decisions_by_day')).toBe(String(sent))
    const fleet = await openFleet(cluster.url())
    const chains = await fleet.verify()
    expect(chains).toHaveLength(30)
    expect(chains.filter(({ ok }) => !ok)).toEqual([])
    expect(await fleet.findings()).toEqual([])
    await fleet.close()
  })

  it('a collector that is asked to end answers what it has begun', async () => {
    const machine = createTestMachine({ url: () => collectors[0]?.url ?? '', token })
    machine.add(...Array.from({ length: 400 }, () => ({})))
    const pushing = machine.push()
    collectors[0]?.child.kill('SIGTERM')
    await pushing
    const ended = collectors[0]?.child
    if (ended?.exitCode === null) await new Promise((resolve) => ended.once('exit', resolve))
    expect(ended?.exitCode).toBe(0)
    const port = Number(new URL(collectors[0]?.url ?? '').port)
    collectors[0] = await startCollector(cluster.url(), port)
    await insist(machine)
    expect(
      cluster.sql(`SELECT count(*) FROM holdpoint.records WHERE machine = '${machine.machine.id}'`),
    ).toBe('400')
  })
})

describe('on a full disk', () => {
  let disk: string
  let cluster: Cluster
  let collector: Process
  beforeAll(async () => {
    disk = mkdtempSync(join(tmpdir(), 'holdpoint-disk-'))
    mount(['mount', '-t', 'tmpfs', '-o', 'size=200m,mode=1777', 'tmpfs', disk])
    cluster = await startCluster({
      parent: disk,
      settings: {
        fsync: 'off',
        max_wal_size: '32MB',
        min_wal_size: '32MB',
        wal_keep_size: '0',
        checkpoint_timeout: '30s',
        autovacuum: 'off',
      },
    })
    chownSync(disk, cluster.owner.uid, cluster.owner.gid)
    collector = await startCollector(cluster.url())
  })
  afterAll(() => {
    collector?.child.kill('SIGKILL')
    cluster?.remove()
    mount(['umount', '-l', disk])
    rmSync(disk, { recursive: true, force: true })
  })

  it('the machine is told to wait, and loses nothing when there is space again', async () => {
    const fleet = await openFleet(cluster.url())
    const token = await fleet.createToken({ role: 'push', label: '', team: '' })
    await fleet.close()
    const machine = createTestMachine({ url: () => collector.url, token })
    // Something else fills the disk, up to a few megabytes.
    const filler = join(disk, 'filler')
    const { bavail, bsize } = statfsSync(disk)
    writeFileSync(filler, Buffer.alloc(bavail * bsize - 6 * 2 ** 20))
    const noise = () => Array.from({ length: 2_000 }, () => Math.random().toString(36).slice(2, 12)).join('')
    let outcome = ''
    for (let batch = 0; batch < 100 && outcome === ''; batch += 1) {
      machine.add(...Array.from({ length: 50 }, () => ({ input: noise() })))
      const pushed = await machine.push()
      if (!pushed.ok) outcome = pushed.problem.message
      else if (pushed.value.kind === 'later') outcome = 'later'
    }
    expect(outcome).toBe('later')
    rmSync(filler)
    // PostgreSQL may have ended, because it could not write its log.
    if (spawnSync('pg_isready', ['-h', cluster.folder, '-q']).status !== 0) {
      cluster.stop('immediate')
      await cluster.start()
    }
    await insist(machine)
    const { seq } = machine.journal.chain(Number.MAX_SAFE_INTEGER, 0).previous
    expect(cluster.sql('SELECT count(*), count(DISTINCT seq) FROM holdpoint.records')).toBe(`${seq}|${seq}`)
    const after = await openFleet(cluster.url())
    expect(await after.verify()).toMatchObject([{ ok: true, records: seq }])
    await after.close()
  })
})

/** As root, or with sudo where it asks for no password. */
function mount(words: readonly string[]): void {
  const [file = '', ...args] = process.getuid?.() === 0 ? words : ['sudo', '-n', ...words]
  const { status, stderr } = spawnSync(file, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${words.join(' ')}: ${stderr}`)
}
