import { Pool, type PoolClient, type PoolConfig } from 'pg'
import { HoldpointError } from '../../../../src/core/errors.ts'
import type { Role } from '../sink/sink.ts'
import { newerSchema } from './migrate.ts'
import { SCHEMA_VERSION } from './migrations/index.ts'

/** Longer than any of our statements; a database that hangs must not hold the memory of a collector forever. */
const STATEMENT_MAX_MS = 60_000
const CONNECT_MAX_MS = 10_000

export function openPool(database: string, options: Partial<PoolConfig> = {}): Pool {
  const pool = new Pool({
    connectionString: database,
    max: 4,
    connectionTimeoutMillis: CONNECT_MAX_MS,
    statement_timeout: STATEMENT_MAX_MS,
    application_name: 'holdpoint',
    options: '-c timezone=UTC -c datestyle=ISO',
    ...options,
  })
  // A connection that breaks, for example because the database restarts. Who uses it gets the error from the query; the
  // event would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

export interface Transaction {
  readonly client: PoolClient
  /** The clock of the database. */
  readonly now: Date
}

/** Runs `work` in one transaction with the rights of a role, and refuses a schema that a newer program made. */
export async function inTransaction<T>(
  pool: Pool,
  role: Role,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  let client: PoolClient | undefined
  let isBroken = false
  try {
    client = await pool.connect()
    const begun: unknown = await client.query(
      `BEGIN; SET LOCAL ROLE holdpoint_${role}; SELECT now() AS now, max(version) AS version FROM holdpoint.schema_version`,
    )
    const { now, version } = lastRow(begun)
    if (Number(version) > SCHEMA_VERSION) throw newerSchema(Number(version))
    const result = await work({ client, now: now as Date })
    await client.query('COMMIT')
    return result
  } catch (error) {
    try {
      await client?.query('ROLLBACK')
    } catch {
      isBroken = true
    }
    throw databaseError(error)
  } finally {
    client?.release(isBroken)
  }
}

function lastRow(results: unknown): Record<string, unknown> {
  const last: unknown = Array.isArray(results) ? results.at(-1) : results
  if (typeof last !== 'object' || last === null || !('rows' in last) || !Array.isArray(last.rows)) return {}
  return last.rows[0] ?? {}
}

/** The errors of PostgreSQL that say that nothing was stored and that it may work later, or that it never will. */
export function databaseError(error: unknown): HoldpointError {
  if (error instanceof HoldpointError) return error
  const code = codeOf(error)
  const why = error instanceof Error ? error.message || code : String(error)
  return new HoldpointError(
    {
      code: 'FLEET_DATABASE',
      message: `The database cannot be used: ${why}${code === '' ? '' : ` (${code})`}.`,
    },
    { cause: error },
  )
}

export function codeOf(error: unknown): string {
  const cause = error instanceof HoldpointError ? error.cause : error
  return typeof cause === 'object' && cause !== null && 'code' in cause ? String(cause.code) : ''
}
