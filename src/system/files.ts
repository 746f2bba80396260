import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path'
import type { FileChange } from '../core/decision.ts'
import { bad, good, type Result } from '../core/errors.ts'
import type { Facts } from '../core/facts.ts'
import { isAlive } from './platform/alive.ts'

/**
 * Writes the files that a finding asks for: only inside the project, after every symbolic link is resolved, each
 * completely or not at all.
 */
export function applyFiles(changes: readonly FileChange[], facts: Facts): Result<void> {
  const root = facts.realpath(facts.project)
  for (const change of changes) {
    const path = facts.realpath(resolve(root, change.path))
    const inside = relative(root, path)
    if (inside === '' || inside.startsWith('..') || isAbsolute(inside)) {
      return bad('FILE_OUTSIDE', `A hook wanted to write ${change.path}, which is outside the project.`, {
        file: path,
      })
    }
    try {
      if (change.text === null) rmSync(path, { force: true })
      else writeWhole(path, change.text)
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      return bad('STATE_UNWRITABLE', `${change.path} could not be written: ${why}`, { file: path })
    }
  }
  return good(undefined)
}

/** Readers see the old file or the new one, never half of it. */
export function writeWhole(path: string, text: string | Buffer, mode = 0o644): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o755 })
  const temporary = `${path}.${process.pid}.${Math.random().toString(36).slice(2, 10)}.tmp`
  try {
    writeFileSync(temporary, text, { mode, flag: 'wx' })
    renameSync(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}

/** Removes what a process that was killed in `writeWhole` has left beside this file. */
export function removeTorn(path: string): void {
  const folder = dirname(path)
  for (const name of namesIn(folder)) {
    if (!name.startsWith(`${basename(path)}.`)) continue
    const [, pid] = TEMPORARY.exec(name.slice(basename(path).length)) ?? []
    if (pid !== undefined && !isAlive(Number(pid))) rmSync(join(folder, name), { force: true })
  }
}

/** As `writeWhole` names it. */
const TEMPORARY = /^\.(\d+)\.[a-z0-9]+\.tmp$/

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
