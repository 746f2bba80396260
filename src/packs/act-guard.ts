import type { Facts } from '../facts.ts'
import type { FoundEffect } from '../shell/effect.ts'
import { caughtEffect } from './effects-of.ts'
import type { Guard } from './guard.ts'
import { actsIn, look, type ShellGuard, shellGuard } from './shell-guard.ts'

/** A guard of acts: a shell command has an effect that is one of them. */
export interface ActGuard extends Omit<ShellGuard, 'looks'> {
  /** As the models in src/shell/models name them. */
  readonly acts: readonly string[]
  /** Where the act is nobody's loss. */
  readonly spares?: (found: FoundEffect, facts: Facts) => boolean
  /** The same act where no model names it. */
  readonly also?: ShellGuard['looks']
}

export function actGuard({ acts, spares, also = [], ...guard }: ActGuard): Guard {
  const act = look(actsIn(acts), (found, { facts }) => {
    return spares?.(found, facts) === true ? null : caughtEffect(found, found.effect.what, facts.home)
  })
  return shellGuard({ ...guard, looks: [act, ...also] })
}
