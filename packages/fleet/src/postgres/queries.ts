import type { Pool } from 'pg'
import type {
  FleetFinding,
  MachineBundle,
  MachineFilter,
  MachineOverview,
  MachineState,
  RolloutRow,
  SessionRecord,
  StopsQuery,
  StopsRow,
} from '../../../../src/core/fleet-package.ts'
import { plain } from '../sink/columns.ts'
import { inTransaction } from './connection.ts'

/** What the board asks. Each question reads one view, with the rights of the role `read`. */

const MACHINES_MAX = 1_000
const STATES: Readonly<Record<number, MachineState>> = {
  1: 'tampered',
  2: 'unguarded',
  3: 'silent',
  4: 'policy problem',
  5: 'outdated',
}

function ask(pool: Pool, sql: string, parameters: readonly unknown[]) {
  return inTransaction(pool, 'read', async ({ client }) => (await client.query(sql, [...parameters])).rows)
}

/** Those that a person should look at first. */
export async function listMachines(
  pool: Pool,
  filter: MachineFilter = {},
): Promise<readonly MachineOverview[]> {
  const { team, urgent = false, limit = MACHINES_MAX } = filter
  const rows = await ask(
    pool,
    `SELECT * FROM holdpoint.machine_overview
     WHERE ($1::text IS NULL OR team = $1) AND (NOT $2 OR urgency < 9)
     ORDER BY revoked, urgency, last_seen DESC NULLS FIRST, machine LIMIT $3`,
    [team === undefined ? null : plain(team), urgent, limit],
  )
  return rows.map((row): MachineOverview => {
    const bundle = bundleOf(row)
    return {
      machine: row.machine,
      hostname: row.hostname,
      user: row.username,
      team: row.team,
      platform: row.platform,
      version: row.version,
      agents: row.agents,
      ...(row.last_seen === null ? {} : { lastSeen: row.last_seen.toISOString() }),
      ...(bundle === undefined ? {} : { bundle }),
      findings: Number(row.open_findings),
      revoked: row.revoked,
      state: STATES[Number(row.urgency)] ?? 'well',
    }
  })
}

export async function countMachineStates(pool: Pool): Promise<Readonly<Record<MachineState, number>>> {
  const rows = await ask(
    pool,
    'SELECT urgency, count(*) AS machines FROM holdpoint.machine_overview WHERE NOT revoked GROUP BY urgency',
    [],
  )
  const count = (urgency: number) =>
    Number(rows.find((row) => Number(row.urgency) === urgency)?.machines ?? 0)
  return {
    tampered: count(1),
    unguarded: count(2),
    silent: count(3),
    'policy problem': count(4),
    outdated: count(5),
    well: count(9),
  }
}

type Row = Readonly<Record<string, unknown>>

function bundleOf(row: Row): MachineBundle | undefined {
  if (row.bundle_name === '') return undefined
  return {
    name: String(row.bundle_name),
    revision: Number(row.bundle_revision),
    channel: String(row.bundle_channel),
    enforced: row.bundle_enforced === true,
    ...(row.bundle_expires instanceof Date ? { expires: row.bundle_expires.toISOString() } : {}),
    ...(row.bundle_problem === '' ? {} : { problem: String(row.bundle_problem) }),
  }
}

const STOPS_BY: Readonly<Record<StopsQuery['by'], string>> = {
  guard: 'guard',
  team: 'team',
  project: 'project',
  day: "to_char(day, 'YYYY-MM-DD')",
}

/** Stops by day are in the order of the days; by anything else, the most first. */
export async function countStops(pool: Pool, query: StopsQuery): Promise<readonly StopsRow[]> {
  const name = STOPS_BY[query.by]
  // A call that two guards stopped counts for each guard, and once for its team, project and day.
  const from = query.by === 'guard' ? 'holdpoint.stops_by_day' : 'holdpoint.decisions_by_day'
  const rows = await ask(
    pool,
    `SELECT ${name} AS name, coalesce(sum(decisions) FILTER (WHERE effect = 'deny'), 0) AS denied,
       coalesce(sum(decisions) FILTER (WHERE effect = 'ask'), 0) AS asked
     FROM ${from}
     WHERE effect IN ('deny', 'ask') AND ($1::date IS NULL OR day >= $1) AND ($2::text IS NULL OR team = $2)
       AND ($3::text IS NULL OR project = $3)
     GROUP BY 1 ORDER BY ${query.by === 'day' ? '1' : '2 DESC, 3 DESC, 1'} LIMIT $4`,
    [query.since ?? null, query.team ?? null, query.project ?? null, query.limit ?? 100],
  )
  return rows.map((row) => ({ name: row.name, denied: Number(row.denied), asked: Number(row.asked) }))
}

export async function readSession(
  pool: Pool,
  session: string,
  limit: number,
): Promise<readonly SessionRecord[]> {
  const rows = await ask(
    pool,
    `SELECT machine, hostname, username, at, intact, record FROM holdpoint.decisions
     WHERE session = $1 AND record <> '' ORDER BY at, machine, seq LIMIT $2`,
    [plain(session), limit],
  )
  return rows.flatMap((row) => {
    const record = parsed(row.record)
    const { machine, hostname, username: user, intact } = row
    return record === undefined ? [] : [{ machine, hostname, user, at: row.at.toISOString(), intact, record }]
  })
}

function parsed(text: string): SessionRecord['record'] | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export async function readRollout(pool: Pool, name: string | undefined): Promise<readonly RolloutRow[]> {
  const rows = await ask(
    pool,
    `SELECT * FROM holdpoint.rollout WHERE $1::text IS NULL OR name = $1 ORDER BY name, revision, minute`,
    [name ?? null],
  )
  return rows.map((row) => ({
    name: row.name,
    revision: Number(row.revision),
    minute: row.minute.toISOString(),
    machines: Number(row.machines),
    machinesSoFar: Number(row.machines_so_far),
  }))
}

export async function openFindings(pool: Pool): Promise<readonly FleetFinding[]> {
  const rows = await ask(
    pool,
    'SELECT * FROM holdpoint.open_findings ORDER BY found_at DESC, machine, seq LIMIT 10000',
    [],
  )
  return rows.map((row) => ({
    machine: row.machine,
    hostname: row.hostname,
    user: row.username,
    kind: row.kind,
    seq: Number(row.seq),
    detail: row.detail,
    foundAt: row.found_at.toISOString(),
  }))
}
