import type { Event } from '../../core/event.ts'
import type { Facts } from '../../core/facts.ts'
import type { ShellEffect } from '../../shell/vocabulary/effect.ts'
import { presentIn, shellEffects } from './effects-of.ts'
import { oncePerEvent } from './once-per-event.ts'
import { shellOf } from './shell-of.ts'

/**
 * What guards look for in an event, as words: acts (`git/force-push`), programs (`git`), kinds of effects, and whether the
 * command can be read. A guard that names its topics is asked only about events that have one of them.
 */
export const topicsOf = oncePerEvent((event: Event, facts: Facts): ReadonlySet<string> => {
  const analysis = shellOf(event, facts)
  if (!analysis.judged) return UNREADABLE_ONLY
  const { acts, kinds } = presentIn(shellEffects(event, facts))
  const topics = new Set<string>(acts)
  for (const kind of kinds) topics.add(kindTopic(kind))
  for (const { name } of analysis.commands) if (name !== undefined) topics.add(name)
  return topics
})

/** The command cannot be read, so nothing else is known of it. */
export const UNREADABLE = 'unreadable'
const UNREADABLE_ONLY: ReadonlySet<string> = new Set([UNREADABLE])

/** With a word before it, because some kinds are names of programs too. */
export function kindTopic(kind: ShellEffect['kind']): string {
  return `effect ${kind}`
}
