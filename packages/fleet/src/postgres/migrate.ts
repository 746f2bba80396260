import type { Pool, PoolClient } from 'pg'
import { HoldpointError } from '../../../../src/core/errors.ts'
import { MIGRATIONS, SCHEMA_VERSION } from './migrations/index.ts'

/** Any number, the same in all collectors. */
const LOCK = 7404

/**
 * Brings the schema to the version of this program, one transaction for each step. Safe to run twice and by several
 * collectors at once. A schema of a newer version is not touched.
 */
export async function migrate(pool: Pool): Promise<{ readonly from: number; readonly to: number }> {
  const client = await pool.connect()
  try {
    await client.query('SELECT pg_advisory_lock($1)', [LOCK])
    try {
      await client.query(
        'CREATE SCHEMA IF NOT EXISTS holdpoint; CREATE TABLE IF NOT EXISTS holdpoint.schema_version (version integer PRIMARY KEY, name text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())',
      )
      const from = await schemaVersion(client)
      if (from > SCHEMA_VERSION) throw newerSchema(from)
      for (const { version, name, sql } of MIGRATIONS.slice(from)) {
        await client.query('BEGIN')
        await client.query(sql)
        await client.query('INSERT INTO holdpoint.schema_version (version, name) VALUES ($1, $2)', [
          version,
          name,
        ])
        await client.query('COMMIT')
      }
      return { from, to: SCHEMA_VERSION }
    } catch (error) {
      await client.query('ROLLBACK')
      throw migrationError(error)
    } finally {
      await client.query('SELECT pg_advisory_unlock($1)', [LOCK])
    }
  } finally {
    client.release()
  }
}

/** 0: there is no schema yet. */
export async function schemaVersion(client: Pool | PoolClient): Promise<number> {
  const there = await client.query("SELECT to_regclass('holdpoint.schema_version') AS name")
  if (there.rows[0]?.name === null) return 0
  const { rows } = await client.query(
    'SELECT coalesce(max(version), 0)::integer AS version FROM holdpoint.schema_version',
  )
  return Number(rows[0]?.version ?? 0)
}

export function newerSchema(version: number): HoldpointError {
  return new HoldpointError({
    code: 'FLEET_SCHEMA',
    message: `The database has version ${version} of the schema, and this program knows version ${SCHEMA_VERSION}.`,
  })
}

const NO_PRIVILEGE = '42501'

function migrationError(error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error) || error.code !== NO_PRIVILEGE) return error
  return new HoldpointError(
    {
      code: 'FLEET_DATABASE',
      message: `The schema cannot be created: ${error.message}.`,
      fix: 'Let an administrator of the database run: CREATE ROLE holdpoint_push NOLOGIN; CREATE ROLE holdpoint_read NOLOGIN; CREATE ROLE holdpoint_admin NOLOGIN; GRANT holdpoint_push, holdpoint_read, holdpoint_admin TO your_login; GRANT CREATE ON DATABASE your_database TO your_login;',
    },
    { cause: error },
  )
}
