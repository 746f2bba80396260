import { readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isObject, type JsonObject, textAt } from '../core/json.ts'
import { writeWhole } from './files.ts'
import type { Home } from './home.ts'
import { contentHash } from './trust.ts'

/** What `adopt` did to a settings file, so that it can be undone byte for byte. */
export interface Adoption {
  readonly settings: string
  /** The previous text, if it is still known exactly. */
  readonly before?: string
  readonly after: string
  /** The adopted hooks, as they were written there. */
  readonly taken: JsonObject
  /** The file that contains the hooks now, as it was written. */
  readonly adopted: string
  /** The configuration before and after the import was added. */
  readonly configBefore?: string
  readonly configAfter: string
}

/** Undefined: nothing was adopted from there, or the record cannot be read. */
export function readAdoption(home: Home, settings: string): Adoption | undefined {
  try {
    const path = recordOf(home, settings)
    if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return undefined
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
    if (!isObject(value) || value.settings !== settings || !isObject(value.taken)) return undefined
    const [after, adopted, configAfter] = [value.after, value.adopted, value.configAfter]
    if (typeof after !== 'string' || typeof adopted !== 'string' || typeof configAfter !== 'string') {
      return undefined
    }
    const before = typeof value.before === 'string' ? { before: value.before } : {}
    const configBefore = textAt(value, 'configBefore')
    return {
      ...{ settings, after, adopted, configAfter, taken: value.taken },
      ...before,
      ...(configBefore === undefined ? {} : { configBefore }),
    }
  } catch {
    return undefined
  }
}

export function writeAdoption(home: Home, adoption: Adoption): void {
  const text = `${JSON.stringify({ version: 1, ...adoption }, null, 2)}\n`
  writeWhole(recordOf(home, adoption.settings), text, 0o600)
}

export function dropAdoption(home: Home, settings: string): void {
  rmSync(recordOf(home, settings), { force: true })
}

function recordOf(home: Home, settings: string): string {
  return join(home.folder, 'adopted', `${contentHash(settings).slice(0, 16)}.json`)
}
