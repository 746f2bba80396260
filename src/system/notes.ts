import { lstatSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path'
import type { Note } from '../core/decision.ts'
import type { Facts } from '../core/facts.ts'
import type { JsonObject } from '../core/json.ts'
import { type Masker, redact, redactJson } from '../core/redact/redact.ts'
import { appendLine } from './append-line.ts'
import { writeWhole } from './files.ts'
import { keepLog } from './log-files.ts'
import { CLOSED_MODE, codeOf, said } from './owned-file.ts'

/**
 * Stores the notes of guards for users: only inside the project, after every symbolic link is resolved, and always
 * masked. A line is one write at the end of its file, so that several processes can append at once without losing
 * data. Never throws: a note that cannot be stored is reported to the user in one sentence.
 */
export function keepNotes(
  notes: readonly Note[],
  facts: Facts,
  maskers: readonly Masker[],
  logFolder?: string,
): string | undefined {
  if (notes.length === 0) return undefined
  const root = facts.realpath(facts.project)
  let lost: string | undefined
  for (const note of notes) {
    try {
      if (note.kind === 'log') keepLog(note, redact(note.text, maskers), logFolder)
      else keep(note, insideOf(root, note.path, facts), maskers)
    } catch (error) {
      lost ??= `Holdpoint could not keep ${note.path}: ${said(error)}. Nothing was stopped by that; what it would have said is missing.`
    }
  }
  return lost
}

/** Links in the path are followed, and their target is checked. A link instead of the file itself is refused. */
function insideOf(root: string, path: string, facts: Facts): string {
  const full = resolve(root, path)
  const real = join(facts.realpath(dirname(full)), basename(full))
  const inside = relative(root, real)
  if (inside === '' || inside.startsWith('..') || isAbsolute(inside))
    throw new Error('it leads out of the project')
  return real
}

function keep(note: Exclude<Note, { kind: 'log' }>, path: string, maskers: readonly Masker[]): void {
  switch (note.kind) {
    case 'append':
      appendLine(path, jsonText(note.json, maskers))
      break
    case 'replace':
      writeWhole(path, `${jsonText(note.json, maskers, 2)}\n`, CLOSED_MODE)
      break
    case 'create':
      writeFirst(path, note.text)
      break
    case 'delete':
      if (lstatSync(path, { throwIfNoEntry: false })?.isFile()) rmSync(path, { force: true })
      break
  }
}

function jsonText(json: JsonObject, maskers: readonly Masker[], indent?: number): string {
  return JSON.stringify(redactJson(json, maskers), null, indent)
}

function writeFirst(path: string, text: string): void {
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) return
  mkdirSync(dirname(path), { recursive: true })
  try {
    writeFileSync(path, text, { flag: 'wx' })
  } catch (error) {
    // Another process was first, which has the same result.
    if (codeOf(error) === 'EEXIST') return
    // An incomplete file must not count as created.
    rmSync(path, { force: true })
    throw error
  }
}
