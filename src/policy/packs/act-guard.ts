import type { Facts } from '../../core/facts.ts'
import type { Guard } from '../../core/guard.ts'
import type { ActId } from '../../shell/programs/act-ids.ts'
import type { FoundEffect } from '../../shell/vocabulary/effect.ts'
import { caughtEffect } from '../analysis/effects-of.ts'
import { actsIn, detector, type ShellGuard, shellGuard } from './shell-guard.ts'

/** A guard for certain acts: it matches if a shell command has one of them as an effect. */
export interface ActGuard extends Omit<ShellGuard, 'detectors'> {
  /** The names that the specifications in src/shell/programs use. */
  readonly acts: readonly ActId[]
  /** Cases where the act does no damage. */
  readonly spares?: (found: FoundEffect, facts: Facts) => boolean
  /** The same act in cases that no model names. */
  readonly also?: ShellGuard['detectors']
}

export function actGuard({ acts, spares, also = [], ...guard }: ActGuard): Guard {
  const act = detector(actsIn(acts), (found, { facts }) => {
    return spares?.(found, facts) === true ? null : caughtEffect(found, found.effect.what, facts.home)
  })
  return shellGuard({ ...guard, detectors: [act, ...also] })
}
