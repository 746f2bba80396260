import type { Event } from '../event.ts'
import type { Facts } from '../facts.ts'
import type { Json } from '../json.ts'
import { type Effect, type FoundEffect, isAct, isFileEffect, pathOf, spellPath } from '../shell/effect.ts'
import { effectsOf } from '../shell/effects.ts'
import type { Caught } from './guard.ts'
import { oncePerEvent } from './once-per-event.ts'
import { shellOf } from './shell-of.ts'

/** What the event's shell command would do; nothing for one that cannot be read. */
export const shellEffects = oncePerEvent((event: Event, facts: Facts): readonly FoundEffect[] => {
  const analysis = shellOf(event, facts)
  return analysis.judged ? effectsOf(analysis.commands, facts.home) : []
})

/** What is among the effects, so that the many guards whose act or kind is not there need not look. */
interface Present {
  readonly acts: ReadonlySet<string>
  readonly kinds: ReadonlySet<Effect['kind']>
}

export function presentIn(effects: readonly FoundEffect[]): Present {
  if (lastPresent?.effects === effects) return lastPresent
  const acts = new Set<string>()
  const kinds = new Set<Effect['kind']>()
  for (const { effect } of effects) {
    kinds.add(effect.kind)
    if (isAct(effect)) acts.add(effect.act)
  }
  lastPresent = { effects, acts, kinds }
  return lastPresent
}

let lastPresent: (Present & { readonly effects: readonly FoundEffect[] }) | undefined

/** A catch of this effect: `caught` is the end of a sentence after "this". */
export function caughtEffect({ effect, command }: FoundEffect, caught: string, home: string): Caught {
  const file = isFileEffect(effect) ? effect : 'file' in effect ? effect.file : undefined
  const detail: Record<string, Json> = {
    effect: isAct(effect) ? `${effect.kind} ${effect.act}` : effect.kind,
    via: [...command.via],
    ...(command.name === undefined ? {} : { program: command.name }),
    at: [command.start, command.end],
    ...(file === undefined ? {} : { path: spellPath(pathOf(file, home)) }),
  }
  const unsure = effect.unsure === undefined ? {} : { unsure: effect.unsure }
  return { caught, fragment: command.fragment, ...unsure, detail }
}
