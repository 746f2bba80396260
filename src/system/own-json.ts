import { statSync } from 'node:fs'
import { isObject, type JsonObject } from '../core/json.ts'
import { readRegularText } from './regular-file.ts'

/** A JSON object in a regular file that only this user can have written. */
export function readOwnJson(path: string): JsonObject | undefined {
  try {
    const info = statSync(path, { throwIfNoEntry: false })
    if (info === undefined || (info.mode & OTHERS_MAY_WRITE) !== 0) return undefined
    const user = process.getuid?.()
    if (user !== undefined && info.uid !== user) return undefined
    const value: unknown = JSON.parse(readRegularText(path, BYTES_MAX) ?? 'null')
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

const OTHERS_MAY_WRITE = 0o022
const BYTES_MAX = 1024 * 1024
