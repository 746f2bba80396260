import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isObject, type Json } from '../../../core/json.ts'

/**
 * A file next to the database that says where its chain ends. To shorten the database unnoticed, one must also change this
 * file. After a crash it may be behind the database, but never ahead of it.
 */
export interface JournalHead {
  /** The number of records up to and including `seq`. */
  readonly count: number
  readonly seq: number
  readonly hash: string
}

export function writeHead(folder: string, head: JournalHead): void {
  const path = join(folder, 'head.json')
  writeFileSync(`${path}.tmp`, `${JSON.stringify(head)}\n`, { mode: 0o600 })
  renameSync(`${path}.tmp`, path)
}

export function readHead(folder: string): JournalHead | 'missing' | 'garbage' {
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
