import type { Slot } from '../slots.ts'
import { grouped } from '../words.ts'
import { fixed } from './bars.ts'
import { escaped } from './escape.ts'

const WIDTH = 880
const LEFT = 52
const RIGHT = 12
const TOP = 22
/** Stopped calls above; all calls, smaller, below. The two differ by orders of magnitude. */
const STOPPED = 130
const GAP = 34
const ALL = 46
const AXIS = 24
const LABELS_MAX = 8
const COLUMN_MAX = 44

/**
 * Decisions over time: denied and asked in one panel, if there are any, and all decisions in a second one
 * below it.
 */
export function timeChart(slots: readonly Slot[]): string {
  if (slots.length === 0) return ''
  const step = (WIDTH - LEFT - RIGHT) / slots.length
  const width = Math.min(COLUMN_MAX, Math.max(1, step - 2))
  const centre = (at: number) => LEFT + step * (at + 0.5)
  const most = Math.max(...slots.map(({ deny, ask }) => deny + ask))
  const stopped: Panel = { title: 'denied and asked', top: TOP, tall: STOPPED, scale: niceAbove(most) }
  const all: Panel = {
    title: 'all decisions',
    top: most === 0 ? TOP : TOP + STOPPED + GAP,
    tall: most === 0 ? STOPPED : ALL,
    scale: niceAbove(Math.max(...slots.map(totalOf))),
  }
  const columns = slots.map((slot, at) => {
    const x = centre(at) - width / 2
    const parts = [
      columnPart('deny', slot.deny, 0, stopped),
      columnPart('ask', slot.ask, slot.deny, stopped),
      columnPart('pass', totalOf(slot), 0, all),
    ]
    const rects = parts.map((part) =>
      part === '' ? '' : `<rect x="${fixed(x)}" width="${fixed(width)}" ${part}/>`,
    )
    return `<g><title>${escaped(saidOf(slot))}</title>${rects.join('')}</g>`
  })
  const height = all.top + all.tall + AXIS
  const label = `Decisions over time, from ${slots[0]?.label} to ${slots.at(-1)?.label}. The table below has the numbers.`
  return `<svg role="img" aria-label="${escaped(label)}" viewBox="0 0 ${WIDTH} ${height}">${[
    ...(most === 0 ? [] : [axis(stopped, [0, 0.5, 1])]),
    axis(all, most === 0 ? [0, 0.5, 1] : [0, 1]),
    ...columns,
    ...ticks(slots, centre, height),
  ].join('')}</svg>`
}

interface Panel {
  readonly title: string
  readonly top: number
  readonly tall: number
  /** The value at the top of the scale. */
  readonly scale: number
}

/** A value above 0 is always visible. */
function columnPart(tone: string, value: number, base: number, { top, tall, scale }: Panel): string {
  if (value === 0) return ''
  const height = Math.max(1.5, (value / scale) * tall)
  const y = top + tall - (base / scale) * tall - height
  return `class="${tone}" y="${fixed(y)}" height="${fixed(height)}"`
}

function totalOf({ pass, allow, ask, deny }: Slot): number {
  return pass + allow + ask + deny
}

function saidOf(slot: Slot): string {
  return `${slot.label}: ${grouped(slot.deny)} denied, ${grouped(slot.ask)} asked, ${grouped(totalOf(slot))} in all`
}

function axis({ title, top, tall, scale }: Panel, shares: readonly number[]): string {
  const lines = shares
    .filter((share) => Number.isInteger(scale * share))
    .map((share) => {
      const y = fixed(top + tall - share * tall)
      return `<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y}" y2="${y}"/><text class="dim" x="${LEFT - 8}" y="${y}" text-anchor="end" dominant-baseline="central">${grouped(scale * share)}</text>`
    })
  return `${lines.join('')}<text class="dim" x="${LEFT}" y="${top - 9}" font-size="11">${title}</text>`
}

/** As many labels as fit, evenly spaced, none cut at an edge. */
function ticks(slots: readonly Slot[], centre: (at: number) => number, height: number): string[] {
  const every = Math.ceil(slots.length / LABELS_MAX)
  return slots.flatMap(({ label }, at) => {
    if (at % every !== 0) return []
    const half = label.length * 3.8
    const x = Math.min(Math.max(centre(at), LEFT + half - 20), WIDTH - RIGHT - half)
    return [
      `<text class="dim" x="${fixed(x)}" y="${height - 6}" text-anchor="middle">${escaped(label)}</text>`,
    ]
  })
}

/** The next round number whose half is a whole number too. */
function niceAbove(value: number): number {
  if (value <= 1) return 1
  const power = 10 ** Math.max(1, Math.floor(Math.log10(value)))
  return STEPS.map((step) => (step * power) / 10).find((each) => each >= value) ?? 10 * power
}

const STEPS = [2, 4, 6, 8, 10, 12, 14, 16, 20, 24, 30, 40, 50, 60, 80, 100] as const
