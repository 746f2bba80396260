import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'
import { openBundle } from '../../config/bundle/bundle.ts'
import { PUBLICATION } from '../../config/bundle/publication.ts'
import { TEST_NOW, testBundle, testKey } from '../../tools/bundle/bundle.testing.ts'
import { folderStore } from './bundle-store.ts'

const key = testKey()
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-bundles-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const store = () => folderStore(folder, { keys: [key.text], threshold: 1 })

describe('the list that was accepted last', () => {
  test.each([[{}], [{ etag: '"a"' }], [{ lastModified: 'Mon' }], [{ etag: '"a"', lastModified: 'Mon' }]])(
    'is kept with what the server said of it: %j',
    (validators) => {
      expect(store().publication()).toBeUndefined()
      store().keepPublication('text', validators)
      expect(store().publication()).toStrictEqual({ text: 'text', validators })
    },
  )

  it('is kept without it, if that cannot be read', () => {
    store().keepPublication('text', { etag: '"a"' })
    for (const text of ['', '[]', '{"etag":7}']) {
      writeFileSync(join(folder, 'validators.json'), text)
      expect(store().publication()).toStrictEqual({ text: 'text', validators: {} })
    }
    rmSync(join(folder, PUBLICATION))
    expect(store().publication()).toBeUndefined()
  })
})

describe('the bundle in force', () => {
  const keep = () => {
    const archive = testBundle([key])
    const bundle = openBundle(archive)
    if (!bundle.ok) throw new Error(bundle.problem.message)
    const kept = store().keepBundle(bundle.value, archive, TEST_NOW)
    if (!kept.ok) throw new Error(kept.problem.message)
    return join(folder, 'bundles', kept.value.folder, 'config.yaml')
  }

  it('is none at first, and then the one that was kept', () => {
    expect([store().inForce(), store().isWhole()]).toEqual([undefined, false])
    keep()
    expect(store().inForce()).toMatchObject({ name: 'acme', revision: 1 })
    expect(store().isWhole()).toBe(true)
    expect(store().keys()).toMatchObject([{ version: 0 }])
  })

  it('is put back if its files were changed, as long as its keys count', () => {
    const config = keep()
    const signed = readFileSync(config, 'utf8')
    writeFileSync(config, 'version: 1\n')
    const others = folderStore(folder, { keys: [testKey().text], threshold: 1 })
    expect([others.isWhole(), readFileSync(config, 'utf8')]).toEqual([false, 'version: 1\n'])
    expect([store().isWhole(), readFileSync(config, 'utf8')]).toEqual([true, signed])
    mkdirSync(join(folder, 'bundles', 'other'), { recursive: true })
    expect(store().isWhole()).toBe(true)
  })
})
