import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isObject, type Json } from '../../json.ts'

/**
 * A note beside the database of where its chain ends. Whoever shortens the database must also change this file;
 * it may lag behind after a crash, never run ahead.
 */
export interface Head {
  /** Records kept up to and including `seq`. */
  readonly count: number
  readonly seq: number
  readonly hash: string
}

export function writeHead(folder: string, head: Head): void {
  const path = join(folder, 'head.json')
  writeFileSync(`${path}.tmp`, `${JSON.stringify(head)}\n`, { mode: 0o600 })
  renameSync(`${path}.tmp`, path)
}

export function readHead(folder: string): Head | 'missing' | 'garbage' {
  let text: string
  try {
    text = readFileSync(join(folder, 'head.json'), 'utf8')
  } catch {
    return 'missing'
  }
  try {
    const value: Json = JSON.parse(text)
    if (!isObject(value)) return 'garbage'
    const { count, seq, hash } = value
    const whole = typeof count === 'number' && typeof seq === 'number' && typeof hash === 'string'
    return whole ? { count, seq, hash } : 'garbage'
  } catch {
    return 'garbage'
  }
}
