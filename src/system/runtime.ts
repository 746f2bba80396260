import { createHash, randomBytes } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { BUILD_ID } from '../core/build-id.ts'
import { isObject, textAt } from '../core/json.ts'
import { VERSION } from '../core/version.ts'
import { DAEMON_FLAGS } from './daemon-node.ts'
import type { Home } from './home.ts'
import { COPY_MARK, type OwnProgram, packageRoot, programFile } from './package.ts'
import { type RuntimeFile, runtimeFiles } from './runtime-files.ts'

/**
 * Holdpoint's own copy of its programs, in its home. Hooks and the daemon run from it, so that a package cache, the
 * node_modules of a project or a checkout can be removed. There is one folder for each build, named after its content.
 * `current` leads to the one in use and is switched in one step.
 */
export interface InstalledCopy {
  readonly folder: string
  readonly version: string
  readonly build: string
}

const CURRENT = 'current'
const MANIFEST = COPY_MARK
/** Longer than any call that was started from the previous copy. */
const KEPT_AFTER_MS = 60 * 60 * 1000

export function currentRuntime(home: Pick<Home, 'runtime'>): InstalledCopy | undefined {
  return readRuntime(join(home.runtime, CURRENT))
}

function readRuntime(path: string): InstalledCopy | undefined {
  try {
    const folder = realpathSync(path)
    const manifest: unknown = JSON.parse(readFileSync(join(folder, MANIFEST), 'utf8'))
    const [version, build] = isObject(manifest)
      ? [textAt(manifest, 'version'), textAt(manifest, 'build')]
      : []
    return version === undefined || build === undefined ? undefined : { folder, version, build }
  } catch {
    return undefined
  }
}

/** A program file and its first arguments. */
export type StartCommand = readonly [file: string, ...args: string[]]

/** How to start a program: from the installed copy, with the Node found there, or from this package without a copy. */
export function startCommand(home: Home, program: OwnProgram): StartCommand {
  if (existsSync(home.nodeProgram)) return [home.nodeProgram, program]
  const flags = program === 'daemon' ? DAEMON_FLAGS : []
  return [process.execPath, ...flags, programFile(program)]
}

/** Whether its files exist: during an upgrade the old programs may be removed before the new ones are there. */
export function canStart(home: Home, program: OwnProgram): boolean {
  if (existsSync(home.nodeProgram)) return currentRuntime(home) !== undefined
  return existsSync(programFile(program))
}

/**
 * Returns whether the code that runs now is what a new process would run. It is called for every request, so it only
 * reads a link. Without an installed copy there is no link.
 */
export function watchCurrent(home: Pick<Home, 'runtime'>): () => boolean {
  const own = realpathSync(packageRoot())
  const name = basename(own)
  const isCopy = dirname(own) === realpathIfThere(home.runtime)
  const link = join(home.runtime, CURRENT)
  return () => {
    const current = linkTarget(link)
    return current === undefined ? !isCopy : isCopy && current === name
  }
}

function realpathIfThere(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch {
    return undefined
  }
}

/** Throws the error of the file system; then `current` is unchanged. */
export function installRuntime(home: Pick<Home, 'runtime'>): InstalledCopy {
  const root = packageRoot()
  const files = runtimeFiles(root)
  const manifest = `${JSON.stringify({ version: VERSION, build: BUILD_ID }, null, 2)}\n`
  const id = contentId(files, manifest)
  const folder = join(home.runtime, id)
  mkdirSync(home.runtime, { recursive: true, mode: 0o700 })
  if (!isWhole(folder, files, manifest, id)) writeCopy(folder, files, manifest)
  switchTo(home, id)
  return { folder, version: VERSION, build: BUILD_ID }
}

/** Depends only on the content of the files, not on their paths and times. */
function contentId(files: readonly RuntimeFile[], manifest: string): string {
  const hash = createHash('sha256').update(manifest)
  for (const { from, to } of files) hash.update(`\0${to}\0`).update(readFileSync(from))
  return hash.digest('hex').slice(0, 16)
}

/** A copy that has lost or changed a file is created again. */
function isWhole(folder: string, files: readonly RuntimeFile[], manifest: string, id: string): boolean {
  try {
    const there = files.map(({ to }) => ({ from: join(folder, to), to }))
    return readFileSync(join(folder, MANIFEST), 'utf8') === manifest && contentId(there, manifest) === id
  } catch {
    return false
  }
}

function writeCopy(folder: string, files: readonly RuntimeFile[], manifest: string): void {
  const beside = `${folder}.${process.pid}.${randomBytes(4).toString('hex')}`
  try {
    for (const { from, to } of files) writeFile(join(beside, to), readFileSync(from))
    writeFile(join(beside, MANIFEST), Buffer.from(manifest))
    mkdirSync(join(beside, 'dist', 'code-cache'), { mode: 0o700 })
    replaceFolder(folder, beside)
  } finally {
    rmSync(beside, { recursive: true, force: true })
  }
}

/** Flushed to disk first: after a power cut an empty program would exit with 0, which means "continue". */
function writeFile(path: string, content: Buffer): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const file = openSync(path, 'wx', 0o600)
  try {
    writeFileSync(file, content)
    if (path.endsWith('.cjs')) fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

function replaceFolder(folder: string, by: string): void {
  const broken = `${by}.old`
  for (let tries = 0; ; tries += 1) {
    try {
      renameSync(by, folder)
      return
    } catch (error) {
      // There is one already: broken, or just created by another `init`. In both cases ours is equal.
      if (tries === 2 || !existsSync(folder)) throw error
      renameSync(folder, broken)
      rmSync(broken, { recursive: true, force: true })
    }
  }
}

function switchTo(home: Pick<Home, 'runtime'>, id: string): void {
  const link = join(home.runtime, CURRENT)
  const before = linkTarget(link)
  if (before === id) return
  const beside = `${link}.${process.pid}.${randomBytes(4).toString('hex')}`
  try {
    symlinkSync(id, beside)
    renameSync(beside, link)
  } finally {
    rmSync(beside, { force: true })
  }
  // From now on the old copy is only used by calls that have already started.
  if (before !== undefined) touch(join(home.runtime, before))
}

function linkTarget(link: string): string | undefined {
  try {
    // Only its name counts: in a home that was copied or restored, the link may contain an absolute path.
    return basename(readlinkSync(link))
  } catch {
    return undefined
  }
}

function touch(folder: string): void {
  const now = new Date()
  if (existsSync(folder)) utimesSync(folder, now, now)
}

/** Removes copies that are neither current, nor used by `inUse`, nor replaced within the last hour. */
export function pruneRuntimes(home: Pick<Home, 'runtime'>, inUse: (folder: string) => boolean): void {
  const current = linkTarget(join(home.runtime, CURRENT))
  if (current === undefined) return
  for (const name of readdirSync(home.runtime)) {
    const folder = join(home.runtime, name)
    const found = statSync(folder, { throwIfNoEntry: false })
    if (name === current || name === CURRENT || found === undefined || inUse(folder)) continue
    if (Date.now() - found.mtimeMs > KEPT_AFTER_MS) rmSync(folder, { recursive: true, force: true })
  }
}

export function removeRuntimes(home: Pick<Home, 'runtime'>): void {
  rmSync(home.runtime, { recursive: true, force: true })
}
