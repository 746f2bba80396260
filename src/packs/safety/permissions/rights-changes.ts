import type { Event } from '../../../event.ts'
import type { Facts } from '../../../facts.ts'
import {
  type ActEffect,
  type FileEffect,
  type FoundEffect,
  isAct,
  isFileEffect,
} from '../../../shell/effect.ts'
import { permissions } from '../../../shell/models/permissions.ts'
import { shellEffects } from '../../effects-of.ts'
import type { Ground } from '../files/protected-paths.ts'
import { groundOf, runsOn, type Target, targetsOf } from '../files/targets.ts'

/** A change of rights, and the files whose rights they are. */
export interface RightsChange {
  readonly found: FoundEffect
  readonly effect: ActEffect
  readonly files: readonly { readonly effect: FileEffect; readonly targets: readonly Target[] }[]
  readonly ground: Ground
}

/** What is changed in a container is gone with it. */
export function rightsChanges(event: Event, facts: Facts): readonly RightsChange[] {
  return shellEffects(event, facts).flatMap((found): readonly RightsChange[] => {
    const { effect, command } = found
    if (!isAct(effect) || !effect.act.startsWith('permissions/') || runsOn(command) === 'a container')
      return []
    // Asked again, because the tables that read every program's words would add the mode to the files.
    const own = permissions.effects({ name: command.name ?? 'chmod', command, home: facts.home })
    const files = own
      .filter(isFileEffect)
      .map((file) => ({ effect: file, targets: targetsOf(file, command, facts) }))
    return [{ found, effect, files, ground: groundOf(facts, command) }]
  })
}
