import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { readOwnJson } from './exceptions.ts'
import { writeWhole } from './files.ts'
import type { Home } from './home.ts'

/** A maintenance window: these packs are off from when to when. */
export interface Pause {
  readonly sinceMs: number
  readonly untilMs: number
  readonly packs: readonly string[] | 'all'
}

/** A window nobody closes must not last for ever. */
export const PAUSE_MAX_MS = 8 * 60 * 60 * 1_000

export function pauseFile(home: Home): string {
  return join(home.folder, 'pause.json')
}

/** The window as it was opened, over or not. One longer than any person may open is none. */
export function readPause(path: string): Pause | undefined {
  const value = readOwnJson(path)
  if (value === undefined) return undefined
  const { sinceMs, untilMs, packs } = value
  if (typeof sinceMs !== 'number' || typeof untilMs !== 'number') return undefined
  if (untilMs <= sinceMs || untilMs - sinceMs > PAUSE_MAX_MS) return undefined
  if (packs === 'all') return { sinceMs, untilMs, packs }
  if (!Array.isArray(packs)) return undefined
  return { sinceMs, untilMs, packs: packs.filter((pack) => typeof pack === 'string') }
}

export function writePause(path: string, pause: Pause): void {
  writeWhole(path, `${JSON.stringify({ version: 1, ...pause }, null, 2)}\n`, 0o600)
}

export function endPause(path: string): void {
  rmSync(path, { force: true })
}
