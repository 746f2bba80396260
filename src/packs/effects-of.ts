import type { Event } from '../event.ts'
import type { Facts } from '../facts.ts'
import type { Json } from '../json.ts'
import { type FoundEffect, isAct, isFileEffect, pathOf, spellPath } from '../shell/effect.ts'
import { effectsOf } from '../shell/effects.ts'
import type { Caught } from './guard.ts'
import { shellOf } from './shell-of.ts'

const remembered = new WeakMap<Event, readonly FoundEffect[]>()

/** What the event's shell command would do; nothing for one that cannot be read. Worked out once an event. */
export function shellEffects(event: Event, facts: Facts): readonly FoundEffect[] {
  const known = remembered.get(event)
  if (known !== undefined) return known
  const analysis = shellOf(event, facts)
  const effects = analysis.judged ? effectsOf(analysis.commands, facts.home) : []
  remembered.set(event, effects)
  return effects
}

/** A catch of this effect: `caught` is the end of a sentence after "this". */
export function caughtEffect({ effect, command }: FoundEffect, caught: string, home: string): Caught {
  const file = isFileEffect(effect) ? effect : 'file' in effect ? effect.file : undefined
  const detail: Record<string, Json> = {
    effect: isAct(effect) ? `${effect.kind} ${effect.act}` : effect.kind,
    via: [...command.via],
    at: [command.start, command.end],
    ...(file === undefined ? {} : { path: spellPath(pathOf(file, home)) }),
  }
  const unsure = effect.unsure === undefined ? {} : { unsure: effect.unsure }
  return { caught, fragment: command.fragment, ...unsure, detail }
}
