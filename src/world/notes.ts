import { lstatSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path'
import type { Note } from '../decision.ts'
import type { Facts } from '../facts.ts'
import type { JsonObject } from '../json.ts'
import { type Masker, redact, redactJson } from '../redact.ts'
import { appendLine } from './append-line.ts'
import { writeWhole } from './files.ts'
import { keepLog } from './log-files.ts'
import { CLOSED_MODE, codeOf, said } from './owned-file.ts'

/**
 * Keeps what guards note down for people: only inside the project, after every symbolic link is resolved, and masked
 * whoever wrote it. A line is one write at the end of its file, so that any number of processes add to it at once and
 * lose nothing. Never throws: what cannot be kept is one sentence for the person.
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
      if (note.put === 'log') keepLog(note, redact(note.text, maskers), logFolder)
      else keep(note, insideOf(root, note.path, facts), maskers)
    } catch (error) {
      lost ??= `Holdpoint could not keep ${note.path}: ${said(error)}. Nothing was stopped by that; what it would have said is missing.`
    }
  }
  return lost
}

/** Links on the way are followed and judged by where they lead; a link in the place of the file is not. */
function insideOf(root: string, path: string, facts: Facts): string {
  const full = resolve(root, path)
  const real = join(facts.realpath(dirname(full)), basename(full))
  const inside = relative(root, real)
  if (inside === '' || inside.startsWith('..') || isAbsolute(inside))
    throw new Error('it leads out of the project')
  return real
}

function keep(note: Exclude<Note, { put: 'log' }>, path: string, maskers: readonly Masker[]): void {
  switch (note.put) {
    case 'line':
      appendLine(path, jsonText(note.json, maskers))
      break
    case 'whole':
      writeWhole(path, `${jsonText(note.json, maskers, 2)}\n`, CLOSED_MODE)
      break
    case 'first':
      writeFirst(path, note.text)
      break
    case 'away':
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
    // Another process was first: that is what was wanted.
    if (codeOf(error) === 'EEXIST') return
    // Half of it must not count as there.
    rmSync(path, { force: true })
    throw error
  }
}
