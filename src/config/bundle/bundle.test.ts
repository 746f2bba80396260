import { generateKeyPairSync } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { testBundle, testKey } from '../../tools/bundle/bundle.testing.ts'
import { bundleFault, publicationFault } from './accept.ts'
import { packArchive, unpackArchive } from './archive.ts'
import { type Bundle, openBundle, signBundle, verifyBundle } from './bundle.ts'
import { readEnvelope, withSignature, writeEnvelope } from './envelope.ts'
import { keyId, parsePublicKey } from './keys.ts'
import { documentBytes, MANIFEST, SIGNATURES } from './manifest.ts'
import { isSelected, type Publication, readPublication, revisionFor } from './publication.ts'
import { firstKeys, nextKeys, pinnedSet } from './rotation.ts'

const [anna, ben, cleo] = [testKey(), testKey(), testKey()]
const NOW = new Date('2026-06-01T00:00:00.000Z')

function opened(archive: Buffer): Bundle {
  const bundle = openBundle(archive)
  if (!bundle.ok) throw new Error(bundle.problem.message)
  return bundle.value
}

/** The archive with other files in it. */
function changed(archive: Buffer, change: (files: Map<string, Buffer>) => void): Buffer {
  const files = unpackArchive(archive)
  if (!files.ok) throw new Error(files.problem.message)
  const copy = new Map(files.value)
  change(copy)
  return packArchive(copy)
}

describe('a bundle', () => {
  it('is the same for the same files and the same keys', () => {
    expect(testBundle([anna])).toEqual(testBundle([anna]))
  })

  it('verifies with the key that signed it, and with no other', () => {
    const bundle = opened(testBundle([anna]))
    expect(verifyBundle(bundle, { keys: [anna.text], threshold: 1 })).toEqual({
      ok: true,
      value: [anna.text],
    })
    expect(verifyBundle(bundle, { keys: [ben.text], threshold: 1 })).toMatchObject({
      problem: { code: 'BUNDLE_SIGNATURE', message: expect.stringContaining(keyId(ben.text)) },
    })
    expect(verifyBundle(opened(testBundle([])), { keys: [anna.text], threshold: 1 }).ok).toBe(false)
  })

  it('needs as many different keys as the threshold says', () => {
    const keys = { keys: [anna.text, ben.text, cleo.text], threshold: 2 }
    expect(verifyBundle(opened(testBundle([anna])), keys).ok).toBe(false)
    expect(verifyBundle(opened(testBundle([anna, anna])), keys).ok).toBe(false)
    expect(verifyBundle(opened(testBundle([anna, cleo])), keys).ok).toBe(true)
    // One signature, written down twice under two names.
    const [one] = opened(testBundle([anna])).envelope.signatures
    const twice = {
      ...opened(testBundle([anna])),
      envelope: {
        payload: opened(testBundle([anna])).envelope.payload,
        signatures: [one, { keyid: keyId(ben.text), sig: one?.sig ?? '' }].flatMap((each) => each ?? []),
      },
    }
    expect(verifyBundle(twice, keys).ok).toBe(false)
  })

  it('can be signed again without changing what it is', () => {
    const once = opened(testBundle([anna]))
    const twice = opened(signBundle(once, ben.secret))
    expect(twice.digest).toBe(once.digest)
    expect(twice.envelope.signatures.map(({ keyid }) => keyid)).toEqual([keyId(anna.text), keyId(ben.text)])
  })

  const other = testBundle([anna], { revision: 2 }, { 'config.yaml': 'version: 1\n' })
  test.each<[string, (files: Map<string, Buffer>) => void, RegExp]>([
    [
      'a changed file',
      (files) => files.set('config.yaml', Buffer.from('version: 1\n')),
      /config.yaml is not the file/,
    ],
    ['a missing file', (files) => files.delete('config.yaml'), /config.yaml is missing/],
    [
      'a file too many',
      (files) => files.set('more.yaml', Buffer.from('')),
      /more.yaml is not in the manifest/,
    ],
    [
      'files of another bundle',
      (files) => files.set('config.yaml', opened(other).files.get('config.yaml') ?? Buffer.alloc(0)),
      /not the file/,
    ],
    ['no manifest', (files) => files.delete(MANIFEST), /no .manifest/],
    ['no list of signatures', (files) => files.delete(SIGNATURES), /no .signatures.json/],
    ['a manifest that is not JSON', (files) => files.set(MANIFEST, Buffer.from('{')), /not JSON/],
    [
      'a manifest without a revision',
      (files) => files.set(MANIFEST, manifest({ revision: undefined })),
      /no `revision`/,
    ],
    [
      'a revision that is not a number',
      (files) => files.set(MANIFEST, manifest({ revision: '1' })),
      /no `revision`/,
    ],
    [
      'a time that is not one',
      (files) => files.set(MANIFEST, manifest({ expires: 'never' })),
      /not an ISO time/,
    ],
    ['a name that is a path', (files) => files.set(MANIFEST, manifest({ name: '../x' })), /not a name/],
    ['a format of the future', (files) => files.set(MANIFEST, manifest({ format: 2 })), /format 2/],
  ])('is refused with %s', (_name, change, why) => {
    const result = openBundle(changed(testBundle([anna]), change))
    expect(result).toMatchObject({ ok: false, problem: { message: expect.stringMatching(why) } })
  })

  it('is refused if its manifest comes from another bundle, even with the signature of that bundle', () => {
    const from = unpackArchive(other)
    const mixed = changed(testBundle([anna]), (files) => {
      for (const name of [MANIFEST, SIGNATURES])
        files.set(name, (from.ok && from.value.get(name)) || Buffer.alloc(0))
    })
    expect(openBundle(mixed)).toMatchObject({
      problem: { message: expect.stringContaining('not the file that was signed') },
    })
  })

  it('is refused if a signature was made for another kind of document', () => {
    const bundle = opened(testBundle([]))
    const asIndex = withSignature('index', bundle.envelope, anna.secret)
    expect(verifyBundle({ ...bundle, envelope: asIndex }, { keys: [anna.text], threshold: 1 }).ok).toBe(false)
  })

  function manifest(change: Record<string, unknown>): Buffer {
    const { payload } = opened(testBundle([anna])).envelope
    return Buffer.from(JSON.stringify({ ...JSON.parse(payload.toString()), ...change }))
  }
})

