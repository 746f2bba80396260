import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * The package as a user gets it: packed, and then installed by npm into an empty folder outside the repository, once
 * for each build. Tests start its `holdpoint` program, which cannot reach the source tree.
 */
const ROOT = join(import.meta.dirname, '..')
const DIST = join(ROOT, 'dist')
const PREFIX = 'holdpoint-installed-'
/** A copy from which nothing is started. */
const FRESH = 'fresh'
const OLD_AFTER_MS = 24 * 60 * 60 * 1000
const WAIT_MAX_MS = 200_000

/** The `holdpoint` command that npm linked. */
export function holdpointProgram(): string {
  return join(installedFolder(), 'node_modules', '.bin', 'holdpoint')
}

/** The installed package itself. */
export function installedPackage(): string {
  return join(installedFolder(), 'node_modules', 'holdpoint')
}

/** The package exactly as npm installed it, before its first start: for tests of its contents. */
export function freshPackage(): string {
  return join(installedFolder(), FRESH, 'node_modules', 'holdpoint')
}

/** The tarball that npm would publish. */
export function tarball(): string {
  const folder = installedFolder()
  const name = readdirSync(folder).find((each) => each.endsWith('.tgz'))
  return join(folder, name ?? '')
}

let known: string | undefined

function installedFolder(): string {
  known ??= install()
  return known
}

function install(): string {
  if (!existsSync(join(DIST, 'programs.cjs'))) throw new Error('dist/ is missing: run `npm run build` first')
  const folder = join(tmpdir(), `${PREFIX}${process.getuid?.() ?? 'user'}-warm-${buildHash()}`)
  if (existsSync(folder)) return folder
  const lock = `${folder}.lock`
  if (!mayMake(lock)) return waitFor(folder, lock)
  try {
    removeOld()
    const beside = `${folder}.new`
    rmSync(beside, { recursive: true, force: true })
    mkdirSync(beside)
    writeFileSync(join(beside, 'package.json'), '{ "name": "user", "private": true }\n')
    npm(ROOT, ['pack', '--ignore-scripts', '--pack-destination', beside])
    const packed = readdirSync(beside).filter((name) => name.endsWith('.tgz'))
    npm(beside, [
      'install',
      '--no-audit',
      '--no-fund',
      '--prefer-offline',
      ...packed.map((name) => `./${name}`),
    ])
    warm(beside)
    renameSync(beside, folder)
    return folder
  } finally {
    rmSync(lock, { recursive: true, force: true })
  }
}

/**
 * Tests start the program thousands of times, and compiling it takes nearly half of each start. So it gets the code
 * cache that `init` makes for its own copy. The first start fills it.
 */
function warm(folder: string): void {
  mkdirSync(join(folder, FRESH))
  execFileSync('cp', ['-al', join(folder, 'node_modules'), join(folder, FRESH)])
  const modules = join(folder, 'node_modules')
  mkdirSync(join(modules, 'holdpoint', 'dist', 'code-cache'))
  const words = ['test', '--tool', 'Bash', '--args', '{"command":"ls"}']
  const env = { PATH: process.env.PATH ?? '', HOME: folder, HOLDPOINT_HOME: join(folder, 'home') }
  execFileSync(join(modules, '.bin', 'holdpoint'), words, { cwd: folder, env, stdio: 'ignore' })
}

function npm(cwd: string, args: readonly string[]): void {
  execFileSync('npm', args, { cwd, stdio: ['ignore', 'ignore', 'pipe'] })
}

/** One of several workers installs the package; the others wait for its folder. */
function mayMake(lock: string): boolean {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' })
    return true
  } catch {
    return false
  }
}

/** A run that was killed leaves its lock. */
function isAbandoned(lock: string): boolean {
  const pid = existsSync(lock) ? Number(readFileSync(lock, 'utf8')) : 0
  if (pid === 0) return false
  try {
    process.kill(pid, 0)
    return false
  } catch {
    return true
  }
}

function waitFor(folder: string, lock: string): string {
  for (let waitedMs = 0; waitedMs < WAIT_MAX_MS; waitedMs += 100) {
    if (existsSync(folder)) return folder
    if (!existsSync(lock)) return install()
    if (isAbandoned(lock)) rmSync(lock, { recursive: true, force: true })
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100)
  }
  throw new Error(`${lock} is left from a run that was killed: remove it`)
}

function buildHash(): string {
  const hash = createHash('sha256')
  const { files } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const packed = files.filter((part: string) => !part.startsWith('!'))
  for (const part of [...packed, 'package.json', 'native']) {
    for (const file of filesBelow(join(ROOT, part))) hash.update(file).update(readFileSync(file))
  }
  return hash.digest('hex').slice(0, 16)
}

function filesBelow(path: string): readonly string[] {
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path)
    .filter((name) => name !== '__pycache__')
    .sort()
    .flatMap((name) => filesBelow(join(path, name)))
}

function removeOld(): void {
  for (const name of readdirSync(tmpdir()).filter((each) => each.startsWith(PREFIX))) {
    const folder = join(tmpdir(), name)
    const isOld = Date.now() - (statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0) > OLD_AFTER_MS
    if (isOld) rmSync(folder, { recursive: true, force: true })
  }
}
