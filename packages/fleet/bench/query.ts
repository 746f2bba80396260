import { openFleet } from '../src/collector.ts'
import { openPool } from '../src/postgres/connection.ts'
import { migrate } from '../src/postgres/migrate.ts'
import { startCluster } from '../test/cluster.ts'
import { loadAverage } from './processes.ts'

/** How long the questions of a board take on many rows, which SQL makes up. */
export interface QueryResult {
  readonly rows: number
  readonly generatedSeconds: number
  readonly gigabytes: number
  /** Milliseconds: the first time, with a cold cache of the plan, and the worst of ten. */
  readonly times: Readonly<Record<string, readonly [first: number, worst: number]>>
  readonly load: string
}

const MACHINES = 10_000
const DAYS = 25

export async function measureQueries(rows: number, print: (line: string) => void): Promise<QueryResult> {
  // Nothing has to survive a power cut here.
  const cluster = await startCluster({
    settings: {
      fsync: 'off',
      full_page_writes: 'off',
      wal_level: 'minimal',
      max_wal_senders: '0',
      shared_buffers: '2GB',
      maintenance_work_mem: '1GB',
      max_wal_size: '8GB',
    },
  })
  try {
    const pool = openPool(cluster.url())
    await migrate(pool)
    await pool.end()
    const startedMs = performance.now()
    generate(cluster, rows, print)
    const generatedSeconds = (performance.now() - startedMs) / 1000
    const fleet = await openFleet(cluster.url())
    const sinceDay = new Date(Date.now() - 20 * 24 * 60 * 60 * 1000).toISOString().slice(0, 10)
    const reader = openPool(cluster.url())
    const questions: Readonly<Record<string, () => Promise<{ readonly length: number }>>> = {
      'machines, urgent first': () => fleet.machines({ limit: 200 }),
      'stops by guard, 20 days': () => fleet.stops({ by: 'guard', since: sinceDay }),
      'stops by team, 20 days': () => fleet.stops({ by: 'team', since: sinceDay }),
      'stops by project, 20 days': () => fleet.stops({ by: 'project', since: sinceDay }),
      'stops by day, 20 days': () => fleet.stops({ by: 'day', since: sinceDay }),
      'one session on all machines': () => fleet.session('session-123456', 1000),
      'rollout of a bundle': () => fleet.rollout('acme'),
      'open findings': () => fleet.findings(),
      'the newest 100 stops': async () =>
        (
          await reader.query(
            "SELECT at, machine, tool, effect, hooks FROM holdpoint.decisions WHERE effect IN ('deny', 'ask') ORDER BY at DESC LIMIT 100",
          )
        ).rows,
      'the newest 100 decisions': async () =>
        (
          await reader.query(
            'SELECT at, machine, tool, effect FROM holdpoint.decisions ORDER BY at DESC LIMIT 100',
          )
        ).rows,
      'the last 100 records of a machine': async () =>
        (
          await reader.query(
            "SELECT seq, at, tool FROM holdpoint.records WHERE machine = (SELECT machine FROM holdpoint.machines LIMIT 1) AND branch = 'main' ORDER BY seq DESC LIMIT 100",
          )
        ).rows,
    }
    const times: Record<string, readonly [number, number]> = {}
    for (const [name, question] of Object.entries(questions)) {
      const taken: number[] = []
      let length = 0
      for (let round = 0; round < 10; round += 1) {
        const fromMs = performance.now()
        length = (await question()).length
        taken.push(performance.now() - fromMs)
      }
      times[name] = [Math.round(taken[0] ?? 0), Math.round(Math.max(...taken))]
      print(`${name}: ${length} rows, first ${times[name]?.[0]} ms, worst ${times[name]?.[1]} ms`)
    }
    await reader.end()
    await fleet.close()
    const bytes = Number(cluster.sql('SELECT pg_database_size(current_database())'))
    return { rows, generatedSeconds, gigabytes: bytes / 2 ** 30, times, load: loadAverage() }
  } finally {
    cluster.remove()
  }
}

