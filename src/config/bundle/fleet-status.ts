import { join } from 'node:path'
import { describeProblem, type Problem } from '../../core/errors.ts'
import { isObject, parseJsonObject, textAt } from '../../core/json.ts'
import { writeWhole } from '../../system/files.ts'
import { readRegularText } from '../../system/regular-file.ts'
import { type FleetHome, fleetFolder, readEnrollment } from './enrollment.ts'
import { readManagedBundle } from './managed.ts'
import { isTime } from './manifest.ts'

/** The result of the last request to the server of the fleet. */
export interface LastCheck {
  /** ISO time. */
  readonly at: string
  /** ISO time of the last request that succeeded. */
  readonly reachedAt?: string
  /** What was wrong; missing if nothing was. */
  readonly problem?: string
}

function checkFile(folder: string): string {
  return join(folder, 'last-check.json')
}

export function noteCheck(folder: string, check: LastCheck): void {
  writeWhole(checkFile(folder), `${JSON.stringify(check, null, 2)}\n`)
}

const CHECK_MAX_BYTES = 64 * 1024

export function readCheck(folder: string): LastCheck | undefined {
  const value = parseJsonObject(readRegularText(checkFile(folder), CHECK_MAX_BYTES) ?? '')
  if (!isObject(value)) return undefined
  const [at, reachedAt, problem] = ['at', 'reachedAt', 'problem'].map((key) => textAt(value, key))
  if (at === undefined || !isTime(at)) return undefined
  return {
    at,
    ...(reachedAt === undefined || !isTime(reachedAt) ? {} : { reachedAt }),
    ...(problem === undefined ? {} : { problem }),
  }
}

/** What `status`, the notice of a session and the collector show about the policy of this machine. */
export interface FleetStatus {
  readonly url: string
  readonly channel: string
  /** Without root, a program of this user can end the enrollment or change what was fetched. */
  readonly enforced: boolean
  readonly bundle?: BundleStatus
  /** Why the bundle in force cannot be used, or that it was changed. */
  readonly problem?: string
  readonly check?: LastCheck
  readonly collector?: string
}

export interface BundleStatus {
  readonly name: string
  readonly revision: number
  readonly version: string
  readonly created: string
  readonly expires: string
  readonly acceptedAt: string
  readonly expired: boolean
}

/** Undefined if this machine is not enrolled. */
export function readFleetStatus(home: FleetHome, nowMs: number): FleetStatus | undefined {
  const read = readEnrollment(home)
  if (read.kind === 'none') return undefined
  const check = readCheck(fleetFolder(home))
  if (read.kind === 'broken') {
    const problem = describeProblem(brokenEnrollment(read.file, read.why))
    return { url: '', channel: '', enforced: false, problem, ...(check === undefined ? {} : { check }) }
  }
  const managed = readManagedBundle(home)
  const problem = managed?.ok === false ? managed.problem : managed?.value.problem
  return {
    url: withoutSecrets(read.enrollment.url),
    channel: read.enrollment.channel,
    enforced: read.byRoot,
    ...(managed?.ok ? { bundle: bundleStatus(managed.value, nowMs) } : {}),
    ...(problem === undefined ? {} : { problem: describeProblem(problem) }),
    ...(check === undefined ? {} : { check }),
    ...(read.enrollment.collector === undefined ? {} : { collector: read.enrollment.collector.url }),
  }
}

function brokenEnrollment(file: string, why: string): Problem {
  return { code: 'FLEET_ENROLLMENT', message: `The enrollment cannot be read: ${why}.`, file }
}

type Managed = Extract<NonNullable<ReturnType<typeof readManagedBundle>>, { readonly ok: true }>['value']

function bundleStatus({ bundle, inForce }: Managed, nowMs: number): BundleStatus {
  const { name, revision, version, created, expires } = bundle.manifest
  const expired = Date.parse(expires) <= nowMs
  return { name, revision, version, created, expires, acceptedAt: inForce.acceptedAt, expired }
}

/** A query may be the signature of a bucket. */
function withoutSecrets(url: string): string {
  return url.replace(/\?.*$/s, '')
}

/** Longer than a weekend without network. */
const SILENT_DAYS = 4
const DAY_MS = 24 * 60 * 60 * 1000

/** What a person should be told when a session starts. Problems of the bundle are problems of the configuration. */
export function fleetNotices(status: FleetStatus | undefined, nowMs: number): readonly string[] {
  if (status === undefined) return []
  const { bundle, check } = status
  const reached = check?.reachedAt ?? bundle?.acceptedAt
  const silentDays = reached === undefined ? 0 : Math.floor((nowMs - Date.parse(reached)) / DAY_MS)
  return [
    ...(bundle?.expired === true
      ? [
          `The policy of the fleet, ${bundle.name} revision ${bundle.revision}, expired on ${bundle.expires.slice(0, 10)}. It stays in force until a newer one is fetched. Run \`holdpoint fleet status\`.`,
        ]
      : []),
    ...(silentDays >= SILENT_DAYS
      ? [
          `The policy server was last reached ${silentDays} days ago, so this machine may have an old policy. Run \`holdpoint fleet fetch\`.`,
        ]
      : []),
  ]
}
