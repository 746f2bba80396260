import { scaleBand, scaleLinear } from 'd3-scale'
import { stack } from 'd3-shape'
import type { JSX } from 'preact'
import type { Slot } from '../../../report/slots.ts'
import { EFFECT_WORDS, SHOWN_EFFECTS } from '../effect.tsx'
import { counted } from '../format.ts'

const [WIDTH, HEIGHT] = [1_000, 230]
const [LEFT, BOTTOM, TOP] = [44, 24, 10]
const LABELS_MAX = 10
const COLUMN_MAX = 44

interface StackedColumnsProps {
  readonly slots: readonly Slot[]
  /** The calls that were let through are so many that the others would disappear. */
  readonly onlyStopped: boolean
}

/** Decisions over time: one column for each hour, day or week, what was denied at the bottom. */
export function StackedColumns({ slots, onlyStopped }: StackedColumnsProps): JSX.Element {
  const effects = onlyStopped ? SHOWN_EFFECTS.slice(0, 2) : SHOWN_EFFECTS
  const series = stack<Slot>().keys([...effects])([...slots])
  const most = Math.max(1, ...series.flatMap((each) => each.map(([, end]) => end)))
  const x = scaleBand(
    slots.map(({ start }) => start),
    [LEFT, WIDTH],
  ).padding(0.2)
  const y = scaleLinear([0, most], [HEIGHT - BOTTOM, TOP]).nice(4)
  const width = Math.min(x.bandwidth(), COLUMN_MAX)
  const leftOf = (start: string) => (x(start) ?? 0) + (x.bandwidth() - width) / 2
  const every = Math.ceil(slots.length / LABELS_MAX)
  const sum = (effect: (typeof SHOWN_EFFECTS)[number]) =>
    slots.reduce((total, slot) => total + slot[effect], 0)
  const label = `Decisions over time: ${effects.map((effect) => `${sum(effect)} ${EFFECT_WORDS[effect].toLowerCase()}`).join(', ')}, in ${counted(slots.length, 'column')}`
  return (
    <svg class="columns-chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
      {y.ticks(4).map((tick) => (
        <g key={tick}>
          <line class="grid" x1={LEFT} x2={WIDTH} y1={y(tick)} y2={y(tick)} />
          <text class="tick end" x={LEFT - 8} y={y(tick) + 4}>
            {tick.toLocaleString('en')}
          </text>
        </g>
      ))}
      {series.map((each) => (
        <g key={each.key} class={`fill-${each.key}`}>
          {each.map((point) => {
            const [from, to] = point
            const height = y(from) - y(to)
            if (height <= 0) return null
            return (
              <rect
                key={point.data.start}
                x={leftOf(point.data.start)}
                y={y(to)}
                width={width}
                height={height}
              >
                <title>{`${point.data.label}: ${to - from} ${each.key}`}</title>
              </rect>
            )
          })}
        </g>
      ))}
      {slots.map(({ start, label: words }, index) =>
        index % every === 0 ? (
          <text key={start} class="tick" x={(x(start) ?? 0) + x.bandwidth() / 2} y={HEIGHT - 6}>
            {words}
          </text>
        ) : null,
      )}
    </svg>
  )
}
