import { appendFileSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'
import { pausedNow } from '../../core/exceptions.ts'
import { type Home, homeLayout } from '../../system/home.ts'
import { PAUSE_MAX_MS, writePause } from '../../system/pause.ts'
import { signerFor } from '../../system/signer.testing.ts'
import { TEST_NOW, type TestKey, testBundle, testKey } from '../../tools/bundle/bundle.testing.ts'
import { compile } from '../compile.ts'
import { openBundle } from './bundle.ts'
import { enrollmentFile, fleetFolder, parseEnrollment, systemFleetFolder } from './enrollment.ts'
import { fleetNotices, noteCheck, readFleetStatus } from './fleet-status.ts'
import { bundleFolder, keepBundle, readInForce } from './store.ts'

const key = testKey()
const NOW_MS = TEST_NOW.getTime()
let folder: string
let home: Home
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-managed-'))
  home = {
    ...homeLayout(join(folder, 'home'), { HOME: folder }),
    managedConfig: join(folder, 'etc', 'holdpoint', 'config.yaml'),
  }
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function enrolled(store = fleetFolder(home), by: TestKey = key): void {
  mkdirSync(store, { recursive: true })
  writeFileSync(enrollmentFile(store), JSON.stringify({ url: 'https://policy.example', keys: [by.text] }))
}

function keep(archive: Buffer, store = fleetFolder(home)): void {
  const bundle = openBundle(archive)
  if (!bundle.ok) throw new Error(bundle.problem.message)
  expect(keepBundle(store, bundle.value, archive, TEST_NOW).ok).toBe(true)
}

const compiled = () => compile({ home, project: join(folder, 'project'), packs: [], lastGood: {} })
const configOf = (store = fleetFolder(home)) => {
  const inForce = readInForce(store)
  if (inForce === undefined) throw new Error('nothing in force')
  return join(bundleFolder(store, inForce), 'config.yaml')
}

describe('the bundle in force', () => {
  it('is a managed layer, after the file of the administrator', async () => {
    enrolled()
    keep(testBundle([key]))
    mkdirSync(dirname(home.managedConfig), { recursive: true })
    writeFileSync(home.managedConfig, 'version: 1\nsettings: { stopBlocksMax: 2 }\n')
    const { layers, plan, complete, inputs } = await compiled()
    expect(complete).toBe(true)
    expect(layers.map(({ rank, file, trusted }) => [rank, file, trusted]).slice(0, 2)).toEqual([
      ['managed', home.managedConfig, true],
      ['managed', configOf(), true],
    ])
    expect(plan.hooks.map(({ id }) => id)).toContain('no-shell')
    expect(inputs).toEqual(expect.arrayContaining([configOf(), enrollmentFile(fleetFolder(home))]))
  })

  it('does not exist on a machine that is not enrolled, whatever is in the folder', async () => {
    keep(testBundle([key]))
    expect((await compiled()).plan.hooks.map(({ id }) => id)).not.toContain('no-shell')
  })

  /** Each change makes the policy of the fleet unknown, and then nothing may run. */
  test.each<[string, () => void, string]>([
    ['no bundle was fetched yet', () => rmSync(join(fleetFolder(home), 'in-force.json')), 'FLEET_NO_BUNDLE'],
    ['its configuration was changed', () => writeFileSync(configOf(), 'version: 1\n'), 'BUNDLE_INVALID'],
    ['a file of it was removed', () => rmSync(configOf()), 'BUNDLE_INVALID'],
    [
      'its folder was removed',
      () => rmSync(join(fleetFolder(home), 'bundles'), { recursive: true }),
      'BUNDLE_INVALID',
    ],
    ['another key signed it', () => keep(testBundle([testKey()], { revision: 2 })), 'BUNDLE_SIGNATURE'],
    [
      'it names a folder outside',
      () =>
        writeFileSync(
          join(fleetFolder(home), 'in-force.json'),
          JSON.stringify({ name: 'acme', revision: 1, folder: '..', acceptedAt: '2026' }),
        ),
      'FLEET_NO_BUNDLE',
    ],
    [
      'an older bundle has its name',
      () =>
        writeFileSync(
          join(fleetFolder(home), 'in-force.json'),
          JSON.stringify({ ...readInForce(fleetFolder(home)), revision: 7 }),
        ),
      'BUNDLE_INVALID',
    ],
    [
      'the enrollment is not JSON',
      () => appendFileSync(enrollmentFile(fleetFolder(home)), 'x'),
      'FLEET_ENROLLMENT',
    ],
    [
      'the enrollment has no key',
      () => writeFileSync(enrollmentFile(fleetFolder(home)), '{"url": "https://x.example"}'),
      'FLEET_ENROLLMENT',
    ],
  ])('is unknown if %s, and then there is no plan', async (_name, change, code) => {
    enrolled()
    keep(testBundle([key]))
    change()
    const { complete, broken } = await compiled()
    expect(complete).toBe(false)
    expect(broken[0]?.code).toBe(code)
    expect(readFleetStatus(home, NOW_MS)?.problem).toContain(code)
  })

  it('runs its own programs only while they are what was signed', async () => {
    enrolled()
    const rules = 'version: 1\nhooks: { PreToolUse: [{ id: own, run: ./check.sh }] }\n'
    keep(testBundle([key], {}, { 'config.yaml': rules, 'check.sh': '#!/bin/sh\nexit 0\n' }))
    const { plan, complete } = await compiled()
    expect(complete).toBe(true)
    expect(plan.hooks.find(({ id }) => id === 'own')).toMatchObject({ trusted: true, rank: 'managed' })
    appendFileSync(join(dirname(configOf()), 'check.sh'), 'echo changed\n')
    expect((await compiled()).complete).toBe(false)
  })

  it('goes on past its date and offline, and status and the start of a session say so', () => {
    enrolled()
    keep(testBundle([key]))
    const later = Date.parse('2027-02-01T00:00:00.000Z')
    noteCheck(fleetFolder(home), {
      at: '2027-01-31T00:00:00.000Z',
      reachedAt: '2026-12-01T00:00:00.000Z',
      problem: 'away',
    })
    const status = readFleetStatus(home, later)
    expect(status).toMatchObject({
      enforced: false,
      bundle: { revision: 1, expired: true },
      check: { problem: 'away' },
    })
    expect(fleetNotices(status, later)).toEqual([
      expect.stringContaining('expired on 2027-01-01. It stays in force'),
      expect.stringContaining('last reached 62 days ago'),
    ])
    expect(fleetNotices(readFleetStatus(home, NOW_MS), NOW_MS)).toEqual([])
  })
})

/** Only root can own files as root; as another user these cases show that such a file does not count. */
describe('an enrollment in the folder of the system', () => {
  const isRoot = process.getuid?.() === 0

  it('counts only if it belongs to root, and then alone', () => {
    enrolled(systemFleetFolder(home))
    keep(testBundle([key]), systemFleetFolder(home))
    enrolled(fleetFolder(home), testKey())
    expect(readFleetStatus(home, NOW_MS)?.enforced).toBe(isRoot)
    if (isRoot) {
      chownSync(enrollmentFile(systemFleetFolder(home)), 12_345, 12_345)
      expect(readFleetStatus(home, NOW_MS)).toMatchObject({ enforced: false })
    }
  })

  // Only root can make a folder that belongs to root.
  it.runIf(isRoot)(
    "falls back to root's bundle if the newer one of the user was changed, and says so",
    async () => {
      enrolled(systemFleetFolder(home))
      keep(testBundle([key]), systemFleetFolder(home))
      keep(testBundle([key], { revision: 2 }))
      expect(readFleetStatus(home, NOW_MS)?.bundle?.revision).toBe(2)
      writeFileSync(configOf(), 'version: 1\n')
      expect(readFleetStatus(home, NOW_MS)).toMatchObject({
        bundle: { revision: 1 },
        problem: expect.stringContaining('config.yaml'),
      })
      expect(await compiled()).toMatchObject({ complete: true, broken: [{ code: 'BUNDLE_INVALID' }] })
    },
  )
})

describe('an enrollment', () => {
  test.each<[string, Record<string, unknown>, string]>([
    ['http to another machine', { url: 'http://policy.example' }, 'plain http'],
    ['a password in the address', { url: 'https://a:b@policy.example' }, 'password'],
    ['another protocol', { url: 'ftp://policy.example' }, 'neither http nor https'],
    ['no keys', { keys: [] }, '`keys`'],
    ['a key that is not one', { keys: ['abc'] }, '`keys`'],
    ['a threshold that cannot be reached', { threshold: 2 }, '`threshold`'],
    ['a period of a second', { pollSeconds: 1 }, '`pollSeconds`'],
    ['a collector without an address', { collector: {} }, '`collector`'],
    ['a proxy that is not an address', { proxy: 'proxy' }, '`proxy`'],
  ])('is refused with %s', (_name, change, why) => {
    const value = { url: 'https://policy.example', keys: [key.text], ...change }
    expect(parseEnrollment(JSON.parse(JSON.stringify(value)))).toEqual(expect.stringContaining(why))
  })
})

describe('what users may still do', () => {
  it.each([
    ['{}', 'forbidden', 'forbidden', 'allowed'],
    [
      '{ users: { exceptions: allowed, pauses: allowed, grants: forbidden } }',
      'allowed',
      'allowed',
      'forbidden',
    ],
    ['{ users: { exceptions: alowed } }', 'forbidden', 'forbidden', 'forbidden'],
  ])('is the choice of the bundle: %s', async (settings, exceptions, pauses, grants) => {
    enrolled()
    keep(testBundle([key], {}, { 'config.yaml': `version: 1\nsettings: ${settings}\n` }))
    mkdirSync(home.folder, { recursive: true })
    writeFileSync(
      home.userConfig,
      'version: 1\nhooks: { PreToolUse: [{ id: mine, run: ./x.sh, grants: true }] }\nsettings: { users: { exceptions: allowed } }\n',
    )
    const { plan } = await compiled()
    expect(plan.settings.users).toEqual({ exceptions, pauses, grants })
    expect(plan.hooks.find(({ id }) => id === 'mine')?.grants).toBe(grants === 'allowed')
  })

  it.each(['allowed', 'forbidden'] as const)(
    'also for packs that it switches on: pauses %s',
    async (pauses) => {
      enrolled()
      const policy = `version: 1\npacks: { safety: true }\nsettings: { users: { pauses: ${pauses} } }\n`
      keep(testBundle([key], {}, { 'config.yaml': policy }))
      const sinceMs = Date.now()
      writePause(home, { sinceMs, untilMs: sinceMs + PAUSE_MAX_MS, packs: 'all' }, signerFor(home))
      const { plan } = await compiled()
      expect(pausedNow(plan.hooks, sinceMs)?.packs).toEqual(pauses === 'allowed' ? ['safety'] : undefined)
    },
  )
})
