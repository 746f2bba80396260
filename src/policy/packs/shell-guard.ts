import type { Event } from '../../core/event.ts'
import type { Facts } from '../../core/facts.ts'
import type { Guard, GuardInput, GuardMatch, Topics } from '../../core/guard.ts'
import type { ActId } from '../../shell/programs/act-ids.ts'
import type { SimpleCommand } from '../../shell/vocabulary/command.ts'
import { type ActEffect, type FoundEffect, isAct, type ShellEffect } from '../../shell/vocabulary/effect.ts'
import { presentIn, shellEffects } from '../analysis/effects-of.ts'
import { shellOf, unreadableMatch } from '../analysis/shell-of.ts'
import { ANY_COMMAND, inCommand, ofKinds, UNREADABLE_COMMAND } from '../analysis/topics.ts'
import { strongest } from './strongest.ts'

/** The kind of most guards: it reads a shell command and judges each part that it finds. */
export interface ShellGuard extends Omit<Guard, 'on' | 'match' | 'check' | 'concerns'> {
  /** Default: `Bash`. */
  readonly match?: string
  /** Words that make an unreadable command suspicious, and what such a command may do. */
  readonly mentions: RegExp
  readonly maybe: string
  readonly detectors: readonly Detector[]
}

/** One kind of finding that a guard looks for. Without any finding there is nothing to judge. */
export interface Detector {
  /** Without one of these topics, it applies to no event. Missing: it may apply to any. */
  readonly topics?: readonly Topics[]
  applies(event: Event, facts: Facts): boolean
  match(input: GuardInput): GuardMatch | null
}

export function shellGuard({ mentions, maybe, detectors, match = 'Bash', ...guard }: ShellGuard): Guard {
  const topics = topicsOfAll(detectors) ?? (match === 'Bash' ? [ANY_COMMAND] : undefined)
  return {
    ...guard,
    on: ['PreToolUse'],
    match,
    ...(topics === undefined ? {} : { topics }),
    concerns(event, facts) {
      return !shellOf(event, facts).judged || detectors.some((detector) => detector.applies(event, facts))
    },
    check(input) {
      const analysis = shellOf(input.event, input.facts)
      if (!analysis.judged) return unreadableMatch(input.event, analysis.why, mentions, maybe)
      return strongest(detectors, (detector) => detector.match(input))
    },
  }
}

function topicsOfAll(detectors: readonly Detector[]): readonly Topics[] | undefined {
  const all = [UNREADABLE_COMMAND]
  for (const { topics } of detectors) {
    if (topics === undefined) return undefined
    all.push(...topics)
  }
  return all
}

/** What a guard judges, one by one. */
export interface Findings<Item> {
  (event: Event, facts: Facts): readonly Item[]
  /** Where none of these topics is, there is nothing to judge. */
  readonly topics?: readonly Topics[]
}

export function detector<Item>(
  among: Findings<Item>,
  judge: (item: Item, input: GuardInput) => GuardMatch | null,
): Detector {
  return {
    ...(among.topics === undefined ? {} : { topics: among.topics }),
    applies: (event, facts) => among(event, facts).length > 0,
    match: (input) => strongest(among(input.event, input.facts), (item) => judge(item, input)),
  }
}

const NONE: readonly never[] = []

/** All commands in the command line, as the shell would start them. */
export function commandsIn(event: Event, facts: Facts): readonly SimpleCommand[] {
  const analysis = shellOf(event, facts)
  return analysis.judged ? analysis.commands : NONE
}

/** The commands that run one of these programs. */
export function commandsOf(programs: ReadonlySet<string>): Findings<SimpleCommand> {
  return onTopics([inCommand(...programs)], (event, facts) =>
    commandsIn(event, facts).filter(({ name }) => programs.has(name ?? '')),
  )
}

/** Findings that there are only in events with one of these topics. */
export function onTopics<Item>(
  topics: readonly Topics[],
  among: (event: Event, facts: Facts) => readonly Item[],
): Findings<Item> {
  return Object.assign((event: Event, facts: Facts) => among(event, facts), { topics })
}

type Found<Kind extends ShellEffect> = FoundEffect & { readonly effect: Kind }
export type FoundAct = Found<ActEffect>

/** Effects that are one of these acts. The specifications in src/shell/programs define the names. */
export function actsIn(acts: readonly ActId[]): Findings<FoundAct> {
  const wanted = new Set<string>(acts)
  return onTopics([inCommand(...acts)], (event, facts) => {
    const effects = shellEffects(event, facts)
    const present = presentIn(effects).acts
    if (present.size === 0 || !acts.some((act) => present.has(act))) return NONE
    return effects.filter((found): found is FoundAct => isAct(found.effect) && wanted.has(found.effect.act))
  })
}

/** Effects of one kind. */
export function effectsOfKind<Kind extends ShellEffect['kind']>(
  kind: Kind,
): Findings<Found<Extract<ShellEffect, { readonly kind: Kind }>>> {
  return onTopics([ofKinds(kind)], (event, facts) => {
    const effects = shellEffects(event, facts)
    if (!presentIn(effects).kinds.has(kind)) return NONE
    return effects.filter(
      (found): found is Found<Extract<ShellEffect, { readonly kind: Kind }>> => found.effect.kind === kind,
    )
  })
}
