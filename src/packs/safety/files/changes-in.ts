import type { Event } from '../../../event.ts'
import type { Facts } from '../../../facts.ts'
import type { SimpleCommand } from '../../../shell/command.ts'
import { type FileEffect, type FoundEffect, isFileEffect, spellPath } from '../../../shell/effect.ts'
import { caughtEffect, shellEffects } from '../../effects-of.ts'
import type { Caught } from '../../guard.ts'
import { oncePerEvent } from '../../once-per-event.ts'
import { isShellCall } from '../../shell-of.ts'
import { touchedPaths } from '../../touched-paths.ts'
import { type Target, targetsOf } from './targets.ts'

/** A file that the event would write, make, replace or take away, by a command or by a file tool. */
export interface Change {
  /** Undefined for a file tool. */
  readonly command: SimpleCommand | undefined
  readonly recursive: boolean
  readonly targets: readonly Target[]
  caught(what: string, unsure: string | undefined): Caught
}

export const changesIn = oncePerEvent(findChanges)

function findChanges(event: Event, facts: Facts): readonly Change[] {
  if (!isShellCall(event)) return changesByTool(event, facts)
  return shellEffects(event, facts).flatMap((found): readonly Change[] => {
    const { effect, command } = found
    if (!isFileEffect(effect) || effect.kind !== 'write') return []
    return [shellChange(found, effect, command, facts)]
  })
}

function shellChange(found: FoundEffect, effect: FileEffect, command: SimpleCommand, facts: Facts): Change {
  return {
    command,
    recursive: effect.recursive === true,
    targets: targetsOf(effect, command, facts),
    caught(what, unsure) {
      const caught = caughtEffect(found, what, facts.home)
      const doubt = unsure ?? caught.unsure
      return doubt === undefined ? caught : { ...caught, unsure: doubt }
    },
  }
}

function changesByTool(event: Event, facts: Facts): readonly Change[] {
  return touchedPaths(event, facts)
    .filter((touch) => touch.access === 'write')
    .map((touch) => ({
      command: undefined,
      recursive: false,
      targets: [{ paths: touch.path.anchored ? [spellPath(touch.path)] : [], pattern: [] }],
      caught: (what, unsure) => ({
        caught: what,
        fragment: touch.fragment,
        ...(unsure === undefined ? {} : { unsure }),
      }),
    }))
}
