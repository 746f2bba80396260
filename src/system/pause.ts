import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Json, JsonObject } from '../core/json.ts'
import { writeWhole } from './files.ts'
import type { Home } from './home.ts'
import { readOwnJson } from './own-json.ts'
import { personVerifier, type Signer } from './signatures.ts'

/** A maintenance window: these packs are off from `sinceMs` to `untilMs`. */
export interface Pause {
  readonly sinceMs: number
  readonly untilMs: number
  readonly packs: readonly string[] | 'all'
}

/** A pause that is never ended must not last forever. */
export const PAUSE_MAX_MS = 8 * 60 * 60 * 1_000

export function pauseFile(home: Home): string {
  return join(home.folder, 'pause.json')
}

/** The window as it was opened, over or not. `unsigned`: the file was not signed by a person; it pauses nothing. */
export type ReadPause =
  | { readonly kind: 'none' }
  | { readonly kind: 'unsigned' }
  | { readonly kind: 'signed'; readonly pause: Pause }

/** A window that is longer than allowed does not count. */
export function readPause(home: Home): ReadPause {
  const value = readOwnJson(pauseFile(home))
  const pause = value === undefined ? undefined : pauseIn(value)
  if (value === undefined || pause === undefined) return { kind: 'none' }
  if (personVerifier(home)('pause', contentOf(pause), value.by)) return { kind: 'signed', pause }
  return pause.untilMs > Date.now() ? { kind: 'unsigned' } : { kind: 'none' }
}

function pauseIn({ sinceMs, untilMs, packs }: JsonObject): Pause | undefined {
  if (typeof sinceMs !== 'number' || typeof untilMs !== 'number') return undefined
  if (untilMs <= sinceMs || untilMs - sinceMs > PAUSE_MAX_MS) return undefined
  if (packs === 'all') return { sinceMs, untilMs, packs }
  if (!Array.isArray(packs)) return undefined
  return { sinceMs, untilMs, packs: packs.filter((pack) => typeof pack === 'string') }
}

export function writePause(home: Home, pause: Pause, signer: Signer): void {
  const by = signer.sign('pause', contentOf(pause))
  writeWhole(pauseFile(home), `${JSON.stringify({ version: 2, ...pause, by }, null, 2)}\n`, 0o600)
}

function contentOf({ sinceMs, untilMs, packs }: Pause): readonly Json[] {
  return [sinceMs, untilMs, packs]
}

export function endPause(home: Home): void {
  rmSync(pauseFile(home), { force: true })
}
