import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { enrollmentFile, fleetFolder } from '../../config/bundle/enrollment.ts'
import { readCheck } from '../../config/bundle/fleet-status.ts'
import { readInForce } from '../../config/bundle/store.ts'
import { VERSION } from '../../core/version.ts'
import { createMemoryStore } from '../../storage/journal/memory/store.ts'
import { recordOf } from '../../storage/journal/store.contract.ts'
import type { Store } from '../../storage/journal/store.ts'
import { TEST_NOW, testBundle, testKey, testPublish } from '../../tools/bundle/bundle.testing.ts'
import { createFleetClient, type FleetClient, type FleetClientOptions } from './client.ts'
import { fileCursor } from './cursor-file.ts'
import { decodePush, type Push } from './push-format.ts'

const key = testKey()
let folder: string
let published: string
let home: { readonly folder: string; readonly managedConfig: string; readonly journal: string }
let server: Server
let journal: Store | undefined
let nowMs: number
let chance: number
let pushes: Push[]
let registrations: number
/** The status of the next answers; 200 when there are none. */
let statuses: number[]

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-client-'))
  published = join(folder, 'published')
  home = {
    folder: join(folder, 'home'),
    managedConfig: join(folder, 'etc', 'managed.yaml'),
    journal: join(folder, 'journal'),
  }
  journal = createMemoryStore()
  nowMs = TEST_NOW.getTime()
  chance = 0
  pushes = []
  registrations = 0
  statuses = []
  testPublish(published, testBundle([key]), key)
  server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    const status = statuses.shift() ?? 200
    if (status !== 200) return void response.writeHead(status, { 'retry-after': '60' }).end()
    if (request.url !== '/v1/push') {
      registrations += 1
      return void response.end('{}')
    }
    const push = decodePush(gunzipSync(Buffer.concat(parts)))
    if (!push.ok) throw new Error(push.problem.message)
    pushes.push(push.value)
    const { previous, rows } = push.value
    const { seq, hash } = rows.at(-1) ?? previous
    response.end(JSON.stringify({ kind: 'stored', head: { seq, hash } }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterEach(() => {
  server.closeAllConnections()
  server.close()
  rmSync(folder, { recursive: true, force: true })
})

function enroll(more: object = {}): void {
  const { port } = server.address() as AddressInfo
  const collector = { url: `http://127.0.0.1:${port}`, token: 't' }
  const enrollment = { url: published, keys: [key.text], pollSeconds: 60, insecure: true, collector, ...more }
  mkdirSync(fleetFolder(home), { recursive: true })
  writeFileSync(enrollmentFile(fleetFolder(home)), JSON.stringify(enrollment))
}

const client = (more: Partial<FleetClientOptions> = {}): FleetClient =>
  createFleetClient({
    home,
    chain: (after, limit) => journal?.chain(after, limit),
    identity: { hostname: 'laptop' },
    now: () => new Date(nowMs),
    chance: () => chance,
    ...more,
  })

const add = (count: number) =>
  journal?.append(Array.from({ length: count }, (_, i) => recordOf({ id: `r${i}` })))
const sentSeqs = () => pushes.flatMap(({ rows }) => rows.map(({ seq }) => seq))
const inForce = () => readInForce(fleetFolder(home))?.revision
/** How far the answers of the collector were noted. */
const confirmed = () => fileCursor(join(fleetFolder(home), 'push.json')).read()?.seq
const checkedAt = () => readCheck(fleetFolder(home))?.at

/** The same, as time goes on: what was still under way when the clock was set is due a little later. */
const soon = (made: FleetClient, fact: () => void) => until(made, fact, 100)

/** Ticks until what it began has come to this. */
async function until(made: FleetClient, fact: () => void, stepMs = 0): Promise<void> {
  await vi.waitFor(
    () => {
      nowMs += stepMs
      made.tick({})
      fact()
    },
    { interval: 5, timeout: 20_000 },
  )
}

describe('the client of a fleet', () => {
  it('does nothing on a machine that is not enrolled', () => {
    const made = client()
    made.tick({})
    expect([made.trouble(), readdirSync(folder)]).toEqual([undefined, ['published']])
  })

  it('fetches the policy, and sends the records with how the machine is', async () => {
    enroll({ labels: { team: 'web' } })
    add(3)
    const made = client()
    // The first push is the one of this tick.
    made.tick({ agents: 2 })
    await until(made, () => expect([sentSeqs(), inForce()]).toEqual([[1, 2, 3], 1]))
    expect(pushes[0]?.status).toMatchObject({
      hostname: 'laptop',
      agents: 2,
      version: VERSION,
      holes: 0,
      bundle: { channel: 'stable', enforced: false },
    })
    expect([registrations, made.trouble()]).toEqual([1, undefined])
  })

  it('tells the bundle in force, and what is wrong with it', async () => {
    enroll()
    const made = client()
    await until(made, () => expect(inForce()).toBe(1))
    await until(made, () => expect(pushes.length).toBeGreaterThan(0))
    nowMs += 61_000
    add(1)
    await soon(made, () => expect(sentSeqs()).toEqual([1]))
    const expires = '2027-01-01T00:00:00.000Z'
    const bundle = { name: 'acme', revision: 1, expires, channel: 'stable', enforced: false }
    expect(pushes.at(-1)?.status?.bundle).toEqual(bundle)
    rmSync(join(published, 'index.json'))
    nowMs += 130_000
    await soon(made, () => expect(made.trouble()).toContain('no index.json'))
    add(1)
    nowMs += 10_000
    await soon(made, () => expect(sentSeqs()).toEqual([1, 2]))
    expect(pushes.at(-1)?.status?.bundle).toEqual({
      ...bundle,
      problem: expect.stringContaining('no index.json'),
    })
  })

  it('starts within ten seconds, at a time that chance chooses', async () => {
    enroll()
    chance = 0.5
    const made = client()
    made.tick({})
    nowMs += 4999
    made.tick({})
    // What is due starts at once, and makes the identity of the machine before it waits.
    expect(readdirSync(fleetFolder(home))).toEqual(['enrollment.json'])
    nowMs += 1
    made.tick({})
    expect(readdirSync(fleetFolder(home))).toContain('machine.json')
    await until(made, () => expect([pushes.length, inForce()]).toEqual([1, 1]))
  })

  it('asks for the policy once in each period, however often nothing was new', async () => {
    enroll({ collector: undefined })
    const made = client()
    await until(made, () => expect(inForce()).toBe(1))
    for (let round = 0; round < 4; round += 1) {
      // What it began is over, and the next time is set.
      await new Promise((done) => setImmediate(done))
      const before = checkedAt()
      nowMs += 48_000
      await until(made, () => expect([round, checkedAt()]).not.toEqual([round, before]))
    }
  })

  it('sends a machine that has nothing to say once in a while', async () => {
    enroll()
    const made = client()
    await until(made, () => expect([pushes.length, inForce()]).toEqual([1, 1]))
    for (let i = 0; i < 5; i += 1) {
      nowMs += 11_000
      made.tick({})
      await new Promise((done) => setImmediate(done))
    }
    expect(pushes).toHaveLength(1)
    nowMs += 15_000
    await soon(made, () => expect(pushes).toHaveLength(2))
  })

  it('sends records within seconds, at once while there are more', async () => {
    enroll()
    add(1201)
    const made = client()
    await until(made, () => expect(sentSeqs()).toHaveLength(1201))
    expect(pushes.map(({ rows }) => rows.length)).toEqual([500, 500, 201])
    add(1)
    nowMs += 3500
    made.tick({})
    await new Promise((done) => setImmediate(done))
    expect(pushes).toHaveLength(3)
    await soon(made, () => expect(pushes).toHaveLength(4))
  })

  it('lets others have their turn after twenty batches', async () => {
    enroll()
    add(25)
    // A journal that hands out one record at once.
    const chain = (after: number, limit: number) => journal?.chain(after, Math.min(limit, 1))
    const made = client({ chain })
    await until(made, () => expect([confirmed(), checkedAt() === undefined]).toEqual([20, false]))
    nowMs += 3500
    await new Promise((done) => setImmediate(done))
    made.tick({})
    expect(confirmed()).toBe(20)
    await soon(made, () => expect(confirmed()).toBe(25))
  })

  it('does not take a journal that is away for one that was started anew', async () => {
    enroll()
    add(2)
    const made = client()
    await until(made, () => expect([confirmed(), checkedAt() === undefined]).toEqual([2, false]))
    const kept = journal
    journal = undefined
    const before = checkedAt()
    nowMs += 120_000
    await soon(made, () => expect(checkedAt()).not.toBe(before))
    expect(pushes).toHaveLength(1)
    journal = kept
    add(1)
    nowMs += 120_000
    await soon(made, () => expect(sentSeqs()).toEqual([1, 2, 3]))
    expect(pushes.every(({ branch }) => branch === 'main')).toBe(true)
  })

  it('says that it is there before it has a journal', async () => {
    enroll()
    journal = undefined
    const made = client()
    await until(made, () => expect(pushes).toHaveLength(1))
    expect(pushes[0]).toMatchObject({ previous: { seq: 0, hash: '0'.repeat(64) }, rows: [] })
  })

  it('only fetches without a collector', async () => {
    enroll({ collector: undefined })
    add(1)
    const made = client()
    await until(made, () => expect(inForce()).toBe(1))
    expect([registrations, made.trouble()]).toEqual([0, undefined])
  })

  it('waits as long as a collector asks for', async () => {
    enroll()
    statuses = [503]
    add(1)
    const made = client()
    await until(made, () => expect([statuses, checkedAt() === undefined]).toEqual([[], false]))
    const before = checkedAt()
    nowMs += 55_000
    await until(made, () => expect(checkedAt()).not.toBe(before))
    expect([pushes, made.trouble()]).toEqual([[], undefined])
    await soon(made, () => expect(sentSeqs()).toEqual([1]))
  })

  it('says what is wrong until it works again', async () => {
    enroll()
    statuses = [403]
    add(1)
    const made = client()
    await until(made, () => expect(made.trouble()).toContain('status 403'))
    nowMs += 10_000
    await soon(made, () => expect([sentSeqs(), made.trouble()]).toEqual([[1], undefined]))
  })

  it('goes on if the clock was set back', async () => {
    enroll()
    const made = client()
    await until(made, () => expect([pushes.length, inForce()]).toEqual([1, 1]))
    nowMs -= 400 * 24 * 3_600_000
    add(1)
    await soon(made, () => expect(sentSeqs()).toEqual([1]))
  })

  it('begins anew with another enrollment', async () => {
    enroll()
    const made = client()
    await until(made, () => expect([pushes.length, inForce()]).toEqual([1, 1]))
    const other = join(folder, 'other')
    testPublish(other, testBundle([key], { revision: 2 }), key)
    enroll({ url: other })
    await until(made, () => expect(inForce()).toBe(2))
  })

  it('puts files of the policy back that were changed', async () => {
    enroll()
    const made = client()
    await until(made, () => expect(inForce()).toBe(1))
    const config = () =>
      join(fleetFolder(home), 'bundles', readInForce(fleetFolder(home))?.folder ?? '', 'config.yaml')
    const signed = readFileSync(config(), 'utf8')
    made.tick({})
    for (const text of ['version: 1\n', 'version: 1\n# again\n']) {
      writeFileSync(config(), text)
      made.tick({})
      expect(readFileSync(config(), 'utf8')).toBe(signed)
    }
  })
})
