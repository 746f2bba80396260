import type { Facts } from '../facts.ts'
import { type FoundEffect, isAct } from '../shell/effect.ts'
import { caughtEffect, presentIn, shellEffects } from './effects-of.ts'
import type { Guard } from './guard.ts'
import { shellOf, unreadable } from './shell-of.ts'
import { strongest } from './strongest.ts'

/** Most guards: a shell command has an effect that is one of these acts. */
export interface ActGuard
  extends Pick<Guard, 'id' | 'title' | 'why' | 'instead' | 'keywords' | 'modes' | 'examples'> {
  /** The acts it catches, as the models in src/shell/models name them. */
  readonly acts: readonly string[]
  /** Words that make a command that cannot be read suspicious, and what it may then do. */
  readonly mentions: RegExp
  readonly maybe: string
  /** Where the act is nobody's loss. */
  readonly spares?: (found: FoundEffect, facts: Facts) => boolean
}

export function actGuard({ acts, mentions, maybe, spares, ...guard }: ActGuard): Guard {
  const wanted = new Set(acts)
  return {
    ...guard,
    on: ['PreToolUse'],
    match: 'Bash',
    concerns(event, facts) {
      if (!shellOf(event, facts).judged) return true
      const present = presentIn(shellEffects(event, facts)).acts
      return present.size > 0 && acts.some((act) => present.has(act))
    },
    check({ event, facts }) {
      const analysis = shellOf(event, facts)
      if (!analysis.judged) return unreadable(event, analysis.why, mentions, maybe)
      return strongest(shellEffects(event, facts), (found) => {
        const { effect } = found
        if (!isAct(effect) || !wanted.has(effect.act) || spares?.(found, facts) === true) return null
        return caughtEffect(found, effect.what, facts.home)
      })
    },
  }
}
