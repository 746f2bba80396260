import { scaleLinear } from 'd3-scale'
import type { JSX } from 'preact'
import type { Effect } from '../../../../core/decision.ts'
import { SHOWN_EFFECTS } from '../effect.tsx'
import { counted } from '../format.ts'

interface PulseProps {
  readonly events: readonly { readonly atMs: number; readonly effect: Effect }[]
  readonly nowMs: number
  readonly spanMs: number
}

const SLOTS = 60
const [WIDTH, HEIGHT] = [240, 36]

/** How much happens: the last minutes in small columns, what was stopped at the bottom. */
export function Pulse({ events, nowMs, spanMs }: PulseProps): JSX.Element {
  const slots = Array.from({ length: SLOTS }, () => ({ deny: 0, ask: 0, allow: 0, pass: 0 }))
  const fromMs = nowMs - spanMs
  for (const { atMs, effect } of events) {
    const slot = slots[Math.min(SLOTS - 1, Math.floor(((atMs - fromMs) / spanMs) * SLOTS))]
    if (slot !== undefined) slot[effect] += 1
  }
  const totals = slots.map((slot) => slot.deny + slot.ask + slot.allow + slot.pass)
  const y = scaleLinear([0, Math.max(4, ...totals)], [0, HEIGHT - 2])
  const stopped = events.filter(({ effect }) => effect === 'deny' || effect === 'ask').length
  const label = `The last ${Math.round(spanMs / 60_000)} minutes: ${counted(events.length, 'event')}, ${stopped} stopped`
  return (
    <svg class="pulse" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
      {slots.flatMap((slot, index) => {
        let from = HEIGHT - 1
        return SHOWN_EFFECTS.flatMap((effect) => {
          if (slot[effect] === 0) return []
          const height = Math.max(2, y(slot[effect]))
          from -= height
          return (
            <rect
              key={`${index}${effect}`}
              class={`fill-${effect}`}
              x={(index * WIDTH) / SLOTS}
              y={from}
              width={WIDTH / SLOTS - 1}
              height={height}
            />
          )
        })
      })}
      <line class="axis" x1="0" x2={WIDTH} y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} />
    </svg>
  )
}
