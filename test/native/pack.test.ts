import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { clientFile } from '../../scripts/build-native.mjs'
import { machineOf } from '../../scripts/release-rules.mjs'
import { tarball } from '../installed.ts'

/** The native clients in the tarball that npm would publish. */
const LINUX = ['linux-x64', 'linux-arm64']

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-pack-'))
  execFileSync('tar', ['-xzf', tarball(), '-C', folder])
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The types of the program headers of an ELF file. */
function headersOf(bytes: Buffer): readonly number[] {
  const [start, size, count] = [
    Number(bytes.readBigUInt64LE(32)),
    bytes.readUInt16LE(54),
    bytes.readUInt16LE(56),
  ]
  return Array.from({ length: count }, (_, i) => bytes.readUInt32LE(start + i * size))
}

describe('the clients for Linux in the tarball', () => {
  it.each(LINUX)('%s is a static program for its processor, which everyone may run', (target) => {
    const bytes = readFileSync(join(folder, 'package', clientFile(target)))
    expect(machineOf(bytes)).toBe(target)
    // PT_DYNAMIC and PT_INTERP: without them no loader runs, so LD_PRELOAD has no effect.
    expect(headersOf(bytes).filter((type) => type === 2 || type === 3)).toEqual([])
    const listed = execFileSync('tar', ['-tvzf', tarball()], { encoding: 'utf8' }).split('\n')
    expect(listed.find((line) => line.endsWith(clientFile(target)))).toMatch(/^-rwxr-xr-x /)
  })

  it('are as small as a client is with musl', () => {
    for (const target of LINUX) {
      expect(readFileSync(join(folder, 'package', clientFile(target))).length).toBeLessThan(100_000)
    }
  })
})

/** The kinds of the load commands of a program for a Mac. */
function commandsOf(bytes: Buffer): readonly number[] {
  const found: number[] = []
  for (let at = 32; found.length < bytes.readUInt32LE(16); at += bytes.readUInt32LE(at + 4)) {
    found.push(bytes.readUInt32LE(at) & 0x7fff_ffff)
  }
  return found
}

const CODE_SIGNATURE = 0x1d
const MAC = ['darwin-x64', 'darwin-arm64']
const hasZig = existsSync(join(import.meta.dirname, '../../.ci/zig/node_modules/.bin/zig'))

// The compiler has 400 MB, so only who makes a release needs it: `npm ci --prefix .ci/zig`, then `npm run build`.
describe.skipIf(!hasZig)('the clients for macOS in the tarball, with the compiler of .ci/zig', () => {
  it.each(MAC)('%s is a small program for its processor, which everyone may run', (target) => {
    const bytes = readFileSync(join(folder, 'package', clientFile(target)))
    expect(machineOf(bytes)).toBe(target)
    expect(bytes.length).toBeLessThan(100_000)
    const listed = execFileSync('tar', ['-tvzf', tarball()], { encoding: 'utf8' }).split('\n')
    expect(listed.find((line) => line.endsWith(clientFile(target)))).toMatch(/^-rwxr-xr-x /)
  })

  it('the one for arm64 is signed, because that Mac starts no other', () => {
    const bytes = readFileSync(join(folder, 'package', clientFile('darwin-arm64')))
    expect(commandsOf(bytes)).toContain(CODE_SIGNATURE)
  })

  it('they ask the system for their own path, and have no file of Linux in them', () => {
    for (const target of MAC) {
      const text = readFileSync(join(folder, 'package', clientFile(target)), 'latin1')
      expect(text).toContain('_NSGetExecutablePath')
      expect(text).toContain('getpeereid')
      expect(text).not.toContain('/proc/')
    }
  })
})
