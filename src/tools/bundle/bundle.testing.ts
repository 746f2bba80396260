import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { openBundle, packBundle, signBundle } from '../../config/bundle/bundle.ts'
import { type PublicKey, publicKeyOf } from '../../config/bundle/keys.ts'
import type { Manifest } from '../../config/bundle/manifest.ts'
import { publishBundle, readPublished } from './publish.ts'

/** Keys, bundles and published folders for tests. */

export interface TestKey {
  readonly secret: KeyObject
  readonly text: PublicKey
}

export function testKey(): TestKey {
  const { privateKey } = generateKeyPairSync('ed25519')
  return { secret: privateKey, text: publicKeyOf(privateKey) }
}

const POLICY = 'version: 1\nrules:\n  - { id: no-shell, match: Bash, deny: Not here. }\n'

/** A bundle that is valid in 2026, signed by these keys. */
export function testBundle(
  keys: readonly TestKey[],
  about: Partial<Manifest> = {},
  more: Readonly<Record<string, string>> = {},
): Buffer {
  const files = new Map(
    Object.entries({ 'config.yaml': POLICY, ...more }).map(([path, text]) => [path, Buffer.from(text)]),
  )
  const manifest = {
    name: 'acme',
    revision: 1,
    version: '1',
    created: '2026-01-01T00:00:00.000Z',
    expires: '2027-01-01T00:00:00.000Z',
    minimumHoldpoint: '0.1.0',
    ...about,
  }
  return keys.reduce((archive, key) => signed(archive, key), packBundle(manifest, files))
}

function signed(archive: Buffer, key: TestKey): Buffer {
  const opened = openBundle(archive)
  if (!opened.ok) throw new Error(opened.problem.message)
  return signBundle(opened.value, key.secret)
}

export const TEST_NOW = new Date('2026-06-01T00:00:00.000Z')

export interface TestPublication {
  readonly channel?: string
  readonly percent?: number
  readonly now?: Date
  readonly expires?: Date
}

/** Publishes a bundle to a folder; throws if that is refused. */
export function testPublish(
  folder: string,
  archive: Buffer,
  key: TestKey,
  options: TestPublication = {},
): void {
  const { channel = 'stable', percent = 100, now = TEST_NOW, expires = new Date('2026-12-01') } = options
  const published = readPublished(folder, key.text)
  if (!published.ok) throw new Error(published.problem.message)
  const opened = openBundle(archive)
  if (!opened.ok) throw new Error(opened.problem.message)
  const result = publishBundle(published.value, opened.value, archive, {
    ...{ channel, percent, now, expires },
    key: key.secret,
  })
  if (!result.ok) throw new Error(result.problem.message)
}
