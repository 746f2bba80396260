import type { Event } from '../../../event.ts'
import type { Facts } from '../../../facts.ts'
import { type FileEffect, type FoundEffect, isFileEffect } from '../../../shell/effect.ts'
import { caughtEffect, presentIn, shellEffects } from '../../effects-of.ts'
import type { Caught } from '../../guard.ts'
import { oncePerEvent } from '../../once-per-event.ts'
import type { Ground } from './protected-paths.ts'
import { groundOf, spelled, type Target, targetsOf } from './targets.ts'

/** A deletion in a shell command, and what it is aimed at. */
export interface Deletion {
  readonly found: FoundEffect
  readonly effect: FileEffect
  readonly targets: readonly Target[]
  readonly ground: Ground
}

/** Programs that delete in one place what another does not have: `sync-delete` judges these. */
const SYNCS = new Set(['rsync', 'rclone', 'robocopy'])

export function isSync({ found, effect }: Deletion): boolean {
  return effect.narrowed === true && SYNCS.has(found.command.name ?? '')
}

export const deletionsIn = oncePerEvent((event: Event, facts: Facts): readonly Deletion[] =>
  deletionsAmong(shellEffects(event, facts), facts).filter((deletion) => !isSync(deletion)),
)

export function deletionsAmong(all: readonly FoundEffect[], facts: Facts): readonly Deletion[] {
  if (all.length === 0 || !presentIn(all).kinds.has('delete')) return []
  return all.flatMap((found): readonly Deletion[] => {
    const { effect, command } = found
    if (!isFileEffect(effect) || effect.kind !== 'delete') return []
    return [{ found, effect, targets: targetsOf(effect, command, facts), ground: groundOf(facts, command) }]
  })
}

/** What `find` selects by: the last part of the name it asks for, as written. */
export function selectedName(effect: FileEffect): string {
  return spelled(effect.form).replace(/^.*\//s, '')
}

/** A catch of the deletion; what is not known of the target or the command is its doubt. */
export function caughtDeletion(
  deletion: Deletion,
  caught: string,
  unsure: string | undefined,
  home: string,
): Caught {
  const result = caughtEffect(deletion.found, caught, home)
  const doubt = unsure ?? result.unsure
  return doubt === undefined ? result : { ...result, unsure: doubt }
}