describe('a public key', () => {
  it('is accepted raw and as openssl writes it, and nothing else is', () => {
    const spki = generateKeyPairSync('ed25519').publicKey.export({ format: 'der', type: 'spki' })
    expect(parsePublicKey(spki.toString('base64'))).toBe(spki.subarray(12).toString('base64'))
    expect(parsePublicKey(` ${anna.text}\n`)).toBe(anna.text)
    const rsa = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey
    const wrong = [
      '',
      'x',
      '-----BEGIN',
      rsa.export({ format: 'der', type: 'spki' }).toString('base64'),
      `${anna.text}AA`,
    ]
    expect(wrong.map(parsePublicKey)).toEqual(wrong.map(() => undefined))
  })
})

describe('a bundle is accepted newly', () => {
  const { manifest } = opened(testBundle([anna], { revision: 5 }))
  const wanted = { name: 'acme', revision: 5 }
  test.each<[string, Parameters<typeof bundleFault>, RegExp | undefined]>([
    ['on a new machine', [manifest, wanted, {}, NOW], undefined],
    ['if it is newer', [manifest, wanted, { name: 'acme', revision: 4 }, NOW], undefined],
    ['if it is the same', [manifest, wanted, { name: 'acme', revision: 5 }, NOW], undefined],
    ['not if it is older', [manifest, wanted, { revision: 6 }, NOW], /older than 6/],
    ['not if it has expired', [manifest, wanted, {}, new Date('2027-01-01')], /expired at 2027-01-01/],
    [
      'not if another revision was named',
      [manifest, { ...wanted, revision: 4 }, {}, NOW],
      /instead of acme 4/,
    ],
    ['not if it is of another policy', [manifest, { ...wanted, name: 'other' }, {}, NOW], /instead of other/],
    [
      'not if it needs a newer Holdpoint',
      [{ ...manifest, minimumHoldpoint: '99.0.0' }, wanted, {}, NOW],
      /needs Holdpoint 99/,
    ],
  ])('%s', (_name, call, why) => {
    const fault = bundleFault(...call)
    expect(fault?.message).toEqual(why === undefined ? undefined : expect.stringMatching(why))
  })
})

