import { randomUUID } from 'node:crypto'
import type { Pool } from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import { MAIN_BRANCH, type Push } from '../../../../src/daemon/fleet/push-format.ts'
import { createMemoryStore } from '../../../../src/storage/journal/memory/store.ts'
import { recordOf } from '../../../../src/storage/journal/store.contract.ts'
import type { JournalRecord, Store } from '../../../../src/storage/journal/store.ts'
import { type Cluster, startCluster } from '../../test/cluster.ts'
import { openFleet } from '../collector.ts'
import { checkPush } from '../sink/place-push.ts'
import type { Sink } from '../sink/sink.ts'
import { inTransaction, openPool } from './connection.ts'
import { migrate, schemaVersion } from './migrate.ts'
import { MIGRATIONS, SCHEMA_VERSION } from './migrations/index.ts'
import { createPostgresSink } from './sink.ts'

let cluster: Cluster
beforeAll(async () => {
  cluster = await startCluster()
})
afterAll(() => cluster.remove())

let pool: Pool
let name: string
async function freshDatabase(): Promise<void> {
  name = `t${randomUUID().replaceAll('-', '')}`
  cluster.createDatabase(name)
  pool = openPool(cluster.url(name))
}
const sql = (text: string) => cluster.sql(text, name)

describe('migrations', () => {
  beforeEach(freshDatabase)

  it('create the schema, and change nothing the second time', async () => {
    expect(await migrate(pool)).toEqual({ from: 0, to: SCHEMA_VERSION })
    const before = sql(
      "SELECT string_agg(relname, ',' ORDER BY relname) FROM pg_class WHERE relnamespace = 'holdpoint'::regnamespace",
    )
    expect(await migrate(pool)).toEqual({ from: SCHEMA_VERSION, to: SCHEMA_VERSION })
    expect(
      sql(
        "SELECT string_agg(relname, ',' ORDER BY relname) FROM pg_class WHERE relnamespace = 'holdpoint'::regnamespace",
      ),
    ).toBe(before)
    await pool.end()
  })

  it('run once if ten collectors start at the same moment', async () => {
    const pools = Array.from({ length: 10 }, () => openPool(cluster.url(name), { max: 1 }))
    const results = await Promise.all(pools.map(migrate))
    expect(results.filter(({ from }) => from === 0)).toHaveLength(1)
    expect(sql('SELECT count(*) FROM holdpoint.schema_version')).toBe(String(MIGRATIONS.length))
    await Promise.all([...pools, pool].map((each) => each.end()))
  })

  it('make the table of a day once if ten collectors want it at the same moment', async () => {
    await migrate(pool)
    const pools = Array.from({ length: 10 }, () => openPool(cluster.url(name), { max: 1 }))
    // Their first question is about a table that is not there yet, and they remember that.
    for (let day = 4; day < 24; day += 1) {
      const ensure = `SELECT holdpoint.ensure_partition(current_date + ${day})`
      await Promise.all(pools.map((each) => each.query(ensure)))
    }
    expect(sql("SELECT count(*) FROM pg_inherits WHERE inhparent = 'holdpoint.records'::regclass")).toBe('20')
    await Promise.all([...pools, pool].map((each) => each.end()))
  })

  it('are all or nothing: a step that fails leaves the version before it', async () => {
    sql('CREATE SCHEMA holdpoint; CREATE TABLE holdpoint.findings (x integer)')
    await expect(migrate(pool)).rejects.toThrow('already exists')
    expect(await schemaVersion(pool)).toBe(0)
    expect(sql("SELECT to_regclass('holdpoint.machines')")).toBe('')
    sql('DROP TABLE holdpoint.findings')
    expect(await migrate(pool)).toEqual({ from: 0, to: SCHEMA_VERSION })
    await pool.end()
  })

  it('do not touch a schema of a newer version, and a collector that is too old stores nothing', async () => {
    await migrate(pool)
    const sink = createPostgresSink(pool)
    sql("INSERT INTO holdpoint.schema_version VALUES (99, 'future')")
    await expect(migrate(pool)).rejects.toThrow('FLEET_SCHEMA')
    await expect(openFleet(cluster.url(name))).rejects.toThrow('version 99')
    await expect(sink.findings()).rejects.toThrow('FLEET_SCHEMA')
    await expect(sink.append([])).rejects.toThrow('FLEET_SCHEMA')
    await pool.end()
  })

  it('name the statements that an administrator has to run if the login may not create roles', async () => {
    const login = `weak_${name}`
    sql(`CREATE ROLE ${login} LOGIN; GRANT CREATE ON DATABASE ${name} TO ${login}`)
    const weak = openPool(cluster.url(name).replace('test@', `${login}@`))
    await expect(migrate(weak)).rejects.toThrow('GRANT holdpoint_push, holdpoint_read, holdpoint_admin')
    sql(`GRANT holdpoint_push, holdpoint_read, holdpoint_admin TO ${login}`)
    expect(await migrate(weak)).toMatchObject({ to: SCHEMA_VERSION })
    await Promise.all([weak.end(), pool.end()])
  })
})

