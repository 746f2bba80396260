import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Home } from './home.ts'
import { readRegularFile } from './regular-file.ts'

const KEY_BYTES = 32

/**
 * The key that marks Holdpoint's own cached plans: a file that another program wrote into the cache is not used. Created
 * at the first use. Undefined if it can be neither read nor created; nothing is cached then.
 */
export function cacheKey(home: Pick<Home, 'folder'>): Buffer | undefined {
  const path = join(home.folder, 'cache.key')
  const known = readKey(path)
  if (known !== undefined) return known
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    writeFileSync(path, randomBytes(KEY_BYTES), { mode: 0o600, flag: 'wx' })
  } catch {
    // Another process may have been faster.
  }
  return readKey(path)
}

function readKey(path: string): Buffer | undefined {
  const read = readRegularFile(path, KEY_BYTES)
  return read.kind === 'read' && read.content.length === KEY_BYTES ? read.content : undefined
}
