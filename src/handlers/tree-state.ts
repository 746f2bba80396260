import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { promises } from 'node:fs'
import { join } from 'node:path'

const GIT_TIMEOUT_MS = 5_000
const STATUS_MAX_BYTES = 8 * 1024 * 1024
/** With more files changed than this, looking at each costs more than a test. */
const CHANGED_MAX = 2_000

/**
 * A mark of the files of a repository as they are: the commit, what differs from it, and when that was written.
 * Undefined: it is no repository, or too much differs, and then nobody can say that nothing changed. What git ignores
 * is not seen.
 */
export async function treeState(folder: string, env: Environment): Promise<string | undefined> {
  const top = await git(folder, env, ['rev-parse', '--show-toplevel'])
  const status = await git(folder, env, [
    'status',
    '--porcelain=v2',
    '--branch',
    '-z',
    '--untracked-files=all',
  ])
  if (top === undefined || status === undefined) return undefined
  const changed = changedIn(status)
  if (changed.length > CHANGED_MAX) return undefined
  const stamps = await Promise.all(changed.map((path) => stampOf(join(top.trimEnd(), path))))
  return createHash('sha256')
    .update(JSON.stringify([status, ...stamps]))
    .digest('hex')
}

/** A repository may have been told to run programs when it is asked: it is asked without them. */
const QUIET = ['--no-optional-locks', '-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null']

type Environment = Readonly<Record<string, string | undefined>>

/** Variables that would point git at another repository are left out. */
function git(folder: string, env: Environment, args: readonly string[]): Promise<string | undefined> {
  const own = Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('GIT_')))
  const limits = { timeout: GIT_TIMEOUT_MS, maxBuffer: STATUS_MAX_BYTES }
  return new Promise((resolve) => {
    const options = { ...limits, encoding: 'utf8', env: own as NodeJS.ProcessEnv } as const
    execFile('git', [...QUIET, '-C', folder, ...args], options, (error, stdout) =>
      resolve(error === null ? stdout : undefined),
    )
  })
}

/** The paths of every entry; of a renamed file the old name stands in an entry of its own. */
function changedIn(status: string): readonly string[] {
  const entries = status.split('\0').filter((entry) => entry !== '' && !entry.startsWith('# '))
  return entries.map((entry) => {
    const fields = FIELDS_BEFORE_PATH[entry.charAt(0)]
    if (fields === undefined || entry.charAt(1) !== ' ') return entry
    return entry.split(' ').slice(fields).join(' ')
  })
}

const FIELDS_BEFORE_PATH: Readonly<Record<string, number>> = { '1': 8, '2': 9, u: 10, '?': 1 }

async function stampOf(path: string): Promise<string> {
  try {
    const { mtimeMs, size, ino } = await promises.lstat(path)
    return `${mtimeMs} ${size} ${ino}`
  } catch {
    return 'gone'
  }
}
