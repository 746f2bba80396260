import { existsSync, promises, readFileSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type { Facts, FileInfo } from '../facts.ts'
import { withoutLoaders } from './environment.ts'

export interface Where {
  readonly cwd: string
  readonly home: string
  readonly project: string
  readonly env: Readonly<Record<string, string | undefined>>
}

const TEXT_MAX_BYTES = 1024 * 1024
const GIT_TIMEOUT_MS = 5_000

/** The real world, read when asked. Nothing here throws: what cannot be read is not there. */
export function liveFacts(where: Where): Facts {
  let env: Record<string, string> | undefined
  const folders = new Map<string, string>()
  return {
    cwd: where.cwd,
    home: where.home,
    project: where.project,
    // Few hooks look at it, and it is long.
    get env() {
      env ??= withoutLoaders(where.env)
      return env
    },
    platform: process.platform,
    now: () => new Date(),
    branch: () => readBranch(where.project),
    readText: async (path, maxBytes = TEXT_MAX_BYTES) => {
      const file = resolve(where.cwd, path)
      const info = await promises.stat(file).catch(() => undefined)
      if (info === undefined || !info.isFile() || info.size > maxBytes) return undefined
      return promises.readFile(file, 'utf8').catch(() => undefined)
    },
    list: (path) => promises.readdir(resolve(where.cwd, path)).catch(() => []),
    stat: (path) => infoOf(resolve(where.cwd, path)),
    realpath: (path) => realpathAsFarAsItExists(resolve(where.cwd, path), folders),
    recentCommits: (count) => recentCommits(where.project, count),
  }
}

/** A loop of links, or a name too long, is nothing one could have written: only a closed door leaves a doubt. */
async function infoOf(path: string): Promise<FileInfo | undefined> {
  try {
    const info = await promises.stat(path)
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
    const folder = statSync(git).isFile() ? readFileSync(git, 'utf8').replace('gitdir:', '').trim() : git
    const head = readFileSync(join(resolve(project, folder), 'HEAD'), 'utf8')
    return /^ref: refs\/heads\/(.+)$/m.exec(head)?.[1]
  } catch {
    return undefined
  }
}

/**
 * A file that is about to be created has no real path yet; its folder has. Most words of a command are no files at
 * all and end at the same folder, so `folders` remembers where it leads, for one event.
 */
function realpathAsFarAsItExists(path: string, folders: Map<string, string>): string {
  let folder = path
  const rest: string[] = []
  for (;;) {
    const real = (rest.length === 0 ? undefined : folders.get(folder)) ?? realpathOf(folder)
    if (real !== undefined) {
      if (rest.length === 0) return real
      folders.set(folder, real)
      return join(real, ...rest)
    }
    const parent = dirname(folder)
    if (parent === folder) return path
    rest.unshift(basename(folder))
    folder = parent
  }
}

/** Asked before it is tried: an exception costs ten times as much, and most paths of a command do not exist. */
function realpathOf(path: string): string | undefined {
  if (!existsSync(path)) return undefined
  try {
    return realpathSync.native(path)
  } catch {
    return undefined
  }
}

async function recentCommits(project: string, count: number): Promise<readonly string[]> {
  // Loaded when asked: most events never start a program, and every one pays for what is loaded.
  const { execFile } = await import('node:child_process')
  const args = ['-C', project, 'log', '--oneline', `-${Math.max(1, Math.min(50, Math.trunc(count)))}`]
  return new Promise((done) => {
    execFile('git', args, { timeout: GIT_TIMEOUT_MS, encoding: 'utf8' }, (error, stdout) => {
      done(error === null ? stdout.split('\n').filter((line) => line !== '') : [])
    })
  })
}
