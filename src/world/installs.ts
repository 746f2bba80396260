import { readFileSync } from 'node:fs'
import { isObject, type Json, textAt } from '../json.ts'
import { writeWhole } from './files.ts'

/** One place our entries were written to. */
export interface Install {
  readonly host: string
  readonly scope: string
  readonly file: string
  /** How many entries were written: fewer later means that somebody took some out. */
  readonly entries: number
  /** The entries ask over HTTP, and the file holds the secret for it. */
  readonly http?: boolean
  /** The file's mode before it was closed for that. */
  readonly modeBefore?: number
}

/** What `init` wrote and `uninstall` has not taken out. A list nobody can read is empty: nothing is guessed. */
export function readInstalls(path: string): readonly Install[] {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
    const list = isObject(value) && Array.isArray(value.installs) ? value.installs : []
    return list.flatMap(readInstall)
  } catch {
    return []
  }
}

export function writeInstalls(path: string, installs: readonly Install[]): void {
  writeWhole(path, `${JSON.stringify({ version: 1, installs }, null, 2)}\n`, 0o600)
}

export function sameInstall(a: Install, b: Install): boolean {
  return a.host === b.host && a.file === b.file
}

function readInstall(value: Json): readonly Install[] {
  if (!isObject(value)) return []
  const [host, scope, file] = [textAt(value, 'host'), textAt(value, 'scope'), textAt(value, 'file')]
  const entries = typeof value.entries === 'number' ? value.entries : 1
  if (host === undefined || scope === undefined || file === undefined) return []
  const http = value.http === true ? { http: true } : {}
  const before = typeof value.modeBefore === 'number' ? { modeBefore: value.modeBefore & 0o777 } : {}
  return [{ host, scope, file, entries, ...http, ...before }]
}
