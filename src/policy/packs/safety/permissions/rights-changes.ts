import type { Event } from '../../../../core/event.ts'
import type { Facts } from '../../../../core/facts.ts'
import { effectsAs } from '../../../../shell/effects.ts'
import {
  type ActEffect,
  type FileEffect,
  type FoundEffect,
  isAct,
  isFileEffect,
} from '../../../../shell/vocabulary/effect.ts'
import { shellEffects } from '../../../analysis/effects-of.ts'
import type { ProtectedRoots } from '../files/protected-paths.ts'
import { type FileTarget, groundOf, runsOn, targetsOf } from '../files/targets.ts'

/** A change of permissions, and the files it applies to. */
export interface RightsChange {
  readonly found: FoundEffect
  readonly effect: ActEffect
  readonly files: readonly { readonly effect: FileEffect; readonly targets: readonly FileTarget[] }[]
  readonly ground: ProtectedRoots
}

/** Changes inside a container disappear with the container. */
export function rightsChanges(event: Event, facts: Facts): readonly RightsChange[] {
  return shellEffects(event, facts).flatMap((found): readonly RightsChange[] => {
    const { effect, command } = found
    if (!isAct(effect) || !effect.act.startsWith('permissions/') || runsOn(command) === 'a container')
      return []
    // Read again here, because the general tables of program arguments would list the mode as a file.
    const own = effectsAs(command.name ?? 'chmod', command, facts.home)
    const files = own
      .filter(isFileEffect)
      .map((file) => ({ effect: file, targets: targetsOf(file, command, facts) }))
    return [{ found, effect, files, ground: groundOf(facts, command) }]
  })
}
