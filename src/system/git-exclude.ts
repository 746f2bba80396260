import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { removeTorn, writeWhole } from './files.ts'

/**
 * Files that `init` writes for one user into a work tree are kept out of git by `.git/info/exclude`, which git never
 * shares: other users must not get hooks that start programs of another machine.
 */
export interface Exclusion {
  /** The file of exclusions. */
  readonly file: string
  readonly before: string
  readonly after: string
}

type Environment = Readonly<Record<string, string | undefined>>

const MARK = '# holdpoint: hooks of this checkout only'

/** What to write so that git ignores these files. Undefined: there is no work tree, or git ignores them already. */
export function planExclusion(
  files: readonly string[],
  folder: string,
  env: Environment,
): Exclusion | undefined {
  const root = workTree(folder)
  const file = root === undefined ? undefined : excludeFile(root, env)
  if (root === undefined || file === undefined) return undefined
  const seen = files.filter((each) => git(root, ['check-ignore', '--quiet', '--', each], env)?.status !== 0)
  const lines = seen.map((each) => `/${relative(root, each)}`).filter((line) => !line.startsWith('/..'))
  const before = read(file)
  const missing = lines.filter((line) => !before.split('\n').includes(line))
  if (missing.length === 0) return undefined
  const gap = before === '' || before.endsWith('\n') ? '' : '\n'
  return { file, before, after: `${before}${gap}${missing.map((line) => `${MARK}\n${line}\n`).join('')}` }
}

export function writeExclusion({ file, after }: Exclusion): void {
  writeWhole(file, after)
}

/** Files that git already tracks, for which an exclusion does not help. */
export function trackedFiles(files: readonly string[], folder: string, env: Environment): readonly string[] {
  const root = workTree(folder)
  if (root === undefined) return []
  return files.filter((file) => git(root, ['ls-files', '--error-unmatch', '--', file], env)?.status === 0)
}

/** Removes the lines of `planExclusion`, but not of these files. */
export function removeExclusion(folder: string, env: Environment, kept: readonly string[] = []): void {
  const root = workTree(folder)
  const file = root === undefined ? undefined : excludeFile(root, env)
  if (file === undefined) return
  removeTorn(file)
  const before = read(file)
  const lines = before.split('\n')
  const keptLines = kept.map((each) => `/${relative(root ?? folder, each)}`)
  const isOurs = (line: string | undefined) => line !== undefined && !keptLines.includes(line)
  const left = lines.filter((line, at) =>
    line === MARK ? !isOurs(lines[at + 1]) : lines[at - 1] !== MARK || !isOurs(line),
  )
  if (left.length !== lines.length) writeWhole(file, left.join('\n'))
}

function workTree(folder: string): string | undefined {
  if (existsSync(join(folder, '.git'))) return folder
  return dirname(folder) === folder ? undefined : workTree(dirname(folder))
}

/** In a linked work tree the file is elsewhere, and git knows its path. */
function excludeFile(root: string, env: Environment): string | undefined {
  const said = git(root, ['rev-parse', '--git-path', 'info/exclude'], env)
  if (said?.status === 0 && said.stdout.trim() !== '') return resolve(root, said.stdout.trim())
  const own = join(root, '.git')
  return statSync(own, { throwIfNoEntry: false })?.isDirectory() === true
    ? join(own, 'info', 'exclude')
    : undefined
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

const GIT_MAX_MS = 10_000

function git(cwd: string, args: readonly string[], callers: Environment) {
  const env = Object.fromEntries(Object.entries(callers).filter(([name]) => !name.startsWith('GIT_')))
  const ran = spawnSync('git', args, { cwd, env, encoding: 'utf8', timeout: GIT_MAX_MS })
  return ran.error === undefined ? ran : undefined
}
