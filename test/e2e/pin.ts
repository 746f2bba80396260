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
  if (!existsSync(keyOf(home))) {
    mkdirSync(home, { recursive: true, mode: 0o700 })
    writeFileSync(keyOf(home), TEXT, { mode: 0o600 })
    writeFileSync(join(home, 'person.pub'), `${PUBLIC}\n`, { mode: 0o600 })
  }
  return knownPin(home)
}

/** The PIN of a home, if it is the one of these tests. */
export function knownPin(home: string): string | undefined {
  return existsSync(keyOf(home)) && readFileSync(keyOf(home), 'utf8') === TEXT ? PIN : undefined
}

const TEXT = `${JSON.stringify(KEY, null, 2)}\n`

function keyOf(home: string): string {
  return join(home, 'person.key')
}
