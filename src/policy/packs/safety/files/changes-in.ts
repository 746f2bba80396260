import type { Event } from '../../../../core/event.ts'
import type { Facts } from '../../../../core/facts.ts'
import type { GuardMatch } from '../../../../core/guard.ts'
import type { SimpleCommand } from '../../../../shell/vocabulary/command.ts'
import {
  type FileEffect,
  type FoundEffect,
  isFileEffect,
  spellPath,
} from '../../../../shell/vocabulary/effect.ts'
import { caughtEffect, shellEffects } from '../../../analysis/effects-of.ts'
import { oncePerEvent } from '../../../analysis/once-per-event.ts'
import { isShellCall } from '../../../analysis/shell-of.ts'
import { ofKinds, TOOL_WRITES } from '../../../analysis/topics.ts'
import { touchedPaths } from '../../../analysis/touched-paths.ts'
import { onTopics } from '../../shell-guard.ts'
import { type FileTarget, targetsOf } from './targets.ts'

/** A file that the event would create, write, replace or remove, through a command or a file tool. */
export interface FileChangeTarget {
  /** Undefined for a file tool. */
  readonly command: SimpleCommand | undefined
  readonly recursive: boolean
  readonly targets: readonly FileTarget[]
  caught(what: string, unsure: string | undefined): GuardMatch
}

export const changesIn = onTopics([ofKinds('write'), TOOL_WRITES], oncePerEvent(findChanges))

function findChanges(event: Event, facts: Facts): readonly FileChangeTarget[] {
  if (!isShellCall(event)) return changesByTool(event, facts)
  return shellEffects(event, facts).flatMap((found): readonly FileChangeTarget[] => {
    const { effect, command } = found
    if (!isFileEffect(effect) || effect.kind !== 'write') return []
    return [shellChange(found, effect, command, facts)]
  })
}

function shellChange(
  found: FoundEffect,
  effect: FileEffect,
  command: SimpleCommand,
  facts: Facts,
): FileChangeTarget {
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

function changesByTool(event: Event, facts: Facts): readonly FileChangeTarget[] {
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
