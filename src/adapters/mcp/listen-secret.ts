import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeWhole } from '../../system/files.ts'
import type { Home } from '../../system/home.ts'

/**
 * The secret path of a gate that listens. It never changes, because it is in the configuration of clients.
 */
export function listenSecret({ folder }: Pick<Home, 'folder'>): string {
  const file = join(folder, 'mcp', 'secret')
  const known = read(file)
  if (known !== undefined) return known
  const secret = randomBytes(24).toString('hex')
  writeWhole(file, `${secret}\n`, 0o600)
  return secret
}

function read(file: string): string | undefined {
  try {
    return /^[0-9a-f]{48}$/.exec(readFileSync(file, 'utf8').trim())?.[0]
  } catch {
    return undefined
  }
}
