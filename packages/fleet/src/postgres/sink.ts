import { randomInt } from 'node:crypto'
import type { Pool } from 'pg'
import { sha256 } from '../../../../src/system/sha256.ts'
import { plain } from '../sink/columns.ts'
import type { CheckedPush } from '../sink/place-push.ts'
import type { AppendReply, NewMachine, Registration, Sink } from '../sink/sink.ts'
import { appendPushes } from './append.ts'
import { codeOf, inTransaction, type Transaction } from './connection.ts'
import { eraseRecords, retainRecords } from './erase.ts'
import { readRecords } from './read.ts'
import { verifyChains } from './verify.ts'

/** Shards of the daily counts. More than anybody runs collectors; two in one shard only wait for each other. */
const SHARDS = 64
/** No partition for the day: it has just begun. */
const NO_PARTITION = '23514'
const DEADLOCK = '40P01'
const TRIES_MAX = 3

export function createPostgresSink(pool: Pool): Sink {
  const shard = randomInt(SHARDS)
  return {
    register: (machine) => inTransaction(pool, 'push', (transaction) => register(transaction, machine)),
    machineKey: (machine) =>
      inTransaction(pool, 'push', async ({ client }) => {
        const { rows } = await client.query(
          'SELECT public_key, revoked_at IS NOT NULL AS revoked FROM holdpoint.machines WHERE machine = $1',
          [machine],
        )
        const [row] = rows
        return row === undefined ? undefined : { publicKey: row.public_key, revoked: row.revoked }
      }),
    revoke: (machine) =>
      inTransaction(pool, 'admin', async ({ client }) => {
        const { rowCount } = await client.query(
          'UPDATE holdpoint.machines SET revoked_at = coalesce(revoked_at, now()) WHERE machine = $1',
          [machine],
        )
        return rowCount === 1
      }),
    roleOf: (token) =>
      inTransaction(pool, 'admin', async ({ client }) => {
        const { rows } = await client.query(
          `SELECT role FROM holdpoint.tokens WHERE hash = $1 AND revoked_at IS NULL
           AND (expires_at IS NULL OR expires_at > now())`,
          [sha256(token)],
        )
        return rows[0]?.role
      }),
    append: (pushes) => appendRetrying(pool, pushes, shard),
    hashes: (machine, branch, seqs) =>
      inTransaction(pool, 'push', async ({ client }) => {
        const { rows } = await client.query(
          `SELECT seq, encode(hash, 'hex') AS hash FROM holdpoint.records
           WHERE machine = $1 AND branch = $2 AND seq = ANY($3::bigint[])`,
          [machine, branch, seqs],
        )
        const chain = await client.query(
          "SELECT anchor_seq, encode(anchor_hash, 'hex') AS hash FROM holdpoint.chains WHERE machine = $1 AND branch = $2",
          [machine, branch],
        )
        const oldest = Number(chain.rows[0]?.anchor_seq ?? 0) + 1
        return { hashes: Object.fromEntries(rows.map((row) => [row.seq, row.hash])), oldest }
      }),
    read: (query) => readRecords(pool, query),
    findings: (machine) =>
      inTransaction(pool, 'read', async ({ client }) => {
        const { rows } = await client.query(
          `SELECT machine, branch, kind, seq, detail, found_at FROM holdpoint.findings
           WHERE resolved_at IS NULL AND ($1::uuid IS NULL OR machine = $1) ORDER BY found_at, machine, branch, seq`,
          [machine ?? null],
        )
        return rows.map((row) => ({
          ...{
            machine: row.machine,
            branch: row.branch,
            kind: row.kind,
            seq: Number(row.seq),
            detail: row.detail,
          },
          foundAt: row.found_at.toISOString(),
        }))
      }),
    verify: (machine) => verifyChains(pool, machine),
    erase: (selection, by, options) => eraseRecords(pool, selection, by, options),
    retain: (limits, now) => retainRecords(pool, limits, now),
    close: () => pool.end(),
  }
}

async function appendRetrying(
  pool: Pool,
  pushes: readonly CheckedPush[],
  shard: number,
): Promise<readonly AppendReply[]> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await inTransaction(pool, 'push', ({ client, now }) =>
        appendPushes(client, pushes, { now, shard }),
      )
    } catch (error) {
      const code = codeOf(error)
      if (attempt === TRIES_MAX || (code !== NO_PARTITION && code !== DEADLOCK)) throw error
      if (code === NO_PARTITION) await ensurePartitions(pool, 1)
    }
  }
}

/** Today and the days after it. */
export async function ensurePartitions(pool: Pool, days: number): Promise<void> {
  await inTransaction(pool, 'push', async ({ client }) => {
    for (let day = 0; day < days; day += 1) {
      await client.query(
        "SELECT holdpoint.ensure_partition((now() AT TIME ZONE 'UTC')::date + $1::integer)",
        [day],
      )
    }
  })
}

async function register(
  { client, now }: Transaction,
  { machine, publicKey, token, labels }: NewMachine,
): Promise<Registration> {
  const known = await client.query(
    'SELECT public_key, revoked_at FROM holdpoint.machines WHERE machine = $1 FOR NO KEY UPDATE',
    [machine],
  )
  const [row] = known.rows
  const isSame = row !== undefined && row.public_key === publicKey && row.revoked_at === null
  if (isSame) return 'registered'
  const team = await useToken({ client, now }, token)
  if (team === undefined) return 'token'
  // A key that was revoked stays revoked; the machine needs a new one.
  if (row !== undefined && (row.revoked_at === null || row.public_key === publicKey) && !isSame)
    return 'taken'
  // The token decides about the team: a machine could claim any.
  await client.query(
    `INSERT INTO holdpoint.machines (machine, public_key, team, labels) VALUES ($1, $2, $3, $4)
     ON CONFLICT (machine) DO UPDATE SET public_key = EXCLUDED.public_key, team = EXCLUDED.team,
       labels = EXCLUDED.labels, revoked_at = NULL, registered_at = now()`,
    [machine, publicKey, plain(team || labels.team || ''), JSON.stringify(plainLabels(labels))],
  )
  return 'registered'
}

/**
 * The team of a token that may still register machines. Only a token with a limited number of uses is written: its row is
 * locked until the end of the transaction, and a fleet that enrolls at once with one token would wait in one line.
 */
async function useToken({ client, now }: Transaction, token: string): Promise<string | undefined> {
  const valid = `hash = $1 AND role = 'push' AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2)`
  const known = await client.query(`SELECT team, uses_left FROM holdpoint.tokens WHERE ${valid}`, [
    sha256(token),
    now,
  ])
  const [row] = known.rows
  if (row === undefined || row.uses_left === null) return row?.team
  const used = await client.query(
    `UPDATE holdpoint.tokens SET uses_left = uses_left - 1 WHERE ${valid} AND uses_left > 0 RETURNING team`,
    [sha256(token), now],
  )
  return used.rows[0]?.team
}

function plainLabels(labels: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(labels).map(([key, value]) => [plain(key), plain(value)]))
}
