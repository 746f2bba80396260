import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createServer as createSecureServer, type Server as SecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Pool } from 'pg'
import { HoldpointError } from '../../../../src/core/errors.ts'
import { databaseError, openPool } from '../postgres/connection.ts'
import { migrate, newerSchema, schemaVersion } from '../postgres/migrate.ts'
import { SCHEMA_VERSION } from '../postgres/migrations/index.ts'
import { createPostgresSink, ensurePartitions } from '../postgres/sink.ts'
import type { RetentionLimits, Sink } from '../sink/sink.ts'
import { createCollector } from './handler.ts'

export interface RunOptions {
  readonly database: string
  readonly host: string
  readonly port: number
  /** Files; without them a proxy in front has to offer TLS. */
  readonly tls?: { readonly cert: string; readonly key: string }
  readonly migrate: boolean
  readonly retention?: RetentionLimits
  log(line: string): void
}

export interface RunningCollector {
  readonly port: number
  close(): Promise<void>
}

/** Days ahead: a collector that cannot reach the database at midnight still finds its partition. */
const PARTITIONS_AHEAD = 3
const MAINTAIN_EVERY_MS = 60 * 60 * 1000
const HEADERS_MAX_MS = 10_000
const REQUEST_MAX_MS = 60_000
const CONNECTIONS_MAX = 5_000
/** A connection becomes idle when its answer was sent. */
const CLOSE_EVERY_MS = 50

/** One collector. Run as many as you like on one database, behind any load balancer. */
export async function runCollector(options: RunOptions): Promise<RunningCollector> {
  const pool = openPool(options.database)
  try {
    await prepare(pool, options)
  } catch (error) {
    await pool.end()
    throw databaseError(error)
  }
  const sink = createPostgresSink(pool)
  const handler = createCollector({ sink, now: () => new Date(), log: options.log })
  const limits = { headersTimeout: HEADERS_MAX_MS, requestTimeout: REQUEST_MAX_MS, keepAliveTimeout: 65_000 }
  const server =
    options.tls === undefined ? createServer(limits, handler) : secureServer(options.tls, limits, handler)
  server.maxConnections = CONNECTIONS_MAX
  // A machine that breaks off, or speaks something else.
  server.on('clientError', (_error, socket) => socket.destroy())
  await listening(server, options)
  const maintenance = setInterval(() => void maintain(pool, sink, options), MAINTAIN_EVERY_MS)
  maintenance.unref()
  const reload = () => reloadCertificate(server, options)
  process.on('SIGHUP', reload)
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      clearInterval(maintenance)
      process.off('SIGHUP', reload)
      // Requests that have begun are answered; kept connections without one are closed.
      const closing = setInterval(() => server.closeIdleConnections(), CLOSE_EVERY_MS)
      await new Promise<void>((resolve) => server.close(() => resolve()))
      clearInterval(closing)
      await sink.close()
    },
  }
}

async function prepare(pool: Pool, options: RunOptions): Promise<void> {
  if (options.migrate) {
    const { from, to } = await migrate(pool)
    if (from !== to) options.log(`the schema was brought from version ${from} to ${to}`)
  }
  const version = await schemaVersion(pool)
  if (version > SCHEMA_VERSION) throw newerSchema(version)
  if (version < SCHEMA_VERSION) {
    throw new HoldpointError({
      code: 'FLEET_SCHEMA',
      message: `The database has version ${version} of the schema, and this program needs ${SCHEMA_VERSION}.`,
      fix: 'Run `holdpoint fleet migrate`, or start the collector without --no-migrate.',
    })
  }
  await ensurePartitions(pool, PARTITIONS_AHEAD)
}

async function maintain(pool: Pool, sink: Sink, { retention, log }: RunOptions): Promise<void> {
  try {
    await ensurePartitions(pool, PARTITIONS_AHEAD)
    if (retention === undefined) return
    const { days, erased } = await sink.retain(retention, new Date())
    if (days + erased > 0) log(`retention: ${days} days dropped, ${erased} records erased`)
  } catch (error) {
    log(`maintenance: ${error instanceof Error ? error.message : String(error)}`)
  }
}

type Limits = {
  readonly headersTimeout: number
  readonly requestTimeout: number
  readonly keepAliveTimeout: number
}
type Handler = ReturnType<typeof createCollector>

function secureServer(
  files: { readonly cert: string; readonly key: string },
  limits: Limits,
  handler: Handler,
) {
  return createSecureServer({ ...limits, ...certificate(files), minVersion: 'TLSv1.2' }, handler)
}

function certificate({ cert, key }: { readonly cert: string; readonly key: string }) {
  try {
    return { cert: readFileSync(cert), key: readFileSync(key) }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new HoldpointError({
      code: 'OPTION_INVALID',
      key: '--tls-cert',
      message: `The certificate cannot be read: ${why}.`,
    })
  }
}

/** A renewed certificate is used without a restart. */
function reloadCertificate(server: object, { tls, log }: RunOptions): void {
  if (tls === undefined) return
  try {
    ;(server as SecureServer).setSecureContext(certificate(tls))
    log('the certificate was read again')
  } catch (error) {
    log(`the certificate was not changed: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function listening(
  server: ReturnType<typeof createServer> | SecureServer,
  { host, port }: RunOptions,
): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      reject(
        new HoldpointError({
          code: 'OPTION_INVALID',
          key: '--listen',
          message: `${host}:${port}: ${error.message}.`,
        }),
      )
    })
    server.listen(port, host, resolve)
  })
}
