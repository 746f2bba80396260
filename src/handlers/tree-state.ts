import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { promises } from 'node:fs'
import { join } from 'node:path'
import { quietGit } from '../system/quiet-git.ts'

const GIT_TIMEOUT_MS = 5_000
const STATUS_MAX_BYTES = 8 * 1024 * 1024
/** With more changed files than this, checking each costs more than a test. */
const CHANGED_MAX = 2_000

/**
 * A fingerprint of the files of a repository: the commit, the differences, and their modification times. Undefined: it
 * is not a repository, or too much differs, so that it is unknown whether something changed. Files that git ignores
 * are not included.
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

type Environment = Readonly<Record<string, string | undefined>>

function git(folder: string, env: Environment, args: readonly string[]): Promise<string | undefined> {
  const call = quietGit(folder, args, env)
  const limits = { timeout: GIT_TIMEOUT_MS, maxBuffer: STATUS_MAX_BYTES }
  return new Promise((resolve) => {
    execFile('git', call.args, { ...limits, encoding: 'utf8', env: call.env }, (error, stdout) =>
      resolve(error === null ? stdout : undefined),
    )
  })
}

/** The paths of every entry. The old name of a renamed file is a separate entry. */
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
