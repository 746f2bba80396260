import type { Home } from '../system/home.ts'
import { readPause } from '../system/pause.ts'
import { localTime } from './screen.ts'

export interface OpenPause {
  readonly packs: readonly string[] | 'all'
  /** ISO time. */
  readonly until: string
}

/** The pause that is open now. One that no person signed does not count. */
export function currentPause(home: Home, nowMs: number): OpenPause | undefined {
  const found = readPause(home)
  if (found.kind !== 'signed' || found.pause.untilMs <= nowMs) return undefined
  const { packs, untilMs } = found.pause
  return { packs, until: new Date(untilMs).toISOString() }
}

/** One line for everything that people would misread while a pause is open. */
export function pauseLine({ packs, until }: OpenPause): string {
  const off =
    packs === 'all'
      ? 'all packs are off'
      : `${packs.map((pack) => `\`${pack}\``).join(', ')} ${packs.length === 1 ? 'is' : 'are'} off`
  return `PAUSED until ${localTime(until)}: ${off}. To end the pause, run \`holdpoint pause --end\`.`
}
