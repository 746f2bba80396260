import type { Problem } from '../../core/errors.ts'
import { isOlderVersion, VERSION } from '../../core/version.ts'
import type { Manifest } from './manifest.ts'
import type { Publication } from './publication.ts'

/** What a machine has already accepted. */
export interface AcceptedSoFar {
  readonly name: string
  readonly revision: number
  readonly serial: number
}

/** Why a signed publication is not accepted; undefined if it is. The one that was accepted before goes on. */
export function publicationFault(
  next: Publication,
  accepted: Partial<AcceptedSoFar>,
  now: Date,
): Problem | undefined {
  if (accepted.name !== undefined && next.name !== accepted.name) {
    return refused(
      `The server publishes the policy ${next.name}, and this machine is enrolled in ${accepted.name}.`,
    )
  }
  if (next.serial < (accepted.serial ?? 0)) {
    return refused(
      `The server has publication ${next.serial}, which is older than ${accepted.serial}, which this machine has seen.`,
    )
  }
  return expiryFault(`Publication ${next.serial}`, next.expires, now)
}

/** Why a signed bundle is not accepted. `wanted`: the revision that the publication names. */
export function bundleFault(
  manifest: Manifest,
  wanted: { readonly name: string; readonly revision: number },
  accepted: Partial<AcceptedSoFar>,
  now: Date,
): Problem | undefined {
  const { name, revision, minimumHoldpoint } = manifest
  if (name !== wanted.name || revision !== wanted.revision) {
    return refused(
      `The server sent the bundle ${name} ${revision} instead of ${wanted.name} ${wanted.revision}.`,
    )
  }
  if (revision < (accepted.revision ?? 0)) {
    return refused(
      `The bundle has revision ${revision}, which is older than ${accepted.revision} in force here.`,
    )
  }
  if (isOlderVersion(VERSION, minimumHoldpoint)) {
    return {
      ...refused(`The bundle ${revision} needs Holdpoint ${minimumHoldpoint}, and this is ${VERSION}.`),
      fix: 'Run `holdpoint upgrade` on this machine. Until then the bundle before it stays in force.',
    }
  }
  return expiryFault(`The bundle ${revision}`, manifest.expires, now)
}

function expiryFault(what: string, expires: string, now: Date): Problem | undefined {
  if (Date.parse(expires) > now.getTime()) return undefined
  return refused(`${what} expired at ${expires}, and the clock of this machine says ${now.toISOString()}.`)
}

function refused(message: string): Problem {
  return { code: 'BUNDLE_REFUSED', message }
}
