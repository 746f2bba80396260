import { isCount } from '../../config/bundle/keys.ts'
import { textAt } from '../../core/json.ts'
import { writeWhole } from '../../system/files.ts'
import { readOwnJson } from '../../system/own-json.ts'
import type { CursorStore, PushCursor } from './push-journal.ts'

/** The cursor in a file. One that cannot be read costs a push of what the collector already has, and nothing else. */
export function fileCursor(path: string): CursorStore {
  return {
    read() {
      const value = readOwnJson(path)
      if (value === undefined || !isCount(value.seq) || !isCount(value.counter)) return undefined
      const [hash, branch, registeredAt] = ['hash', 'branch', 'registeredAt'].map((key) => textAt(value, key))
      if (hash === undefined || branch === undefined) return undefined
      const cursor = { seq: value.seq, hash, branch, counter: value.counter }
      const parent = value.parent as PushCursor['parent']
      return {
        ...cursor,
        ...(parent === undefined ? {} : { parent }),
        ...(registeredAt === undefined ? {} : { registeredAt }),
      }
    },
    write: (cursor) => writeWhole(path, `${JSON.stringify(cursor)}\n`, 0o600),
  }
}
