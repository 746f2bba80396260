import { isObject, type Json, textAt } from '../core/json.ts'
import { writeWhole } from './files.ts'
import type { Home } from './home.ts'
import { readRegularText } from './regular-file.ts'
import { personVerifier, type Signature, type Signer } from './signatures.ts'

/**
 * The project files that a person trusts, pinned to their content: path and hash. A file that was changed, moved or removed
 * is no longer trusted, and an entry that no person signed never was.
 */
export type TrustedFiles = ReadonlyMap<string, string>

export type TrustHome = Pick<Home, 'folder' | 'trust' | 'managedConfig'>

export interface SignedPin extends Signature {
  readonly pin: string
}

export interface TrustFile {
  readonly pins: ReadonlyMap<string, SignedPin>
  /** Paths with an entry that no person signed. */
  readonly unsigned: readonly string[]
}

const BYTES_MAX = 64 * 1024 * 1024

/** If the file is missing or cannot be read, nothing is trusted. */
export function readTrustFile(home: TrustHome): TrustFile {
  const isSigned = personVerifier(home)
  const pins = new Map<string, SignedPin>()
  const unsigned: string[] = []
  for (const [path, entry] of Object.entries(filesIn(home))) {
    const pin = isObject(entry) ? textAt(entry, 'pin') : undefined
    if (pin !== undefined && isSigned('trust', [path, pin], entry))
      pins.set(path, entry as unknown as SignedPin)
    else unsigned.push(path)
  }
  return { pins, unsigned }
}

function filesIn(home: TrustHome): Readonly<Record<string, Json>> {
  try {
    const value: unknown = JSON.parse(readRegularText(home.trust, BYTES_MAX) ?? 'null')
    return isObject(value) && isObject(value.files) ? value.files : {}
  } catch {
    return {}
  }
}

export function readTrust(home: TrustHome): TrustedFiles {
  return new Map([...readTrustFile(home).pins].map(([path, { pin }]) => [path, pin]))
}

/** Adds these files to the trusted ones. */
export function addTrust(home: TrustHome, pins: TrustedFiles, signer: Signer): TrustedFiles {
  const added = [...pins].map(([path, pin]): [string, SignedPin] => [
    path,
    { pin, ...signer.sign('trust', [path, pin]) },
  ])
  return keep(home, new Map([...readTrustFile(home).pins, ...added]))
}

/** Revokes the trust of some files. That only makes decisions stricter, so it needs no signature. */
export function removeTrust(home: TrustHome, isGone: (path: string) => boolean): TrustedFiles {
  return keep(home, new Map([...readTrustFile(home).pins].filter(([path]) => !isGone(path))))
}

/** Restores the earlier entries. */
export function restoreTrust(home: TrustHome, { pins }: TrustFile): void {
  keep(home, pins)
}

function keep(home: TrustHome, pins: TrustFile['pins']): TrustedFiles {
  const text = JSON.stringify({ version: 2, files: Object.fromEntries(pins) }, null, 2)
  writeWhole(home.trust, `${text}\n`, 0o600)
  return new Map([...pins].map(([path, { pin }]) => [path, pin]))
}
