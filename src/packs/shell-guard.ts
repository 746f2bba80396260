import type { Event } from '../event.ts'
import type { Facts } from '../facts.ts'
import type { SimpleCommand } from '../shell/command.ts'
import { type ActEffect, type Effect, type FoundEffect, isAct } from '../shell/effect.ts'
import { presentIn, shellEffects } from './effects-of.ts'
import type { Caught, Guard, GuardInput } from './guard.ts'
import { shellOf, unreadable } from './shell-of.ts'
import { strongest } from './strongest.ts'

/** Most guards: a shell command is read, and what is found in it judged, one thing after the other. */
export interface ShellGuard extends Omit<Guard, 'on' | 'match' | 'check' | 'concerns'> {
  /** `Bash` when missing. */
  readonly match?: string
  /** Words that make a command that cannot be read suspicious, and what it may then do. */
  readonly mentions: RegExp
  readonly maybe: string
  readonly looks: readonly Look[]
}

/** One kind of thing a guard looks for. Where there is none of it, there is nothing to judge. */
export interface Look {
  sees(event: Event, facts: Facts): boolean
  judge(input: GuardInput): Caught | null
}

export function shellGuard({ mentions, maybe, looks, match = 'Bash', ...guard }: ShellGuard): Guard {
  return {
    ...guard,
    on: ['PreToolUse'],
    match,
    concerns(event, facts) {
      return !shellOf(event, facts).judged || looks.some((look) => look.sees(event, facts))
    },
    check(input) {
      const analysis = shellOf(input.event, input.facts)
      if (!analysis.judged) return unreadable(input.event, analysis.why, mentions, maybe)
      return strongest(looks, (look) => look.judge(input))
    },
  }
}

export function look<Item>(
  among: (event: Event, facts: Facts) => readonly Item[],
  judge: (item: Item, input: GuardInput) => Caught | null,
): Look {
  return {
    sees: (event, facts) => among(event, facts).length > 0,
    judge: (input) => strongest(among(input.event, input.facts), (item) => judge(item, input)),
  }
}

const NONE: readonly never[] = []

/** All commands of the line, as the shell would start them. */
export function commandsIn(event: Event, facts: Facts): readonly SimpleCommand[] {
  const analysis = shellOf(event, facts)
  return analysis.judged ? analysis.commands : NONE
}

/** Those of certain programs. */
export function commandsOf(programs: ReadonlySet<string>) {
  return (event: Event, facts: Facts): readonly SimpleCommand[] =>
    commandsIn(event, facts).filter(({ name }) => programs.has(name ?? ''))
}

type Found<Kind extends Effect> = FoundEffect & { readonly effect: Kind }
export type FoundAct = Found<ActEffect>

/** Effects that are one of these acts, as the models in src/shell/models name them. */
export function actsIn(acts: readonly string[]) {
  const wanted = new Set(acts)
  return (event: Event, facts: Facts): readonly FoundAct[] => {
    const effects = shellEffects(event, facts)
    const present = presentIn(effects).acts
    if (present.size === 0 || !acts.some((act) => present.has(act))) return NONE
    return effects.filter((found): found is FoundAct => isAct(found.effect) && wanted.has(found.effect.act))
  }
}

/** Effects of one kind. */
export function effectsOfKind<Kind extends Effect['kind']>(kind: Kind) {
  return (event: Event, facts: Facts): readonly Found<Extract<Effect, { readonly kind: Kind }>>[] => {
    const effects = shellEffects(event, facts)
    if (!presentIn(effects).kinds.has(kind)) return NONE
    return effects.filter(
      (found): found is Found<Extract<Effect, { readonly kind: Kind }>> => found.effect.kind === kind,
    )
  }
}
