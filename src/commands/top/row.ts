import type { Effect } from '../../core/decision.ts'
import type { ScreenCell, ScreenTone } from './cells.ts'

/** A line before it is cut to the screen. */
export interface ScreenRow {
  readonly cells: readonly ScreenCell[]
  readonly isSelected?: boolean
}

export const SCREEN_EFFECTS: Readonly<Record<Effect, readonly [string, ScreenTone]>> = {
  deny: ['DENIED', 'deny'],
  ask: ['ASKED', 'ask'],
  allow: ['ALLOWED', 'allow'],
  pass: ['passed', 'dim'],
}

export function clockTime(iso: string): string {
  return new Date(iso).toTimeString().slice(0, 8)
}
