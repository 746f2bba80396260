import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeWhole } from '../world/files.ts'
import type { Home } from '../world/home.ts'

/** The path clients of a listening gate must know: the same for good, because it stands in their configuration. */
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
