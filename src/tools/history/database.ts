import { lstatSync } from 'node:fs'
import * as zlib from 'node:zlib'
import { isObject, type Json, type JsonObject } from '../../core/json.ts'
import type { TranscriptDatabase } from '../../core/transcript.ts'
import { type Connection, connect } from '../../storage/sqlite/connection.ts'

/** Transcripts in a database of another program. It is opened for reading only; whatever is wrong with it throws. */

export interface SessionInDatabase {
  readonly session: string
  readonly bytes: number
  readonly changedMs: number
}

export function sessionsIn(file: string, { sessions }: TranscriptDatabase): readonly SessionInDatabase[] {
  return reading(file, (connection) =>
    connection.all(sessions).flatMap((row) => {
      if (!isObject(row as Json) || typeof (row as JsonObject).session !== 'string') return []
      const { session, bytes, changed } = row as Record<string, unknown>
      return [{ session: String(session), bytes: numberOf(bytes), changedMs: numberOf(changed) }]
    }),
  )
}

export function linesIn(file: string, { lines }: TranscriptDatabase, session: string): readonly JsonObject[] {
  return reading(file, (connection) =>
    connection.all(lines, session).map((row) => {
      const columns = Object.entries(row as Record<string, unknown>).map(plainColumn)
      return Object.fromEntries(columns.flatMap((each) => (each === undefined ? [] : [each])))
    }),
  )
}

function reading<T>(file: string, read: (connection: Connection) => T): T {
  if (!lstatSync(file).isFile()) throw new Error('it is not a regular file')
  const connection = connect(file, { readOnly: true })
  try {
    return read(connection)
  } finally {
    connection.close()
  }
}

const ZSTD = /_zstd$/
const UNPACKED_MAX_BYTES = 64 * 1024 * 1024

function plainColumn([name, value]: [string, unknown]): [string, Json] | undefined {
  if (typeof value === 'string' || typeof value === 'number') return [name, value]
  if (value instanceof Uint8Array && ZSTD.test(name)) {
    const text = unpacked(value)
    return text === undefined ? undefined : [name.replace(ZSTD, ''), text]
  }
  return undefined
}

/** Undefined: it is damaged, or this Node is older than the format. The reader sees that the text is missing. */
function unpacked(bytes: Uint8Array): string | undefined {
  const { zstdDecompressSync } = zlib as unknown as {
    zstdDecompressSync?(bytes: Uint8Array, options: { maxOutputLength: number }): Buffer
  }
  try {
    return zstdDecompressSync?.(bytes, { maxOutputLength: UNPACKED_MAX_BYTES }).toString('utf8')
  } catch {
    return undefined
  }
}

function numberOf(value: unknown): number {
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : 0
}
