import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { bad, good, type Problem, type Result } from '../../core/errors.ts'
import { type Bundle, verifyBundle } from './bundle.ts'
import {
  type Enrollment,
  enrollmentFile,
  type FleetHome,
  fleetFolder,
  type ReadEnrollment,
  readEnrollment,
  systemFleetFolder,
} from './enrollment.ts'
import { BUNDLE_CONFIG } from './manifest.ts'
import { bundleFolder, type InForce, inForceFile, keptKeys, readInForce, readUnpacked } from './store.ts'

/** The bundle whose configuration is a managed layer here. */
export interface ManagedBundle {
  /** The folder that accepted it: root's or the user's. */
  readonly store: string
  readonly inForce: InForce
  readonly bundle: Bundle
  readonly config: string
  /** A newer bundle is there, but does not verify any more, so that this older one of root counts. */
  readonly problem?: Problem
}

/** The configuration of the bundle in force; undefined if this machine has none that verifies. */
export function storedConfig(home: FleetHome): string | undefined {
  const managed = readManagedBundle(home)
  return managed?.ok ? managed.value.config : undefined
}

interface Stored {
  readonly store: string
  readonly inForce: InForce
}

/** Root's folder and the user's may have different revisions. Both only contain what was signed; the newest is first. */
function storedBundles(home: FleetHome, read: ReadEnrollment): readonly Stored[] {
  if (read.kind !== 'enrolled') return []
  const stores = read.byRoot ? [systemFleetFolder(home), fleetFolder(home)] : [fleetFolder(home)]
  return stores
    .flatMap((store) => {
      const inForce = readInForce(store)
      return inForce === undefined ? [] : [{ store, inForce }]
    })
    .sort((a, b) => b.inForce.revision - a.inForce.revision)
}

/**
 * The bundle in force, verified: signed by keys that the enrollment leads to, and unchanged. Undefined: this machine is
 * not enrolled. A problem means that the policy of the fleet is unknown, so nothing may run.
 */
export function readManagedBundle(home: FleetHome): Result<ManagedBundle> | undefined {
  const read = readEnrollment(home)
  if (read.kind === 'none') return undefined
  if (read.kind === 'broken') {
    return bad('FLEET_ENROLLMENT', `The enrollment cannot be read: ${read.why}.`, { file: read.file })
  }
  const stored = storedBundles(home, read)
  if (stored.length === 0) {
    return bad(
      'FLEET_NO_BUNDLE',
      'This machine is enrolled in a fleet, but has no bundle of its policy yet.',
      {
        file: read.file,
      },
    )
  }
  let first: Problem | undefined
  for (const each of stored) {
    const bundle = verifyStored(each, read.enrollment, [systemFleetFolder(home), fleetFolder(home)])
    if (bundle.ok) {
      const config = join(bundleFolder(each.store, each.inForce), BUNDLE_CONFIG)
      const problem = first === undefined ? {} : { problem: first }
      return good({ ...each, bundle: bundle.value, config, ...problem })
    }
    first ??= bundle.problem
  }
  return { ok: false, problem: first ?? { code: 'FLEET_NO_BUNDLE', message: 'There is no bundle.' } }
}

/**
 * A bundle that was accepted stays in force after its keys were replaced, so every set of keys since the enrollment
 * counts. A new bundle needs the newest set; that is checked where it is fetched.
 */
export function verifyStored(
  { store, inForce }: Stored,
  enrollment: Pick<Enrollment, 'keys' | 'threshold'>,
  keyFolders: readonly string[],
): Result<Bundle> {
  const path = bundleFolder(store, inForce)
  const read = readUnpacked(path)
  if (!read.ok) return read
  const { name, revision } = read.value.manifest
  if (name !== inForce.name || revision !== inForce.revision) {
    return bad(
      'BUNDLE_INVALID',
      `This is the bundle ${name} ${revision}, not ${inForce.name} ${inForce.revision}.`,
      {
        file: path,
      },
    )
  }
  const sets = keyFolders.flatMap((folder) => keptKeys(folder, enrollment))
  const trusted = sets.map((keys) => verifyBundle(read.value, keys))
  const [first] = trusted
  if (trusted.some(({ ok }) => ok)) return read
  return first === undefined || first.ok ? read : { ok: false, problem: { ...first.problem, file: path } }
}

/** Every file whose change can change the bundle in force. */
export function managedInputs(home: FleetHome): readonly string[] {
  const [system, own] = [systemFleetFolder(home), fleetFolder(home)]
  const always = [system, own].flatMap((folder) => [enrollmentFile(folder), inForceFile(folder)])
  const read = readEnrollment(home)
  const files = storedBundles(home, read).flatMap(({ store, inForce }) => {
    const path = bundleFolder(store, inForce)
    const bundle = readUnpacked(path)
    return [path, ...(bundle.ok ? [...bundle.value.files.keys()].map((name) => join(path, name)) : [])]
  })
  return [...always, ...files.filter((file) => existsSync(file))]
}
