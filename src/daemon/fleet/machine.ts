import { createPrivateKey, generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type PublicKey, publicKeyOf } from '../../config/bundle/keys.ts'
import { bad, good, type Result } from '../../core/errors.ts'
import { textAt } from '../../core/json.ts'
import { withLock } from '../../system/file-lock.ts'
import { writeWhole } from '../../system/files.ts'
import { readOwnJson } from '../../system/own-json.ts'

/** This installation, for a fleet: a name that chance chose, and a key that never leaves the machine. */
export interface FleetMachine {
  readonly id: string
  readonly key: KeyObject
  readonly publicKey: PublicKey
}

function machineFile(folder: string): string {
  return join(folder, 'machine.json')
}

/** Undefined if there is none, or none that only this user can have written. */
export function readMachine(folder: string): FleetMachine | undefined {
  const kept = readOwnJson(machineFile(folder))
  const [id, text] = ['id', 'key'].map((key) => textAt(kept ?? {}, key))
  if (id === undefined || text === undefined || !isMachineId(id)) return undefined
  try {
    return machineOf(id, createPrivateKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'pkcs8' }))
  } catch {
    return undefined
  }
}

function isMachineId(text: string): boolean {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)
}

export function newMachine(id: string = randomUUID()): FleetMachine {
  return machineOf(id, generateKeyPairSync('ed25519').privateKey)
}

function machineOf(id: string, key: KeyObject): FleetMachine {
  return { id, key, publicKey: publicKeyOf(key) }
}

/** The machine of this folder. It is made at its first use. */
export function ensureMachine(folder: string): Result<FleetMachine> {
  const known = readMachine(folder)
  if (known !== undefined) return good(known)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    return withLock(join(folder, 'machine.lock'), () => {
      const other = readMachine(folder)
      if (other !== undefined) return good(other)
      const made = newMachine()
      keepMachine(folder, made)
      return good(made)
    })
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return bad('STATE_UNWRITABLE', `The key of this machine cannot be written: ${why}.`, { file: folder })
  }
}

export function keepMachine(folder: string, { id, key }: FleetMachine): void {
  const bytes = key.export({ format: 'der', type: 'pkcs8' })
  writeWhole(
    machineFile(folder),
    `${JSON.stringify({ id, key: bytes.toString('base64') }, null, 2)}\n`,
    0o600,
  )
}
