import { existsSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type { Facts, FileInfo } from '../core/facts.ts'
import { withoutLoaders } from './environment.ts'
import { isOlder } from './file-stamp.ts'
import { quietGit } from './quiet-git.ts'
import { readRegularText } from './regular-file.ts'

export interface FactsScope {
  readonly cwd: string
  readonly home: string
  readonly project: string
  readonly env: Readonly<Record<string, string | undefined>>
}

const TEXT_MAX_BYTES = 1024 * 1024
const SMALL_MAX_BYTES = 256 * 1024
const GIT_TIMEOUT_MS = 5_000
/** Two files with one line each: the path of the repository, and its current branch. */
const GIT_MAX_BYTES = 16 * 1024

/** Facts about the real machine, read on demand. Nothing here throws: what cannot be read counts as missing. */
export function liveFacts(where: FactsScope): Facts {
  const realPaths = new Map<string, string>()
  return {
    cwd: where.cwd,
    home: where.home,
    project: where.project,
    // No getter: an object with its own ones is slow to read for the JavaScript engine.
    env: environmentOf(where.env),
    platform: process.platform,
    now: () => new Date(),
    branch: () => readBranch(where.project),
    readText: async (path, maxBytes = TEXT_MAX_BYTES) => {
      return readRegularText(resolve(where.cwd, path), maxBytes)
    },
    readNow: (path) => readRegularText(resolve(where.cwd, path), SMALL_MAX_BYTES),
    list: async (path) => {
      // Few events need it, and loading it takes every one of them a millisecond.
      const { readdir } = await import('node:fs/promises')
      return readdir(resolve(where.cwd, path)).catch(() => [])
    },
    stat: async (path) => infoOf(resolve(where.cwd, path)),
    realpath: (path) => realpathAsFarAsItExists(resolve(where.cwd, path), realPaths),
    recentCommits: (count) => recentCommits(where, count),
    stamp: (path) => stampText(resolve(where.cwd, path)),
    timer: (limitMs) => {
      const endMs = Date.now() + limitMs
      return () => Date.now() > endMs
    },
  }
}

/** Calls of one agent come with the same object, again and again. Only that of this process may change. */
function environmentOf(env: FactsScope['env']): Record<string, string> {
  if (env === process.env) return withoutLoaders(env)
  if (last?.env !== env) last = { env, kept: withoutLoaders(env) }
  return last.kept
}

let last: { readonly env: FactsScope['env']; readonly kept: Record<string, string> } | undefined

/** Of a file that was changed just now, the next change may have the same time. One that is closed may change unseen. */
function stampText(path: string): string | undefined {
  try {
    const info = statSync(path, { throwIfNoEntry: false })
    if (info === undefined) return 'missing'
    const stamp = { path, found: [info.mtimeMs, info.ctimeMs, info.size, info.ino] as const }
    return isOlder(stamp, Date.now()) ? stamp.found.join() : undefined
  } catch {
    return undefined
  }
}

/**
 * A loop of links, or a name that is too long, cannot be a file. Only missing permission leaves it unknown. Not asked in
 * another thread: waking that takes twenty times as long as the question.
 */
function infoOf(path: string): FileInfo | undefined {
  try {
    const info = statSync(path, { throwIfNoEntry: false })
    if (info === undefined) return undefined
    const kind = info.isFile() ? 'file' : info.isDirectory() ? 'folder' : 'other'
    return { kind, sizeBytes: info.size, modifiedMs: info.mtimeMs }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    return CLOSED.has(code) ? { kind: 'closed', sizeBytes: 0, modifiedMs: 0 } : undefined
  }
}

const CLOSED: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'EIO', 'ESTALE', 'ETIMEDOUT'])

function readBranch(project: string): string | undefined {
  try {
    const git = join(project, '.git')
    const isLink = statSync(git).isFile()
    const folder = isLink ? readRegularText(git, GIT_MAX_BYTES)?.replace('gitdir:', '').trim() : git
    const head = readRegularText(join(resolve(project, folder ?? '.git'), 'HEAD'), GIT_MAX_BYTES) ?? ''
    return /^ref: refs\/heads\/(.+)$/m.exec(head)?.[1]
  } catch {
    return undefined
  }
}

/**
 * A file that is about to be created has no real path yet, but its folder has. Guards ask for the same paths, and most
 * words of a command are not files and end at the same folder, so `known` keeps both for one event.
 */
function realpathAsFarAsItExists(path: string, known: Map<string, string>): string {
  const rest: string[] = []
  for (let folder = path; ; ) {
    const real = known.get(folder) ?? realpathOf(folder)
    const parent = real === undefined ? dirname(folder) : folder
    if (real !== undefined || parent === folder) {
      const found = real === undefined ? path : rest.length === 0 ? real : join(real, ...rest)
      if (rest.length > 1) known.set(dirname(path), dirname(found))
      if (real !== undefined) known.set(folder, real)
      known.set(path, found)
      return found
    }
    rest.unshift(basename(folder))
    folder = parent
  }
}

/** Checked before it is resolved: an exception costs ten times as much, and most paths of a command do not exist. */
function realpathOf(path: string): string | undefined {
  if (!existsSync(path)) return undefined
  try {
    return realpathSync.native(path)
  } catch {
    return undefined
  }
}

async function recentCommits({ project, env }: FactsScope, count: number): Promise<readonly string[]> {
  // Imported on demand: most events never start a program, and every import costs time.
  const { execFile } = await import('node:child_process')
  const lines = `-${Math.max(1, Math.min(50, Math.trunc(count)))}`
  const call = quietGit(project, ['log', '--no-show-signature', '--oneline', lines], env)
  const options = { timeout: GIT_TIMEOUT_MS, killSignal: 'SIGKILL', encoding: 'utf8', env: call.env } as const
  return new Promise((done) => {
    execFile('git', call.args, options, (error, stdout) => {
      done(error === null ? stdout.split('\n').filter((line) => line !== '') : [])
    })
  })
}
