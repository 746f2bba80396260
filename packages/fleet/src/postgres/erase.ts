import type { Pool, PoolClient } from 'pg'
import { plain } from '../sink/columns.ts'
import type { EraseSelection, RetentionLimits, RetentionResult } from '../sink/sink.ts'
import { inTransaction } from './connection.ts'

/** What remains of a record: its time, its place in the chain and its digest, which says nothing without the salt. */
const NOTHING = `id = '', host = '', event = '', session = '', agent = '', agent_type = '', tool = '', effect = '',
  project = '', project_path = '', hooks = '{}', duration_ms = 0, revision = '', salt = '', record = ''`
/** Records of 0.1.0 have no digest: their text is part of the chain. */
const ERASABLE = "record <> '' AND digest <> ''"

/**
 * `rewrite`: also write the files of the affected days anew, which takes time and stops pushes to them meanwhile. Without
 * it, the old bytes stay in free space of the files until PostgreSQL uses that space again.
 */
export async function eraseRecords(
  pool: Pool,
  selection: EraseSelection,
  by: string,
  { rewrite = false }: { readonly rewrite?: boolean } = {},
): Promise<number> {
  const [condition, value] = conditionOf(selection)
  const days = await inTransaction(pool, 'admin', async ({ client }) => {
    const days = await erasing(client, `${condition} AND ${ERASABLE}`, [value])
    if (selection.user !== undefined) {
      await client.query("UPDATE holdpoint.machines SET username = '', hostname = '' WHERE username = $1", [
        value,
      ])
    }
    const what = JSON.stringify(selection.user === undefined ? selection : { user: '(erased)' })
    await client.query('INSERT INTO holdpoint.erasures (by, what, records) VALUES ($1, $2, $3)', [
      plain(by),
      plain(what),
      countOf(days),
    ])
    return days
  })
  await vacuum(
    pool,
    [...days.keys(), ...(selection.user === undefined ? [] : ['holdpoint.machines'])],
    rewrite,
  )
  return countOf(days)
}

/** How many records of each day were erased, by the table of the day. */
type ErasedDays = ReadonlyMap<string, number>

async function erasing(
  client: PoolClient,
  condition: string,
  parameters: readonly unknown[],
): Promise<ErasedDays> {
  await client.query('SET LOCAL statement_timeout = 0')
  const { rows } = await client.query(
    `WITH erased AS (UPDATE holdpoint.records SET ${NOTHING} WHERE ${condition} RETURNING tableoid)
     SELECT tableoid::regclass::text AS day, count(*)::integer AS records FROM erased GROUP BY 1`,
    [...parameters],
  )
  return new Map(rows.map((row) => [row.day, row.records]))
}

function countOf(days: ErasedDays): number {
  return [...days.values()].reduce((sum, count) => sum + count, 0)
}

function conditionOf({ record, session, machine, user }: EraseSelection): readonly [string, string] {
  if (record !== undefined) return ['id = $1', plain(record)]
  if (session !== undefined) return ['session = $1', plain(session)]
  if (machine !== undefined) return ['machine = $1', machine]
  return ['machine IN (SELECT machine FROM holdpoint.machines WHERE username = $1)', plain(user ?? '')]
}

/** Old versions of the rows stay in the tables until this. It needs the owner of the tables, and no transaction. */
async function vacuum(pool: Pool, tables: readonly string[], rewrite: boolean): Promise<void> {
  if (tables.length === 0) return
  const client = await pool.connect()
  try {
    await client.query(NO_TIME_LIMIT)
    for (const table of tables) await client.query(`VACUUM ${rewrite ? '(FULL) ' : ''}${table}`)
  } finally {
    // Not given back: its time limit was changed.
    client.release(true)
  }
}

/** Years of records take longer than a push may. */
const NO_TIME_LIMIT = 'SET statement_timeout = 0'

const DAY_MS = 24 * 60 * 60 * 1000

/**
 * Whole days are dropped when the longest limit has passed; a project with a shorter limit is erased before that. Dropping
 * needs the owner of the tables.
 */
export async function retainRecords(
  pool: Pool,
  limits: RetentionLimits,
  now: Date,
): Promise<RetentionResult> {
  const dayBefore = (days: number) => new Date(now.getTime() - days * DAY_MS).toISOString().slice(0, 10)
  const longest = Math.max(limits.keepDays, ...Object.values(limits.projects))
  const days = await dropDays(pool, dayBefore(longest))
  const shorter = Object.entries(limits.projects).filter(([, keepDays]) => keepDays < longest)
  const erased = await inTransaction(pool, 'admin', async ({ client }) => {
    const older = (condition: string, keepDays: number, value: unknown) =>
      erasing(client, `received_on < $1::date AND ${condition} AND ${ERASABLE}`, [dayBefore(keepDays), value])
    const found: ErasedDays[] = []
    for (const [project, keepDays] of shorter)
      found.push(await older('project = $2', keepDays, plain(project)))
    if (limits.keepDays < longest) {
      found.push(
        await older('NOT project = ANY($2)', limits.keepDays, Object.keys(limits.projects).map(plain)),
      )
    }
    return found
  })
  await vacuum(pool, [...new Set(erased.flatMap((each) => [...each.keys()]))], false)
  return { days, erased: erased.reduce((sum, each) => sum + countOf(each), 0) }
}

/** The last dropped record of each chain becomes its start, so that what is left still verifies. */
async function dropDays(pool: Pool, before: string): Promise<number> {
  const { rows } = await pool.query(
    `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
     WHERE i.inhparent = 'holdpoint.records'::regclass AND c.relname < $1 ORDER BY c.relname`,
    [`records_${before.replaceAll('-', '')}`],
  )
  for (const { name } of rows) {
    const client = await pool.connect()
    try {
      await client.query("BEGIN; SET LOCAL lock_timeout = '10s'")
      // Another collector may be doing the same.
      await client.query('SELECT pg_advisory_xact_lock(7406)')
      const there = await client.query('SELECT to_regclass($1) AS name', [`holdpoint.${name}`])
      if (there.rows[0]?.name !== null) {
        await client.query(
          `UPDATE holdpoint.chains c SET anchor_seq = d.seq, anchor_hash = d.hash
           FROM (SELECT DISTINCT ON (machine, branch) machine, branch, seq, hash FROM holdpoint.${name}
             ORDER BY machine, branch, seq DESC) d
           WHERE c.machine = d.machine AND c.branch = d.branch AND c.anchor_seq < d.seq`,
        )
        await client.query(`DROP TABLE holdpoint.${name}`)
      }
      await client.query('COMMIT')
    } catch (error) {
      await client.query('ROLLBACK')
      throw error
    } finally {
      client.release()
    }
  }
  return rows.length
}
