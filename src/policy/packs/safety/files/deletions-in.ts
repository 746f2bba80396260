import type { Event } from '../../../../core/event.ts'
import type { Facts } from '../../../../core/facts.ts'
import type { GuardMatch } from '../../../../core/guard.ts'
import { type FileEffect, type FoundEffect, isFileEffect } from '../../../../shell/vocabulary/effect.ts'
import { caughtEffect, presentIn, shellEffects } from '../../../analysis/effects-of.ts'
import { oncePerEvent } from '../../../analysis/once-per-event.ts'
import { ofKinds } from '../../../analysis/topics.ts'
import { onTopics } from '../../shell-guard.ts'
import type { ProtectedRoots } from './protected-paths.ts'
import { type FileTarget, groundOf, spelled, targetsOf } from './targets.ts'

/** A deletion in a shell command, and its targets. */
export interface Deletion {
  readonly found: FoundEffect
  readonly effect: FileEffect
  readonly targets: readonly FileTarget[]
  readonly ground: ProtectedRoots
}

/** Programs that delete files in the target that the source does not have: `sync-delete` judges these. */
const SYNCS = new Set(['rsync', 'rclone', 'robocopy'])

export function isSync({ found, effect }: Deletion): boolean {
  return effect.narrowed === true && SYNCS.has(found.command.name ?? '')
}

export const deletionsIn = onTopics(
  [ofKinds('delete')],
  oncePerEvent((event: Event, facts: Facts): readonly Deletion[] =>
    deletionsAmong(shellEffects(event, facts), facts).filter((deletion) => !isSync(deletion)),
  ),
)

export function deletionsAmong(all: readonly FoundEffect[], facts: Facts): readonly Deletion[] {
  if (all.length === 0 || !presentIn(all).kinds.has('delete')) return []
  return all.flatMap((found): readonly Deletion[] => {
    const { effect, command } = found
    if (!isFileEffect(effect) || effect.kind !== 'delete') return []
    return [{ found, effect, targets: targetsOf(effect, command, facts), ground: groundOf(facts, command) }]
  })
}

/** The name that `find` searches for: its last part, as written. */
export function selectedName(effect: FileEffect): string {
  return spelled(effect.form).replace(/^.*\//s, '')
}

/** A match for the deletion. What is unknown about the target or the command makes it unsure. */
export function caughtDeletion(
  deletion: Deletion,
  caught: string,
  unsure: string | undefined,
  home: string,
): GuardMatch {
  const result = caughtEffect(deletion.found, caught, home)
  const doubt = unsure ?? result.unsure
  return doubt === undefined ? result : { ...result, unsure: doubt }
}
