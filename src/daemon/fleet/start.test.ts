import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openBundle } from '../../config/bundle/bundle.ts'
import { enrollmentFile, fleetFolder } from '../../config/bundle/enrollment.ts'
import { homeLayout } from '../../system/home.ts'
import { testBundle, testKey } from '../../tools/bundle/bundle.testing.ts'
import { folderStore } from './bundle-store.ts'
import { startFleet } from './start.ts'

let folder: string
const home = () => ({
  ...homeLayout(join(folder, 'home'), { HOME: join(folder, 'user') }),
  managedConfig: join(folder, 'etc', 'managed.yaml'),
})
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-start-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('the work for a fleet', () => {
  it('is none on a machine that is not enrolled and sends no telemetry', () => {
    const work = startFleet(home())
    work.tick(undefined)
    work.tick({ facts: {}, telemetry: {}, retention: { keepDays: 1, keepMegabytes: 1 } })
    expect(work.trouble()).toBeUndefined()
  })

  it('keeps the policy that was signed, from the first moment on', () => {
    const key = testKey()
    const store = fleetFolder(home())
    const archive = testBundle([key])
    const bundle = openBundle(archive)
    if (!bundle.ok) throw new Error(bundle.problem.message)
    const kept = folderStore(store, { keys: [key.text], threshold: 1 }).keepBundle(
      bundle.value,
      archive,
      new Date(),
    )
    if (!kept.ok) throw new Error(kept.problem.message)
    const enrollment = { url: join(folder, 'published'), keys: [key.text] }
    writeFileSync(enrollmentFile(store), JSON.stringify(enrollment))
    const config = join(store, 'bundles', kept.value.folder, 'config.yaml')
    const signed = readFileSync(config, 'utf8')
    writeFileSync(config, 'version: 1\n')
    const work = startFleet(home())
    work.tick(undefined)
    expect(readFileSync(config, 'utf8')).toBe(signed)
    expect(work.trouble()).toBeUndefined()
  })
})
