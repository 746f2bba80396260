import { HoldpointError } from '../../core/errors.ts'
import type { FleetRetention } from '../../core/fleet-package.ts'
import { type Caller, signalled } from '../caller.ts'
import { loadCollector } from './load-package.ts'
import { countOption } from './options.ts'

export interface CollectorOptions {
  readonly listen?: string
  readonly database?: string
  readonly tlsCert?: string
  readonly tlsKey?: string
  readonly keepDays?: string
  readonly keepProject?: readonly string[]
  readonly migrate: boolean
}

/** Runs a collector until it is told to end. Requests that have begun are answered first. */
export async function collector(caller: Caller, options: CollectorOptions): Promise<void> {
  const { host, port } = listenOption(options.listen ?? '127.0.0.1:8790')
  const retention = retentionOption(options)
  const running = await loadCollector().runCollector({
    database: databaseOption(caller, options),
    host,
    port,
    ...tlsOption(caller, options),
    migrate: options.migrate,
    ...(retention === undefined ? {} : { retention }),
    log: (line) => caller.stderr.write(`${new Date().toISOString()} ${line}\n`),
  })
  caller.stdout.write(`The collector listens on ${host}:${running.port}.\n`)
  const isOpen = options.tlsCert === undefined && !/^(?:127\.|localhost$|::1$)/.test(host)
  if (isOpen) {
    caller.stderr.write(
      'holdpoint: without --tls-cert, records travel unencrypted to this port. Put a proxy with TLS before it.\n',
    )
  }
  await signalled(caller, ['SIGTERM', 'SIGINT'])
  await running.close()
}

/** The option, or the variable of a container: a password on the command line could be read by every user. */
export function databaseOption(caller: Caller, { database }: { readonly database?: string }): string {
  const address = database ?? caller.env.HOLDPOINT_DATABASE ?? ''
  if (/^postgres(?:ql)?:\/\//.test(address)) return address
  throw new HoldpointError({
    code: 'OPTION_INVALID',
    key: '--database',
    message: 'There is no address of a PostgreSQL database.',
    fix: 'Pass --database postgresql://user@host/name, or set HOLDPOINT_DATABASE.',
  })
}

function listenOption(text: string): { readonly host: string; readonly port: number } {
  const [, host, port] = /^(.+):(\d{1,5})$/.exec(text) ?? []
  if (host !== undefined && Number(port) <= 65_535)
    return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) }
  throw new HoldpointError({
    code: 'OPTION_INVALID',
    key: '--listen',
    message: `"${text.slice(0, 60)}" is not an address with a port.`,
    fix: 'Write --listen 0.0.0.0:8790.',
  })
}

function tlsOption(caller: Caller, { tlsCert: cert, tlsKey: key }: CollectorOptions) {
  if (cert === undefined && key === undefined) return {}
  if (cert !== undefined && key !== undefined)
    return { tls: { cert: caller.path(cert), key: caller.path(key) } }
  throw new HoldpointError({
    code: 'OPTION_INVALID',
    key: '--tls-cert',
    message: '--tls-cert and --tls-key belong together.',
  })
}

export function retentionOption(
  options: Pick<CollectorOptions, 'keepDays' | 'keepProject'>,
): FleetRetention | undefined {
  if (options.keepDays === undefined && options.keepProject === undefined) return undefined
  const projects = (options.keepProject ?? []).map((text): [string, number] => {
    const [, name, days] = /^([^=]+)=(\d{1,4})$/.exec(text) ?? []
    if (name !== undefined && Number(days) > 0) return [name, Number(days)]
    throw new HoldpointError({
      code: 'OPTION_INVALID',
      key: '--keep-project',
      message: `"${text.slice(0, 60)}" is not a project and a number of days.`,
      fix: 'Write --keep-project shop=30.',
    })
  })
  return {
    keepDays: countOption(options.keepDays ?? '365', '--keep-days', 1, 3650),
    projects: Object.fromEntries(projects),
  }
}
