import type { Pool } from 'pg'
import { plain } from '../sink/columns.ts'
import type { EraseSelection, RetentionLimits, RetentionResult } from '../sink/sink.ts'
import { inTransaction } from './connection.ts'

/** What remains of a record: its time, its place in the chain and its digest, which says nothing without the salt. */
const NOTHING = `id = '', host = '', event = '', session = '', agent = '', agent_type = '', tool = '', effect = '',
  project = '', project_path = '', hooks = '{}', duration_ms = 0, revision = '', salt = '', record = ''`
/** Records of 0.1.0 have no digest: their text is part of the chain. */
const ERASABLE = "record <> '' AND digest <> ''"

export async function eraseRecords(pool: Pool, selection: EraseSelection, by: string): Promise<number> {
  const [condition, value] = conditionOf(selection)
  const erased = await inTransaction(pool, 'admin', async ({ client }) => {
    const { rowCount } = await client.query(
      `UPDATE holdpoint.records SET ${NOTHING} WHERE ${condition} AND ${ERASABLE}`,
      [value],
    )
    if (selection.user !== undefined) {
      await client.query("UPDATE holdpoint.machines SET username = '', hostname = '' WHERE username = $1", [
        value,
      ])
    }
    const what = JSON.stringify(selection.user === undefined ? selection : { user: '(erased)' })
    await client.query('INSERT INTO holdpoint.erasures (by, what, records) VALUES ($1, $2, $3)', [
      plain(by),
      plain(what),
      rowCount ?? 0,
    ])
    return rowCount ?? 0
  })
  if (erased > 0) await vacuum(pool)
  return erased
}

function conditionOf({ record, session, machine, user }: EraseSelection): readonly [string, string] {
  if (record !== undefined) return ['id = $1', plain(record)]
  if (session !== undefined) return ['session = $1', plain(session)]
  if (machine !== undefined) return ['machine = $1', machine]
  return ['machine IN (SELECT machine FROM holdpoint.machines WHERE username = $1)', plain(user ?? '')]
}

/** Old versions of the rows stay in the files until this. It needs the owner of the tables, and no transaction. */
async function vacuum(pool: Pool): Promise<void> {
  await pool.query('VACUUM holdpoint.records')
}

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
  let erased = 0
  for (const [project, keepDays] of Object.entries(limits.projects)) {
    if (keepDays < longest) {
      erased += await eraseOlder(pool, 'project = $2', [dayBefore(keepDays), plain(project)])
    }
  }
  if (limits.keepDays < longest) {
    const others = Object.keys(limits.projects).map(plain)
    erased += await eraseOlder(pool, 'NOT project = ANY($2)', [dayBefore(limits.keepDays), others])
  }
  if (erased > 0) await vacuum(pool)
  return { days, erased }
}

function eraseOlder(pool: Pool, condition: string, parameters: readonly unknown[]): Promise<number> {
  return inTransaction(pool, 'admin', async ({ client }) => {
    const { rowCount } = await client.query(
      `UPDATE holdpoint.records SET ${NOTHING} WHERE received_on < $1::date AND ${condition} AND ${ERASABLE}`,
      [...parameters],
    )
    return rowCount ?? 0
  })
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
