import type { JSX } from 'preact'
import type { Effect } from '../../../core/decision.ts'
import { Icon } from './icons.tsx'

export const EFFECT_WORDS: Readonly<Record<Effect, string>> = {
  deny: 'Denied',
  ask: 'Asked',
  allow: 'Allowed',
  pass: 'Passed',
}

/** The strictest first, as people look for them. */
export const SHOWN_EFFECTS: readonly Effect[] = ['deny', 'ask', 'allow', 'pass']

/** A word, a shape and a colour: no one of them is needed to read the others. */
export function EffectBadge({ effect }: { readonly effect: Effect }): JSX.Element {
  return (
    <span class={`badge ${effect}`}>
      <Icon name={effect} size={13} />
      {EFFECT_WORDS[effect]}
    </span>
  )
}

export function EffectWord({ said }: { readonly said: string }): JSX.Element {
  const effect = SHOWN_EFFECTS.find((each) => each === said)
  return effect === undefined ? <span class="badge failed">{said}</span> : <EffectBadge effect={effect} />
}

/** The shares of the four effects as one bar. The numbers are in the text next to it. */
export function EffectBar({ effects }: { readonly effects: Readonly<Record<Effect, number>> }): JSX.Element {
  const sum = Math.max(
    1,
    SHOWN_EFFECTS.reduce((total, effect) => total + effects[effect], 0),
  )
  let at = 0
  return (
    <svg
      class="effect-bar"
      viewBox="0 0 100 6"
      preserveAspectRatio="none"
      aria-hidden="true"
      focusable="false"
    >
      {SHOWN_EFFECTS.map((effect) => {
        // What was stopped once among thousands must still be seen.
        const width = effects[effect] === 0 ? 0 : Math.max(1.5, (100 * effects[effect]) / sum)
        const x = at
        at += width
        return <rect key={effect} class={`fill-${effect}`} x={x} y="0" width={width} height="6" />
      })}
    </svg>
  )
}
