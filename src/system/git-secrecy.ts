import { spawnSync } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { bad, good, type Result } from '../core/errors.ts'
import { quietGit } from './quiet-git.ts'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Whether this file may contain a secret: git does not track it and would not add it. Asks git itself, at the target of
 * a link. If git cannot tell, the answer is no.
 */
export function checkKeptOutOfGit(path: string, env: Environment): Result<void> {
  const file = realPath(path)
  const folder = nearestFolder(dirname(file))
  if (!isInWorkTree(folder)) return good(undefined)
  const ignored = git(folder, ['check-ignore', '--quiet', '--', file], env)
  if (ignored === 0) return good(undefined)
  const tracked = git(folder, ['ls-files', '--error-unmatch', '--', file], env)
  if (tracked === 0) {
    const fix = `Take it out with \`git rm --cached ${file}\` and ignore it, or use --scope user; nothing was changed.`
    return bad('OPTION_INVALID', 'git tracks this file (`git ls-files`), so it may not contain a secret.', {
      file,
      fix,
    })
  }
  const why =
    ignored === 1 ? 'git does not ignore this file' : 'git could not say whether it ignores this file'
  const fix = 'Add it to .gitignore or .git/info/exclude, or use --scope user; nothing was changed.'
  return bad('OPTION_INVALID', `${why} (\`git check-ignore\`), so it may not contain a secret.`, {
    file,
    fix,
  })
}

/** The file itself if it exists; otherwise the real path of its nearest existing folder. */
function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    const folder = dirname(path)
    return folder === path ? path : join(realPath(folder), basename(path))
  }
}

function nearestFolder(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : nearestFolder(dirname(folder))
}

function isInWorkTree(folder: string): boolean {
  if (existsSync(join(folder, '.git'))) return true
  return dirname(folder) !== folder && isInWorkTree(dirname(folder))
}

const GIT_MAX_MS = 10_000

/** Its exit code; null if git cannot be run. */
function git(cwd: string, args: readonly string[], env: Environment): number | null {
  const call = quietGit(cwd, args, env)
  return spawnSync('git', call.args, { env: call.env, stdio: 'ignore', timeout: GIT_MAX_MS }).status
}
