import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { homeLayout } from './home.ts'
import { personVerifier } from './signatures.ts'
import { changePin, createKey, keyState, openSigner } from './signing-key.ts'

let folder: string
const home = () => ({
  ...homeLayout(join(folder, 'holdpoint'), { HOME: folder }),
  managedConfig: join(folder, 'etc', 'config.yaml'),
})
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-key-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const BY = { user: 'dev (1000)', terminal: '/dev/pts/1' }
const signed = (pin?: string) => {
  const signer = openSigner(home(), BY, pin)
  return signer.ok ? signer.value.sign('pause', [1, 2, 'all']) : signer.problem.message
}

describe('a signature of a person', () => {
  it('counts only for the signed content, person and terminal', () => {
    const made = signed()
    if (typeof made === 'string') throw new Error(made)
    const isSigned = personVerifier(home())
    expect(isSigned('pause', [1, 2, 'all'], { ...made })).toBe(true)
    expect(isSigned('trust', [1, 2, 'all'], { ...made })).toBe(false)
    expect(isSigned('pause', [1, 3, 'all'], { ...made })).toBe(false)
    for (const other of [{ user: 'x' }, { terminal: 'y' }, { atMs: 3 }, { signature: 'AAAA' }])
      expect(isSigned('pause', [1, 2, 'all'], { ...made, ...other })).toBe(false)
  })

  it.each([undefined, null, 7, '', [], {}, { signature: 7 }, { user: 'x', terminal: 'y', atMs: 'z' }])(
    'is not %j',
    (value) => {
      signed()
      expect(personVerifier(home())('pause', [], value)).toBe(false)
    },
  )

  it('does not count without the public key, with an invalid one, or with that of another home', () => {
    const made = signed()
    const file = join(home().folder, 'person.pub')
    const counts = () => personVerifier(home())('pause', [1, 2, 'all'], { ...(made as object) })
    expect(counts()).toBe(true)
    writeFileSync(file, 'nonsense\n')
    expect(counts()).toBe(false)
    createKey(home())
    expect(counts()).toBe(false)
    rmSync(file)
    expect(counts()).toBe(false)
  })
})

describe('the signing key', () => {
  it('is private to the user', () => {
    createKey(home())
    expect(statSync(join(home().folder, 'person.key')).mode & 0o777).toBe(0o600)
  })

  it('with a PIN cannot be used without the PIN, and is not readable in the file', () => {
    createKey(home())
    const plain = readFileSync(join(home().folder, 'person.key'), 'utf8')
    const { key } = JSON.parse(plain)
    const before = signed()
    expect(changePin(home(), undefined, 'a long PIN').ok).toBe(true)
    expect(keyState(home())).toBe('pin')
    expect(readFileSync(join(home().folder, 'person.key'), 'utf8')).not.toContain(key.slice(30))
    expect(signed()).toBe('The PIN is wrong.')
    expect(signed('another PIN')).toBe('The PIN is wrong.')
    expect(signed('a long PIN')).toMatchObject(BY)
    // Signatures from before the PIN still count, because it is the same key.
    expect(personVerifier(home())('pause', [1, 2, 'all'], { ...(before as object) })).toBe(true)
    expect(changePin(home(), 'wrong', undefined).ok).toBe(false)
    expect(changePin(home(), 'a long PIN', undefined).ok).toBe(true)
    expect(keyState(home())).toBe('plain')
  })

  it('that others can write to, or that is invalid, signs nothing', () => {
    createKey(home())
    const file = join(home().folder, 'person.key')
    chmodSync(file, 0o666)
    expect(signed()).toContain('cannot be read')
    chmodSync(file, 0o600)
    writeFileSync(file, '{"version":1,"sealed":{"salt":7}}')
    expect(signed('x')).toBe('The PIN is wrong.')
    writeFileSync(file, '{"version":1,"key":"AAAA"}')
    expect(signed()).toContain('cannot be read')
    writeFileSync(file, '')
    expect(signed()).toContain('cannot be read')
  })

  it('does not sign if its public key was replaced', () => {
    createKey(home())
    const other = readFileSync(join(home().folder, 'person.key'))
    createKey(home())
    writeFileSync(join(home().folder, 'person.key'), other)
    expect(signed()).toContain('does not belong to the public key')
  })
})
