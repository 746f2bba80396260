import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { closeSync, openSync, writeSync } from 'node:fs'
import { bad, good, type Result } from '../../core/errors.ts'
import { readRegularText } from '../../system/regular-file.ts'

const KEY_MAX_BYTES = 64 * 1024

/** A new Ed25519 key in PEM, as `openssl genpkey` writes it. Never replaces a file. */
export function createKeyFile(path: string, passphrase?: string): Result<KeyObject> {
  const { privateKey } = generateKeyPairSync('ed25519')
  const secret = passphrase === undefined ? {} : { cipher: 'aes-256-cbc', passphrase }
  const pem = privateKey.export({ format: 'pem', type: 'pkcs8', ...secret })
  try {
    const file = openSync(path, 'wx', 0o600)
    try {
      writeSync(file, pem.toString())
    } finally {
      closeSync(file)
    }
    return good(privateKey)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return bad('STATE_UNWRITABLE', `The key cannot be written: ${why}.`, {
      file: path,
      fix: 'Choose a path that does not exist yet, in a folder that you can write.',
    })
  }
}

/** `needs passphrase`: the key is encrypted, and none was given. */
export function readKeyFile(path: string, passphrase?: string): Result<KeyObject> | 'needs passphrase' {
  const text = readRegularText(path, KEY_MAX_BYTES)
  if (text === undefined)
    return bad('SIGNING_KEY', 'There is no key that can be read.', { file: path, fix: CREATE })
  if (passphrase === undefined && text.includes('ENCRYPTED')) return 'needs passphrase'
  try {
    const key = createPrivateKey({ key: text, ...(passphrase === undefined ? {} : { passphrase }) })
    if (key.asymmetricKeyType === 'ed25519') return good(key)
    return bad('SIGNING_KEY', `This is a key of the kind ${key.asymmetricKeyType}, not Ed25519.`, {
      file: path,
      fix: CREATE,
    })
  } catch {
    const message =
      passphrase === undefined ? 'This is not a private key in PEM.' : 'The passphrase is wrong.'
    return bad('SIGNING_KEY', message, { file: path, fix: CREATE })
  }
}

const CREATE =
  'Create a key with `holdpoint fleet key create --out FILE`, or with `openssl genpkey -algorithm ed25519`.'