describe('a publication', () => {
  const BUNDLES = { 1: { file: 'bundles/1.tar.gz', sha256: 'a'.repeat(64), bytes: 1 } }
  const LIST: Publication = {
    format: 1,
    name: 'acme',
    serial: 7,
    created: '2026-01-01T00:00:00.000Z',
    expires: '2026-12-01T00:00:00.000Z',
    keys: 0,
    channels: { stable: { revision: 1, percent: 100 } },
    bundles: BUNDLES,
  }
  test.each<[string, Record<string, unknown>, RegExp | undefined]>([
    ['whole', {}, undefined],
    ['of the future', { format: 2 }, /Upgrade|format 2/],
    ['without a serial', { serial: undefined }, /serial/],
    ['with a percentage above 100', { channels: { stable: { revision: 1, percent: 101 } } }, /channels/],
    ['with a revision that has no file', { channels: { stable: { revision: 2, percent: 1 } } }, /revision 2/],
    ['with a path that leads out', { bundles: { 1: { ...BUNDLES[1], file: '../../x' } } }, /bundles/],
    [
      'with an address instead of a path',
      { bundles: { 1: { ...BUNDLES[1], file: 'https://evil.example/x' } } },
      /bundles/,
    ],
    ['with a prototype as channel', { channels: JSON.parse('{"__proto__": {"revision": 1}}') }, /channels/],
  ])('is read: %s', (_name, change, why) => {
    const read = readPublication(JSON.parse(JSON.stringify({ ...LIST, ...change })))
    expect(read.ok ? undefined : read.problem.message).toEqual(
      why === undefined ? undefined : expect.stringMatching(why),
    )
  })

  it('is not accepted if it is older, expired or of another policy', () => {
    expect(publicationFault(LIST, {}, NOW)).toBeUndefined()
    expect(publicationFault(LIST, { serial: 7, name: 'acme' }, NOW)).toBeUndefined()
    expect(publicationFault(LIST, { serial: 8 }, NOW)?.message).toContain('older than 8')
    expect(publicationFault(LIST, { name: 'other' }, NOW)?.message).toContain('enrolled in other')
    expect(publicationFault(LIST, {}, new Date('2026-12-02'))?.message).toContain('expired')
  })

  it('gives a revision to a share of the machines, and to more of them as the share grows', () => {
    const machine = fc.uuid()
    fc.assert(
      fc.property(machine, fc.integer({ min: 0, max: 100 }), fc.integer({ min: 0, max: 100 }), (id, a, b) => {
        const [less, more] = a < b ? [a, b] : [b, a]
        expect(isSelected('acme 5', id, less) && !isSelected('acme 5', id, more)).toBe(false)
        expect(isSelected('acme 5', id, 100)).toBe(true)
        expect(isSelected('acme 5', id, 0)).toBe(false)
      }),
    )
    const chosen = Array.from({ length: 10_000 }, (_, n) => isSelected('acme 5', `machine ${n}`, 10))
    expect(chosen.filter(Boolean).length).toBeGreaterThan(850)
    expect(chosen.filter(Boolean).length).toBeLessThan(1_150)
  })

  it('gives all other machines the revision before', () => {
    const list = {
      name: 'acme',
      channels: { stable: { revision: 2, percent: 0, before: 1 }, canary: { revision: 2, percent: 100 } },
    }
    expect(revisionFor(list, 'stable', 'm')).toBe(1)
    expect(revisionFor(list, 'canary', 'm')).toBe(2)
    expect(revisionFor(list, 'toString', 'm')).toBeUndefined()
  })
})

describe('keys', () => {
  const document = (value: Record<string, unknown>, ...signers: readonly (typeof anna)[]) => {
    const payload = documentBytes(JSON.parse(JSON.stringify(value)))
    const signed = signers.reduce((envelope, key) => withSignature('keys', envelope, key.secret), {
      payload,
      signatures: [],
    } as Parameters<typeof withSignature>[1])
    const read = readEnvelope(writeEnvelope('keys', signed.payload, signed.signatures), 'keys')
    if (!read.ok) throw new Error(read.problem.message)
    return read.value
  }
  const one = pinnedSet([anna.text], 1)
  const next = { version: 1, keys: [ben.text, cleo.text], threshold: 1 }

  it('are replaced by a document that both sets have signed', () => {
    expect(nextKeys(one, document(next, anna, ben), 1)).toEqual({ ok: true, value: next })
    expect(nextKeys(one, document(next, ben), 1).ok).toBe(false)
    expect(nextKeys(one, document(next, anna), 1).ok).toBe(false)
    expect(nextKeys(one, document({ ...next, threshold: 2 }, anna, ben), 1).ok).toBe(false)
  })

  it('are not replaced by a document with another number or without keys', () => {
    expect(nextKeys(one, document(next, anna, ben), 2).ok).toBe(false)
    for (const wrong of [
      { keys: [] },
      { threshold: 0 },
      { threshold: 3 },
      { keys: [ben.text, ben.text] },
      { keys: ['x'] },
    ]) {
      expect(nextKeys(one, document({ ...next, ...wrong }, anna, ben), 1).ok).toBe(false)
    }
  })

  it('can be followed from any document that a pinned key has signed', () => {
    expect(firstKeys({ keys: [ben.text], threshold: 1 }, document({ ...next, version: 9 }, ben), 9).ok).toBe(
      true,
    )
    expect(firstKeys({ keys: [anna.text], threshold: 1 }, document({ ...next, version: 9 }, ben), 9).ok).toBe(
      false,
    )
  })
})
