import { execFileSync } from 'node:child_process'
import { gunzipSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { sha256 } from '../../system/sha256.ts'
import { packArchive, unpackArchive } from './archive.ts'

const FILES = new Map([
  ['config.yaml', Buffer.from('version: 1\n')],
  ['tests/a.yaml', Buffer.from('x'.repeat(513))],
  ['empty', Buffer.alloc(0)],
])

describe('an archive', () => {
  it('is the same for the same files, whatever their order, on every machine', () => {
    expect(packArchive(new Map([...FILES].reverse()))).toEqual(packArchive(FILES))
    expect(sha256(packArchive(FILES))).toBe(
      'a4641063517d24f1e010835dd5685540fdbf0aa4b137231052c456745da163f5',
    )
  })

  it('can be read by tar', () => {
    const listed = execFileSync('tar', ['tzf', '-'], { input: packArchive(FILES), encoding: 'utf8' })
    expect(listed.split('\n').filter(Boolean)).toEqual(['config.yaml', 'empty', 'tests/a.yaml'])
  })

  it('returns every file that was packed', () => {
    const path = fc.stringMatching(/^[a-z][a-z0-9._-]{0,20}(\/[a-z][a-z0-9._-]{0,20}){0,2}$/)
    const content = fc.uint8Array({ maxLength: 70_000 }).map((bytes) => Buffer.from(bytes))
    fc.assert(
      fc.property(fc.array(fc.tuple(path, content), { maxLength: 8 }), (entries) => {
        const files = new Map(entries)
        const read = unpackArchive(packArchive(files))
        expect(read.ok && new Map([...read.value].sort())).toEqual(new Map([...files].sort()))
      }),
      { numRuns: 40 },
    )
  })

  it('is refused if any byte of it is cut off', () => {
    const whole = packArchive(FILES)
    for (let length = 0; length < whole.length; length += 97) {
      expect(unpackArchive(whole.subarray(0, length)).ok).toBe(false)
    }
  })

  const changed = (change: (tar: Buffer) => Buffer) => gzipSync(change(gunzipSync(packArchive(FILES))))
  /** Writes a name or a type into the first header, with the right checksum. */
  const header = (at: number, text: string) =>
    changed((tar) => {
      if (at === 0) tar.fill(0, 0, 100)
      tar.write(text, at)
      tar.fill(' ', 148, 156)
      const sum = tar.subarray(0, 512).reduce((total, byte) => total + byte, 0)
      tar.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
      return tar
    })

  test.each<[string, Buffer, RegExp]>([
    ['text', Buffer.from('<html>Please log in</html>'), /cannot be unpacked/],
    ['nothing', Buffer.alloc(0), /cannot be unpacked/],
    ['a bomb', gzipSync(Buffer.alloc(65 * 1024 * 1024)), /cannot be unpacked/],
    ['no end', changed((tar) => tar.subarray(0, tar.length - 1024)), /its end is missing/],
    ['a wrong checksum', changed((tar) => (tar.write('9', 0), tar)), /no valid tar header/],
    ['a path that leads out', header(0, '../../etc/passwd'), /may only have letters/],
    ['an absolute path', header(0, '/etc/passwd'), /may only have letters/],
    ['a path with a control character', header(0, 'a\u0007b'), /may only have letters/],
    ['a link', header(156, '2'), /not a regular file/],
    ['a device', header(156, '3'), /not a regular file/],
    ['one file twice', header(0, 'empty'), /there twice/],
    ['a file of a length that is not there', header(124, '77777777777'), /cut off/],
  ])('is refused if it is %s', (_name, bytes, why) => {
    expect(unpackArchive(bytes)).toMatchObject({
      ok: false,
      problem: { code: 'BUNDLE_INVALID', message: expect.stringMatching(why) },
    })
  })
})
