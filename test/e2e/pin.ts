import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Tests open terminals with a program, and nobody can know that a person asked for it: there the PIN counts. This key is
 * already sealed with it, because sealing takes as long as many commands.
 */
const PIN = 'tests-pin'
const PUBLIC = 'MCowBQYDK2VwAyEA5r2xtHbeC1LfdrUmpON7mfwWNuPMD4fTQS05JUEJeVM='
const KEY = {
  version: 1,
  sealed: {
    salt: 'FeEU7ebHd3yK19xwFp2GJQ==',
    nonce: 'aXDqgrwUEHgxhdRI',
    tag: 'aJUaHzJQRp1PGExUxEPr7A==',
    data: 'qh9bJA+xfsejUnTaJk9kbKGDtR6J4yyTsZk2PUuONak9V4w/s3MLWyIe/jpzE2rp',
  },
}

/** Gives a home without a key one with a PIN. Returns the PIN of the key, unless it is one that a command made. */
export function givePin(home: string): string | undefined {
  const [file, text] = [join(home, 'person.key'), `${JSON.stringify(KEY, null, 2)}\n`]
  if (!existsSync(file)) {
    mkdirSync(home, { recursive: true, mode: 0o700 })
    writeFileSync(file, text, { mode: 0o600 })
    writeFileSync(join(home, 'person.pub'), `${PUBLIC}\n`, { mode: 0o600 })
  }
  return readFileSync(file, 'utf8') === text ? PIN : undefined
}
