import type { CollectorPackage, FleetDatabase } from '../../../src/core/fleet-package.ts'
import { runCollector } from './collector/run.ts'
import { databaseError, inTransaction, openPool } from './postgres/connection.ts'
import { migrate, newerSchema, schemaVersion } from './postgres/migrate.ts'
import { SCHEMA_VERSION } from './postgres/migrations/index.ts'
import {
  countMachineStates,
  countStops,
  listMachines,
  openFindings,
  readRollout,
  readSession,
} from './postgres/queries.ts'
import { createPostgresSink } from './postgres/sink.ts'
import { createToken, listTokens, revokeToken } from './postgres/tokens.ts'

/** The entry that `holdpoint fleet` and the board load. */

export async function openFleet(database: string): Promise<FleetDatabase> {
  const pool = openPool(database)
  try {
    const version = await schemaVersion(pool)
    if (version > SCHEMA_VERSION) throw newerSchema(version)
  } catch (error) {
    await pool.end()
    throw databaseError(error)
  }
  const sink = createPostgresSink(pool)
  return {
    migrate: () => migrate(pool),
    createToken: (token) => createToken(pool, token),
    tokens: () => listTokens(pool),
    revokeToken: (id) => revokeToken(pool, id),
    machines: (filter) => listMachines(pool, filter),
    machineStates: () => countMachineStates(pool),
    revokeMachine: (machine) => sink.revoke(machine),
    stops: (query) => countStops(pool, query),
    session: (session, limit) => readSession(pool, session, limit),
    rollout: (name) => readRollout(pool, name),
    findings: () => openFindings(pool),
    resolveFindings: (machine, by) =>
      inTransaction(pool, 'admin', async ({ client }) => {
        const { rowCount } = await client.query(
          'UPDATE holdpoint.findings SET resolved_at = now(), resolved_by = $2 WHERE machine = $1 AND resolved_at IS NULL',
          [machine, by],
        )
        return rowCount ?? 0
      }),
    verify: (machine) => sink.verify(machine),
    erase: (selection, by, options) => sink.erase(selection, by, options),
    retain: (limits) => sink.retain(limits, new Date()),
    close: () => sink.close(),
  }
}

export { runCollector }

/** So that the command line and this package cannot differ. */
const _package: CollectorPackage = { runCollector, openFleet }
void _package