type Cluster = Awaited<ReturnType<typeof startCluster>>

/**
 * Day by day, and the indexes at the end: as many rows as a fleet of ten thousand machines writes in weeks. The text of
 * a record is shorter than a real one, because only the page of a session reads it.
 */
function generate(cluster: Cluster, rows: number, print: (line: string) => void): void {
  cluster.sql(`INSERT INTO holdpoint.machines (machine, public_key, team, hostname, username, platform, version, last_seen,
      bundle_name, bundle_revision, bundle_channel, bundle_enforced, bundle_expires)
    SELECT md5(n::text)::uuid, 'key', 'team-' || n % 25, 'host-' || n, 'user-' || n % 5000, 'linux-x64', '0.2.0',
      now() - n * interval '9 seconds', 'acme', 40 + (n % 50 = 0)::integer * -1, 'stable', true, now() + interval '30 days'
    FROM generate_series(1, ${MACHINES}) n;
    INSERT INTO holdpoint.machine_bundles SELECT machine, 'acme', bundle_revision, now() - random() * interval '10 minutes' FROM holdpoint.machines;
    DROP INDEX holdpoint.records_session, holdpoint.records_at, holdpoint.records_stops;
    ALTER TABLE holdpoint.records DROP CONSTRAINT records_pkey`)
  const perDay = Math.ceil(rows / DAYS)
  for (let day = 0; day < DAYS; day += 1) {
    // One transaction: rows of a table that is created in it are not written to the log as well.
    cluster.sql(`BEGIN; SELECT holdpoint.ensure_partition(current_date - ${DAYS - day});
      INSERT INTO holdpoint.records SELECT current_date - ${DAYS - day}, md5((n % ${MACHINES} + 1)::text)::uuid, 'main',
        ${day}::bigint * ${perDay} + n, current_date - ${DAYS - day} + (n::float8 / ${perDay}) * interval '1 day',
        'id-' || n, 'claude-code', CASE n % 2 WHEN 0 THEN 'PreToolUse' ELSE 'PostToolUse' END,
        'session-' || ((${day}::bigint * ${perDay} + n) / 100), 'main', '', (ARRAY['Bash','Read','Edit','Write','Grep'])[n % 5 + 1],
        CASE WHEN n % 50 = 0 THEN 'deny' WHEN n % 50 = 1 THEN 'ask' ELSE 'pass' END, 'project-' || n % 40, '/home/dev/project-' || n % 40,
        CASE WHEN n % 50 < 2 THEN ARRAY['safety/git/force-push'] ELSE '{}' END, 1.5, 'ffffffffffffffff', true,
        '\\x${'ab'.repeat(32)}', '\\x${'cd'.repeat(32)}', '\\x00112233445566778899aabbccddeeff',
        '{"id":"id-' || n || '","effect":"pass","tool":"Bash","input":"npm test -- --run src"}'
      FROM generate_series(1::bigint, ${perDay}) n; COMMIT`)
    print(`${(day + 1) * perDay} rows`)
  }
  cluster.sql(`ALTER TABLE holdpoint.records ADD PRIMARY KEY (machine, branch, seq, received_on);
    CREATE INDEX records_session ON holdpoint.records (session, at);
    CREATE INDEX records_at ON holdpoint.records (at);
    CREATE INDEX records_stops ON holdpoint.records (at) WHERE effect IN ('deny', 'ask')`)
  print('indexes are there')
  cluster.sql(`INSERT INTO holdpoint.daily
    SELECT current_date - d, 'team-' || t, 'project-' || p, g, e, s, 1 + (random() * 40)::integer
    FROM generate_series(1, ${DAYS}) d, generate_series(0, 24) t, generate_series(0, 39) p,
      (VALUES ('', 'deny'), ('', 'ask'), ('', 'pass'), ('safety/git/force-push', 'deny'), ('safety/git/force-push', 'ask')) AS x (g, e),
      generate_series(0, 1) s;
    ANALYZE`)
}
