import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import { isObject } from '../../core/json.ts'
import type { ReplayProgress } from './replay.ts'

/** Where a replay that was interrupted goes on. One that cannot be read, or is of another question, is as good as none. */
export interface Checkpoint {
  read(): ReplayProgress | undefined
  write(progress: ReplayProgress): void
  remove(): void
}

const FORMAT = 1

/** `key`: what is replayed, with which policies, by which build. */
export function openCheckpoint(file: string, key: string): Checkpoint {
  return {
    read() {
      try {
        const saved: unknown = deserialize(readFileSync(file))
        if (!isObject(saved) || saved.format !== FORMAT || saved.key !== key) return undefined
        return saved.progress as unknown as ReplayProgress
      } catch {
        return undefined
      }
    },
    write(progress) {
      try {
        mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
        writeFileSync(`${file}.tmp`, serialize({ format: FORMAT, key, progress }), { mode: 0o600 })
        renameSync(`${file}.tmp`, file)
      } catch {
        // A full disk: the replay goes on, and cannot be continued if it is interrupted.
      }
    },
    remove() {
      rmSync(file, { force: true })
      rmSync(`${file}.tmp`, { force: true })
    },
  }
}
