import { lstatSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isObject, type JsonObject } from '../../core/json.ts'
import type { TranscriptItem, TranscriptReader } from '../../core/transcript.ts'
import { readRegularText } from '../../system/regular-file.ts'
import { linesIn } from './database.ts'
import { type LineOptions, linesOf } from './lines.ts'

/** What could not be read, counted by kind, so that nothing is left out in silence. */
export interface Unread {
  /** Lines longer than 16 MiB. */
  tooLong: number
  /** Lines that are not a JSON object. */
  garbled: number
  /** Last lines without an end, as a program that was stopped leaves them. */
  cut: number
  /** Lines with a call that lacks its tool, session, folder or time. */
  incomplete: number
  /** Files that could not be opened or read to their end. */
  files: number
}

export function nothingUnread(): Unread {
  return { tooLong: 0, garbled: 0, cut: 0, incomplete: 0, files: 0 }
}

/** The calls and outcomes in one file, in its order. What cannot be read is counted and skipped; nothing throws. */
export function* readTranscript(
  file: string,
  path: string,
  reader: TranscriptReader,
  unread: Unread,
  options: LineOptions = {},
): Generator<TranscriptItem> {
  const read = reader.open(path)
  try {
    for (const line of objectsIn(file, path, reader, unread, options)) {
      for (const item of read(line)) {
        if (item.kind === 'unreadable' || (item.kind === 'call' && !TIME.test(item.call.at)))
          unread.incomplete += 1
        else yield item
      }
    }
  } catch {
    unread.files += 1
  }
}

/** What a reader gets of a file, in its order. */
export function* objectsIn(
  file: string,
  path: string,
  reader: TranscriptReader,
  unread: Unread,
  options: LineOptions = {},
): Generator<JsonObject> {
  const preface = reader.preface?.(path)
  if (preface !== undefined) yield* prefaceObject(join(dirname(file), preface), unread)
  if (reader.format === 'jsonl') yield* linesWithHints(file, reader, unread, options)
  else if (reader.format === 'json') yield* wholeObject(file, unread)
  else yield* linesIn(file, reader.format, path.slice(path.lastIndexOf(SESSION_MARK) + 1))
}

/** Between the path of a database and the name of a session in it. */
export const SESSION_MARK = '#'

function* linesWithHints(
  file: string,
  { hints }: TranscriptReader,
  unread: Unread,
  options: LineOptions,
): Generator<JsonObject> {
  for (const line of linesOf(file, options)) {
    if (line.kind === 'too-long') {
      unread.tooLong += 1
      continue
    }
    const value = parsed(line.text, hints)
    if (value === 'skipped') continue
    if (value !== undefined) yield value
    else if (line.kind === 'last') unread.cut += 1
    else unread.garbled += 1
  }
}

/** Without it, calls lack what it says, and are counted. */
function* prefaceObject(file: string, unread: Unread): Generator<JsonObject> {
  if (lstatSync(file, { throwIfNoEntry: false })?.isFile() === true) yield* wholeObject(file, unread)
}

const FILE_MAX_BYTES = 64 * 1024 * 1024

function* wholeObject(file: string, unread: Unread): Generator<JsonObject> {
  const text = readRegularText(file, FILE_MAX_BYTES)
  if (text === undefined) throw new Error('it cannot be read')
  try {
    const value: unknown = JSON.parse(text)
    if (isObject(value)) yield value
    else unread.garbled += 1
  } catch {
    unread.garbled += 1
  }
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d/

/** A line without a hint is not parsed, but it must look like an object: what is torn is counted, call or not. */
function parsed(text: string, hints: readonly string[]): JsonObject | 'skipped' | undefined {
  const line = text.trim()
  if (line === '') return 'skipped'
  if (!line.startsWith('{') || !line.endsWith('}')) return undefined
  if (!hints.some((hint) => line.includes(hint))) return 'skipped'
  try {
    const value: unknown = JSON.parse(line)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
