import type { Event } from '../../core/event.ts'
import type { Facts } from '../../core/facts.ts'
import type { GuardMatch } from '../../core/guard.ts'
import type { Json } from '../../core/json.ts'
import { effectsOf } from '../../shell/effects.ts'
import {
  type FoundEffect,
  isAct,
  isFileEffect,
  pathOf,
  type ShellEffect,
  spellPath,
} from '../../shell/vocabulary/effect.ts'
import { oncePerEvent } from './once-per-event.ts'
import { shellOf } from './shell-of.ts'

/** The effects of the event's shell command; empty if the command cannot be read. */
export const shellEffects = oncePerEvent((event: Event, facts: Facts): readonly FoundEffect[] => {
  const analysis = shellOf(event, facts)
  return analysis.judged ? effectsOf(analysis.commands, facts.home) : []
})

/** The kinds and acts among the effects, so that guards for other acts can skip the event quickly. */
interface Present {
  readonly acts: ReadonlySet<string>
  readonly kinds: ReadonlySet<ShellEffect['kind']>
}

export function presentIn(effects: readonly FoundEffect[]): Present {
  if (lastPresent?.effects === effects) return lastPresent
  const acts = new Set<string>()
  const kinds = new Set<ShellEffect['kind']>()
  for (const { effect } of effects) {
    kinds.add(effect.kind)
    if (isAct(effect)) acts.add(effect.act)
  }
  lastPresent = { effects, acts, kinds }
  return lastPresent
}

let lastPresent: (Present & { readonly effects: readonly FoundEffect[] }) | undefined

/** A match for this effect: `caught` is the end of a sentence after "this". */
export function caughtEffect({ effect, command }: FoundEffect, caught: string, home: string): GuardMatch {
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
