import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

/** The npm packages of the native client, written by scripts/pack-native.mjs. */
const SCRIPT = join(import.meta.dirname, '..', '..', 'scripts', 'pack-native.mjs')
const HOST = `${process.platform}-${process.arch}`
const MACHINES: Readonly<Record<string, number>> = { 'linux-x64': 62, 'linux-arm64': 183 }

let folder: string
let tarballs: readonly string[]
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-pack-'))
  pack(join(folder, 'all'))
  tarballs = pack(join(folder, 'tarballs'), '--tarballs')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Packs under the strictest umask, because modes must not depend on it. Returns the printed lines. */
function pack(...args: readonly string[]): readonly string[] {
  const words = ['-c', 'umask 077 && exec "$0" "$@"', process.execPath, SCRIPT, ...args]
  const said = execFileSync('/bin/sh', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  return said.trim().split('\n')
}

function npm(args: readonly string[], cwd: string) {
  return spawnSync('npm', args, { cwd, encoding: 'utf8' })
}

function targetOf(path: string): string {
  return /client-([a-z]+-[a-z]+\d+)/.exec(basename(path))?.[1] ?? ''
}

/** The machine of an ELF file, and the types of its program headers. */
function readElf(file: string): { machine: number; headers: readonly number[] } {
  const bytes = readFileSync(file)
  expect(bytes.toString('latin1', 0, 4)).toBe('\x7fELF')
  const [start, size, count] = [
    Number(bytes.readBigUInt64LE(32)),
    bytes.readUInt16LE(54),
    bytes.readUInt16LE(56),
  ]
  const headers = Array.from({ length: count }, (_, i) => bytes.readUInt32LE(start + i * size))
  return { machine: bytes.readUInt16LE(18), headers }
}

describe('the folders of the client packages', () => {
  it('are four, and the one for this machine has its program', () => {
    const names = readdirSync(join(folder, 'all')).toSorted()
    expect(names).toEqual([
      'client-darwin-arm64',
      'client-darwin-x64',
      'client-linux-arm64',
      'client-linux-x64',
    ])
    expect(existsSync(join(folder, 'all', `client-${HOST}`, 'holdpoint-hook'))).toBe(true)
  })

  it('name the repository of the package, because npm rejects provenance otherwise', () => {
    const root = { version: '1.2.0', license: 'MIT', repository: { type: 'git', url: 'git+https://x/y.git' } }
    const platform = { os: 'linux', cpu: 'x64' }
    const code = `import(${JSON.stringify(SCRIPT)}).then(({ clientManifest }) => console.log(JSON.stringify(clientManifest('a', ${JSON.stringify(platform)}, ${JSON.stringify(root)}, true))))`
    const said = execFileSync(process.execPath, ['-e', code], { encoding: 'utf8' })
    expect(JSON.parse(said)).toMatchObject(root)
  })

  it('are published by npm if they have a program, and refused otherwise', () => {
    let refused = 0
    for (const name of readdirSync(join(folder, 'all'))) {
      const at = join(folder, 'all', name)
      const hasProgram = existsSync(join(at, 'holdpoint-hook'))
      const { private: isPrivate } = JSON.parse(readFileSync(join(at, 'package.json'), 'utf8'))
      const published = npm(['publish', '--dry-run', '--offline'], at)
      expect([name, published.status, isPrivate === true]).toEqual([name, hasProgram ? 0 : 1, !hasProgram])
      expect(readFileSync(join(at, 'README.md'), 'utf8').includes('not in this folder')).toBe(!hasProgram)
      if (hasProgram) continue
      expect(published.stderr).toContain('holdpoint-hook is missing: see README.md')
      refused += 1
    }
    // A client for macOS and one for Linux cannot both be built on one machine.
    expect(refused).toBeGreaterThan(0)
  })

  it('lose an older program if none can be built', () => {
    const at = join(folder, 'all', process.platform === 'linux' ? 'client-darwin-x64' : 'client-linux-x64')
    execFileSync('/bin/sh', ['-c', 'echo old > holdpoint-hook'], { cwd: at })
    pack(join(folder, 'all'))
    expect(existsSync(join(at, 'holdpoint-hook'))).toBe(false)
  })
})

describe('the tarballs of the client packages', () => {
  it('are printed, and contain a program that everyone may run', () => {
    expect(tarballs.map(targetOf)).toContain(HOST)
    for (const tarball of tarballs) {
      const listed = execFileSync('tar', ['-tvzf', tarball], { encoding: 'utf8' }).split('\n')
      expect(listed.find((line) => line.endsWith('package/holdpoint-hook'))).toMatch(/^-rwxr-xr-x /)
    }
  })

  it('for Linux contain a static program for their processor', () => {
    for (const tarball of tarballs.filter((path) => targetOf(path).startsWith('linux'))) {
      const { machine, headers } = readElf(
        join(folder, 'tarballs', `client-${targetOf(tarball)}`, 'holdpoint-hook'),
      )
      expect(machine).toBe(MACHINES[targetOf(tarball)])
      // PT_DYNAMIC and PT_INTERP: without them no loader runs, so LD_PRELOAD has no effect.
      expect(headers.filter((type) => type === 2 || type === 3)).toEqual([])
    }
  })

  it('install a program that starts', () => {
    const project = mkdtempSync(join(folder, 'project-'))
    const own = tarballs.find((path) => targetOf(path) === HOST) ?? ''
    const installed = npm(['install', '--offline', '--no-audit', '--no-fund', own], project)
    expect(installed.status, installed.stderr).toBe(0)
    const client = createRequire(join(project, 'x.cjs')).resolve(`@holdpoint/client-${HOST}/holdpoint-hook`)
    expect(statSync(client).mode & 0o777).toBe(0o755)
    expect(spawnSync(client, { env: {} }).status).toBe(2)
  })
})
