import { closeSync, constants, type FSWatcher, fstatSync, openSync, readSync, statSync, watch } from 'node:fs'
import { join } from 'node:path'
import { OLD_SPOOL } from '../../storage/journal/ingest.ts'
import { parseRecord } from '../../storage/journal/record.ts'
import { LINE_BYTES_MAX, SPOOL } from '../../storage/journal/spool.ts'
import type { JournalRecord } from '../../storage/journal/store.ts'

export interface SpoolTail {
  stop(): void
}

/** Some file systems report no changes. */
const LOOK_EVERY_MS = 200
/** A burst is sent in parts. */
const READ_MAX_BYTES = 4 * LINE_BYTES_MAX
const NEWLINE = 10

/**
 * Reports every record that hooks append to the spool from now on. Every decision is written there first, by the daemon
 * and by processes without one, so nothing has to ask them, and they do not notice.
 */
export function followSpool(folder: string, take: (records: readonly JournalRecord[]) => void): SpoolTail {
  let place = endOf(join(folder, SPOOL))
  let rest: Buffer = Buffer.alloc(0)
  const look = () => {
    try {
      const found = readOn(folder, place, rest)
      place = found.place
      rest = found.rest
      if (found.records.length > 0) take(found.records)
    } catch {
      // A spool that cannot be read now is looked at again.
    }
  }
  const timer = setInterval(look, LOOK_EVERY_MS)
  let watcher: FSWatcher | undefined
  const observe = () => {
    try {
      watcher ??= watch(folder, (_event, name) => {
        if (name === null || name === SPOOL) look()
      }).on('error', () => {
        watcher?.close()
        watcher = undefined
      })
    } catch {
      // The folder is made by the first hook.
    }
  }
  observe()
  const again = setInterval(observe, 5 * LOOK_EVERY_MS)
  return {
    stop() {
      for (const each of [timer, again]) clearInterval(each)
      watcher?.close()
    },
  }
}

interface Place {
  readonly ino: number
  readonly position: number
}

function endOf(path: string): Place {
  const found = statSync(path, { throwIfNoEntry: false })
  return { ino: found?.ino ?? 0, position: found?.size ?? 0 }
}

function readOn(
  folder: string,
  place: Place,
  rest: Buffer,
): { readonly place: Place; readonly rest: Buffer; readonly records: readonly JournalRecord[] } {
  const now = statSync(join(folder, SPOOL), { throwIfNoEntry: false })
  if (now === undefined) return { place, rest, records: [] }
  if (now.ino === place.ino && now.size === place.position) return { place, rest, records: [] }
  // A full spool is renamed: what was added to it last is still there.
  const isNew = now.ino !== place.ino
  const old = isNew && place.ino !== 0 ? readFrom(join(folder, OLD_SPOOL), place) : undefined
  const current = readFrom(
    join(folder, SPOOL),
    isNew || now.size < place.position ? { ino: now.ino, position: 0 } : place,
  )
  const bytes = Buffer.concat([rest, old?.bytes ?? Buffer.alloc(0), current?.bytes ?? Buffer.alloc(0)])
  const end = bytes.lastIndexOf(NEWLINE) + 1
  const records = bytes
    .toString('utf8', 0, end)
    .split('\n')
    .flatMap((line) => (line === '' ? [] : (parseRecord(line) ?? [])))
  const left = bytes.subarray(end)
  return {
    place: current?.place ?? place,
    rest: left.length > LINE_BYTES_MAX ? Buffer.alloc(0) : Buffer.from(left),
    records,
  }
}

/** Undefined if it is another file by now. */
function readFrom(
  path: string,
  { ino, position }: Place,
): { readonly place: Place; readonly bytes: Buffer } | undefined {
  let file: number | undefined
  try {
    file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
    const info = fstatSync(file)
    if (!info.isFile() || info.ino !== ino) return undefined
    const bytes = Buffer.alloc(Math.max(0, Math.min(READ_MAX_BYTES, info.size - position)))
    const count = bytes.length === 0 ? 0 : readSync(file, bytes, 0, bytes.length, position)
    return { place: { ino, position: position + count }, bytes: bytes.subarray(0, count) }
  } catch {
    return undefined
  } finally {
    if (file !== undefined) closeSync(file)
  }
}