describe('with machines', () => {
  let sink: Sink
  beforeAll(async () => {
    await freshDatabase()
    await migrate(pool)
    sql("INSERT INTO holdpoint.tokens (hash, role) VALUES (encode(sha256('t'), 'hex'), 'push')")
    sink = createPostgresSink(pool)
  })
  afterAll(() => pool.end())

  interface Sender {
    readonly machine: string
    readonly store: Store
    send(status?: Push['status'], ...records: readonly Partial<JournalRecord>[]): Promise<void>
  }

  async function sender(labels: Record<string, string> = {}): Promise<Sender> {
    const machine = randomUUID()
    expect(await sink.register({ machine, publicKey: 'k', token: 't', labels })).toBe('registered')
    const store = createMemoryStore()
    let counter = 0
    let after = 0
    return {
      machine,
      store,
      async send(status = {}, ...records) {
        const now = new Date().toISOString()
        store.append(records.map((record) => recordOf({ id: randomUUID(), at: now, ...record })))
        counter += 1
        const push = {
          machine,
          counter,
          sentAt: now,
          branch: MAIN_BRANCH,
          status,
          ...store.chain(after, 1_000),
        }
        expect(await sink.append([checkPush(push)])).toMatchObject([{ kind: 'stored' }])
        after += records.length
      },
    }
  }

  describe('each role may do what it is for, and nothing else', () => {
    test.each<[Parameters<typeof inTransaction>[1], string, boolean]>([
      ['push', 'SELECT seq, hash FROM holdpoint.records', true],
      ['push', 'SELECT record FROM holdpoint.records', false],
      ['push', "UPDATE holdpoint.records SET record = ''", false],
      ['push', 'DELETE FROM holdpoint.records', false],
      ['push', 'DELETE FROM holdpoint.findings', false],
      ['push', "INSERT INTO holdpoint.tokens (hash, role) VALUES ('x', 'admin')", false],
      ['push', 'CREATE TABLE holdpoint.mine (x integer)', false],
      ['push', 'SELECT holdpoint.ensure_partition(current_date + 1)', true],
      ['push', 'SELECT holdpoint.ensure_partition(current_date + 1000)', false],
      ['read', 'SELECT record FROM holdpoint.records', true],
      ['read', 'SELECT * FROM holdpoint.machine_overview', true],
      ['read', 'SELECT public_key FROM holdpoint.machines', false],
      ['read', 'SELECT * FROM holdpoint.tokens', false],
      ['read', "UPDATE holdpoint.machines SET team = ''", false],
      ['read', 'SELECT holdpoint.ensure_partition(current_date)', false],
      ['admin', 'UPDATE holdpoint.machines SET revoked_at = now() WHERE machine IS NULL', true],
      ['admin', 'SELECT * FROM holdpoint.tokens', true],
      ['admin', 'DELETE FROM holdpoint.records', false],
      ['admin', 'DROP TABLE holdpoint.records', false],
    ])('%s: %s: %s', async (role, text, isAllowed) => {
      const result = inTransaction(pool, role, ({ client }) => client.query(text))
      if (isAllowed) await result
      else await expect(result).rejects.toThrow(/permission denied|must be owner|no partition for/)
    })
  })

  describe('the views', () => {
    it('show machines that a person should look at first', async () => {
      const fleet = await openFleet(cluster.url(name))
      const team = randomUUID()
      const agents = (guarded: boolean) => [{ host: 'claude-code', guarded }]
      const bundle = (revision: number, more = {}) => ({
        name: team,
        revision,
        channel: 'stable',
        enforced: true,
        expires: '2099-01-01T00:00:00.000Z',
        ...more,
      })
      const about = { version: '0.2.0', platform: 'linux-x64', user: 'dev' }
      const well = await sender({ team })
      await well.send({ ...about, hostname: 'well', agents: agents(true), bundle: bundle(2) })
      await (await sender({ team })).send({
        ...about,
        hostname: 'outdated',
        agents: agents(true),
        bundle: bundle(1),
      })
      await (await sender({ team })).send({
        ...about,
        hostname: 'unguarded',
        agents: agents(false),
        bundle: bundle(2),
      })
      await (await sender({ team })).send({
        ...about,
        hostname: 'expired',
        bundle: bundle(2, { expires: '2020-01-01T00:00:00.000Z' }),
      })
      const tampered = await sender({ team })
      tampered.store.append([recordOf({})])
      const { rows, previous } = tampered.store.chain(0, 1)
      await sink.append([
        checkPush({
          ...{
            machine: tampered.machine,
            counter: 1,
            sentAt: new Date().toISOString(),
            branch: 'main',
            previous,
          },
          status: { hostname: 'tampered', bundle: bundle(2) },
          rows: rows.map((row) => ({ ...row, text: row.text.replace('pass', 'deny') })),
        }),
      ])
      await sender({ team })
      const found = await fleet.machines({ team })
      expect(found.map(({ hostname, state }) => [hostname, state])).toEqual([
        ['tampered', 'tampered'],
        ['unguarded', 'unguarded'],
        ['', 'silent'],
        ['expired', 'policy problem'],
        ['outdated', 'outdated'],
        ['well', 'well'],
      ])
      expect(found.at(-1)).toMatchObject({
        machine: well.machine,
        user: 'dev',
        version: '0.2.0',
        agents: agents(true),
        bundle: { revision: 2, enforced: true },
      })
      expect((await fleet.machines({ team, urgent: true })).map(({ state }) => state)).not.toContain('well')
      expect(await fleet.findings()).toMatchObject([{ kind: 'changed', hostname: 'tampered', seq: 1 }])
      expect(await fleet.resolveFindings(tampered.machine, 'test')).toBe(1)
      expect(await fleet.findings()).toEqual([])
      expect(
        (await fleet.rollout(team)).map(({ revision, machinesSoFar }) => [revision, machinesSoFar]),
      ).toEqual([
        [1, 1],
        [2, 4],
      ])
      await fleet.close()
    })

    it('count stops by guard, team, project and day, once for each call', async () => {
      const fleet = await openFleet(cluster.url(name))
      const team = randomUUID()
      const machine = await sender({ team })
      const yesterday = new Date(Date.now() - 24 * 60 * 60 * 1000)
      await machine.send(
        {},
        { effect: 'deny', because: ['g1', 'g2'], project: '/srv/a/shop' },
        { effect: 'ask', because: ['g1'], project: '/srv/b/shop' },
        { effect: 'deny', because: ['g2'], project: 'C:\\work\\bank', at: yesterday.toISOString() },
        { effect: 'pass' },
      )
      const by = async (what: 'guard' | 'project' | 'day' | 'team') =>
        (await fleet.stops({ by: what, team })).map(({ name: row, denied, asked }) => [row, denied, asked])
      expect(await by('guard')).toEqual([
        ['g2', 2, 0],
        ['g1', 1, 1],
      ])
      expect(await by('project')).toEqual([
        ['shop', 1, 1],
        ['bank', 1, 0],
      ])
      expect(await by('team')).toEqual([[team, 2, 1]])
      expect((await by('day')).map(([day]) => day)).toEqual([
        yesterday.toISOString().slice(0, 10),
        new Date().toISOString().slice(0, 10),
      ])
      expect(await fleet.stops({ by: 'guard', team, project: 'bank' })).toEqual([
        { name: 'g2', denied: 1, asked: 0 },
      ])
      await fleet.close()
    })

    it('find one session on all machines, in the order of time', async () => {
      const fleet = await openFleet(cluster.url(name))
      const session = randomUUID()
      const [first, second] = [await sender(), await sender()]
      const at = (second: number) => new Date(Date.now() - 60_000 + second * 1000).toISOString()
      await first.send({ hostname: 'one' }, { id: 'a', session, at: at(1) }, { id: 'c', session, at: at(3) })
      await second.send({ hostname: 'two' }, { id: 'b', session, at: at(2) })
      const found = await fleet.session(session, 100)
      expect(found.map(({ hostname, record }) => [hostname, (record as { id: string }).id])).toEqual([
        ['one', 'a'],
        ['two', 'b'],
        ['one', 'c'],
      ])
      await fleet.close()
    })
  })

  it('tokens register as many machines as they say, until they expire or are revoked', async () => {
    const fleet = await openFleet(cluster.url(name))
    const once = await fleet.createToken({ role: 'push', label: 'laptops', team: 'payments', uses: 1 })
    const old = await fleet.createToken({
      role: 'push',
      label: '',
      team: '',
      expiresAt: new Date(Date.now() - 1000),
    })
    const reader = await fleet.createToken({ role: 'read', label: '', team: '' })
    const register = (token: string) =>
      sink.register({ machine: randomUUID(), publicKey: 'k', token, labels: { team: 'mine' } })
    expect(await register(once)).toBe('registered')
    expect(await register(once)).toBe('token')
    expect(await register(old)).toBe('token')
    expect(await register(reader)).toBe('token')
    expect(sql("SELECT count(*) FROM holdpoint.machines WHERE team = 'payments'")).toBe('1')
    expect(await sink.roleOf(reader)).toBe('read')
    const listed = (await fleet.tokens()).find(({ role }) => role === 'read')
    expect(JSON.stringify(await fleet.tokens())).not.toContain(reader)
    expect(await fleet.revokeToken(listed?.id ?? '')).toBe(true)
    expect(await fleet.revokeToken(listed?.id ?? '')).toBe(false)
    expect(await sink.roleOf(reader)).toBeUndefined()
    await fleet.close()
  })

  it('erasing with a rewrite leaves nothing of a record in the files of the database', async () => {
    const machine = await sender()
    const secret = `secret-${randomUUID()}`
    await machine.send(
      { user: secret, hostname: secret },
      { id: secret, input: secret, session: secret },
      { id: 'stays' },
    )
    expect(await sink.erase({ user: secret }, 'test', { rewrite: true })).toBe(2)
    sql('CHECKPOINT')
    const files = sql(
      `SELECT pg_relation_filepath(c.oid) FROM pg_class c WHERE relnamespace = 'holdpoint'::regnamespace AND relkind IN ('r', 'i')`,
    )
    const { readFileSync } = await import('node:fs')
    for (const file of files.split('\n')) {
      expect(readFileSync(`${cluster.folder}/data/${file}`).includes(secret)).toBe(false)
    }
    expect(sql(`SELECT count(*) FROM holdpoint.machines WHERE username = '${secret}'`)).toBe('0')
    expect(sql('SELECT by, records FROM holdpoint.erasures ORDER BY at DESC LIMIT 1')).toBe('test|2')
    expect(await sink.verify(machine.machine)).toMatchObject([{ ok: true, erased: 2 }])
  })

  describe('retention', () => {
    it('drops whole days, erases projects with a shorter limit, and every chain still verifies', async () => {
      const machine = await sender()
      await machine.send({}, { id: 'shop1', project: '/x/shop' }, { id: 'bank1', project: '/x/bank' })
      await machine.send({}, { id: 'shop2', project: '/x/shop' }, { id: 'bank2', project: '/x/bank' })
      // As if the first push had arrived 20 days ago.
      age(machine.machine, 2, 20)
      const limits = { keepDays: 10, projects: { bank: 365 } }
      expect(await sink.retain(limits, new Date())).toMatchObject({ days: 0, erased: 1 })
      expect(await idsOf(machine.machine)).toEqual(['bank1', 'shop2', 'bank2'])
      expect(await sink.verify(machine.machine)).toMatchObject([{ ok: true, records: 4, erased: 1 }])
      expect(await sink.retain({ keepDays: 10, projects: {} }, new Date())).toMatchObject({ days: 1 })
      expect(await idsOf(machine.machine)).toEqual(['shop2', 'bank2'])
      expect(await sink.verify(machine.machine)).toMatchObject([{ ok: true, records: 2, erased: 0 }])
      await machine.send({}, { id: 'later' })
      expect(await sink.verify(machine.machine)).toMatchObject([{ ok: true, records: 3 }])
    })

    it('compares a push with what is left, and does not ask for what was dropped', async () => {
      const machine = await sender()
      await machine.send({}, { id: 'a' }, { id: 'b' })
      age(machine.machine, 2, 30)
      await sink.retain({ keepDays: 10, projects: {} }, new Date())
      machine.store.append([recordOf({ id: 'c' })])
      const again = {
        machine: machine.machine,
        counter: 9,
        sentAt: new Date().toISOString(),
        branch: 'main',
        ...machine.store.chain(0, 10),
      }
      expect(await sink.append([checkPush(again)])).toMatchObject([{ kind: 'stored', head: { seq: 3 } }])
      expect(await idsOf(machine.machine)).toEqual(['c'])
      expect(await sink.hashes(machine.machine, 'main', [1, 2, 3])).toMatchObject({ oldest: 3 })
    })

    function age(machine: string, upTo: number, days: number): void {
      sql(`SELECT holdpoint.ensure_partition(current_date - ${days});
        UPDATE holdpoint.records SET received_on = current_date - ${days} WHERE machine = '${machine}' AND seq <= ${upTo}`)
    }
    async function idsOf(machine: string): Promise<readonly string[]> {
      const ids: string[] = []
      for await (const { record } of sink.read({ machine })) ids.push(record.id)
      return ids
    }
  })

  it('finds what somebody changes in the database itself', async () => {
    const machine = await sender()
    await machine.send({}, { id: 'a', effect: 'deny' }, { id: 'b' }, { id: 'c' })
    const check = async () => (await sink.verify(machine.machine))[0]
    const tamper = (text: string) => sql(`${text} machine = '${machine.machine}' AND seq = 2`)
    tamper('UPDATE holdpoint.records SET record = replace(record, \'"b"\', \'"x"\') WHERE')
    expect(await check()).toMatchObject({ ok: false, brokenAt: 2 })
    tamper('DELETE FROM holdpoint.records WHERE')
    expect(await check()).toMatchObject({ ok: false, brokenAt: 2, message: 'record 2 is missing' })
    sql(`DELETE FROM holdpoint.records WHERE machine = '${machine.machine}'`)
    expect(await check()).toMatchObject({ ok: false, brokenAt: 1 })
  })
})
