import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Json } from '../core/json.ts'
import { homeLayout } from './home.ts'
import { signerFor } from './signer.testing.ts'
import { addTrust, readTrust, readTrustFile, removeTrust, restoreTrust } from './trust-file.ts'

let folder: string
let home: ReturnType<typeof homeLayout>
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-trust-file-'))
  home = { ...homeLayout(join(folder, 'home'), {}), managedConfig: join(folder, 'etc', 'managed.yaml') }
  mkdirSync(home.folder)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const A = '/srv/project/a.sh'
const B = '/srv/project/b.sh'
const add = (pins: Readonly<Record<string, string>>, signer = signerFor(home)) =>
  addTrust(home, new Map(Object.entries(pins)), signer)
const pins = () => Object.fromEntries(readTrust(home))

interface Written {
  version: number
  files: Record<string, Record<string, Json>>
}
const written = (): Written => JSON.parse(readFileSync(home.trust, 'utf8'))
const rewrite = (change: (file: Written) => void): void => {
  const file = written()
  change(file)
  writeFileSync(home.trust, JSON.stringify(file))
}
const entryOf = (file: Written, path: string) => {
  const entry = file.files[path]
  if (entry === undefined) throw new Error(`no entry of ${path}`)
  return entry
}

describe('the files that a person trusts', () => {
  it('are read with the pins that were signed', () => {
    expect(Object.fromEntries(add({ [A]: 'one' }))).toEqual({ [A]: 'one' })
    expect(Object.fromEntries(add({ [B]: 'two' }))).toEqual({ [A]: 'one', [B]: 'two' })
    expect(pins()).toEqual({ [A]: 'one', [B]: 'two' })
    expect(readTrustFile(home).unsigned).toEqual([])
  })

  it('have the newest pin', () => {
    add({ [A]: 'one' })
    expect(Object.fromEntries(add({ [A]: 'two' }))).toEqual({ [A]: 'two' })
    expect(pins()).toEqual({ [A]: 'two' })
  })

  it('are written in version 2, with who signed each, for nobody else to read', () => {
    add({ [A]: 'one' })
    const { version, files } = written()
    expect([version, Object.keys(files)]).toEqual([2, [A]])
    expect(files[A]).toMatchObject({ pin: 'one', user: 'dev (1000)', signature: expect.any(String) })
    expect(statSync(home.trust).mode & 0o777).toBe(0o600)
  })

  it('are fewer after some are removed, without a signature', () => {
    add({ [A]: 'one', [B]: 'two' })
    expect(Object.fromEntries(removeTrust(home, (path) => path === A))).toEqual({ [B]: 'two' })
    expect(pins()).toEqual({ [B]: 'two' })
    expect(Object.keys(written().files)).toEqual([B])
  })

  it('are the earlier ones again after they are restored', () => {
    add({ [A]: 'one' })
    const earlier = readTrustFile(home)
    add({ [A]: 'two', [B]: 'two' })
    restoreTrust(home, earlier)
    expect(pins()).toEqual({ [A]: 'one' })
    expect(readTrustFile(home)).toEqual(earlier)
  })
})

describe('an entry that no person signed', () => {
  const other = () => signerFor({ folder: join(folder, 'other'), managedConfig: home.managedConfig })

  it.each<[string, (file: Written) => void]>([
    ['with another pin', (file) => (entryOf(file, A).pin = 'two')],
    ['without a pin', (file) => delete entryOf(file, A).pin],
    ['with a pin that is no text', (file) => (entryOf(file, A).pin = 7)],
    ['without a signature', (file) => delete entryOf(file, A).signature],
    ['with another signature', (file) => (entryOf(file, A).signature = entryOf(file, B).signature ?? null)],
    ['of another user', (file) => (entryOf(file, A).user = 'root (0)')],
    [
      'of another file',
      (file) => {
        file.files[A] = entryOf(file, B)
      },
    ],
    ['that is null', (file) => Object.assign(file.files, { [A]: null })],
    ['that is no object', (file) => Object.assign(file.files, { [A]: 'one' })],
  ])('does not count: one %s', (_what, change) => {
    add({ [A]: 'one', [B]: 'one' })
    rewrite(change)
    expect(pins()).toEqual({ [B]: 'one' })
    expect(readTrustFile(home).unsigned).toEqual([A])
  })

  it('does not count if the key of another home signed it', () => {
    mkdirSync(join(folder, 'other'))
    add({ [A]: 'one' })
    add({ [B]: 'one' }, other())
    expect([pins(), readTrustFile(home).unsigned]).toEqual([{ [A]: 'one' }, [B]])
  })

  it('is not kept when others are added', () => {
    add({ [A]: 'one' })
    rewrite((file) => Object.assign(file.files, { [B]: { pin: 'two' } }))
    add({ '/srv/project/c.sh': 'three' })
    expect(Object.keys(written().files)).toEqual([A, '/srv/project/c.sh'])
  })
})

describe('nothing is trusted', () => {
  it.each<[string, string]>([
    ['is missing', ''],
    ['is empty', ' '],
    ['is cut', '{"version":2,"files":{'],
    ['is a list', '[]'],
    ['is null', 'null'],
    ['has no files', '{"version":2}'],
    ['has a list of files', '{"version":2,"files":["/srv/project/a.sh"]}'],
  ])('if the file %s', (_what, text) => {
    add({ [A]: 'one' })
    if (text === '') rmSync(home.trust)
    else writeFileSync(home.trust, text)
    expect(pins()).toEqual({})
  })

  it('if the file is larger than 64 MB', () => {
    add({ [A]: 'one' })
    appendFileSync(home.trust, ' '.repeat(1024 * 1024))
    expect(pins()).toEqual({ [A]: 'one' })
    appendFileSync(home.trust, ' '.repeat(63 * 1024 * 1024))
    expect(pins()).toEqual({})
  })
})
