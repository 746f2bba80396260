import { spawnSync } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { bad, good, type Result } from '../errors.ts'

/**
 * A secret may stand in this file: git neither has it nor would take it up. Asked of git itself, at the place a link
 * leads to; where git cannot say, the answer is no.
 */
export function checkKeptOutOfGit(path: string): Result<void> {
  const file = realPath(path)
  const folder = nearestFolder(dirname(file))
  if (!isInWorkTree(folder)) return good(undefined)
  const ignored = git(folder, ['check-ignore', '--quiet', '--', file])
  if (ignored === 0) return good(undefined)
  const tracked = git(folder, ['ls-files', '--error-unmatch', '--', file])
  if (tracked === 0) {
    const fix = `Take it out with \`git rm --cached ${file}\` and ignore it, or use --scope user; nothing was changed.`
    return bad('OPTION_INVALID', 'git tracks this file (`git ls-files`), so a secret may not stand in it.', {
      file,
      fix,
    })
  }
  const why =
    ignored === 1 ? 'git does not ignore this file' : 'git could not say whether it ignores this file'
  const fix = 'Add it to .gitignore or .git/info/exclude, or use --scope user; nothing was changed.'
  return bad('OPTION_INVALID', `${why} (\`git check-ignore\`), so a secret may not stand in it.`, {
    file,
    fix,
  })
}

/** The file itself where there is one; else its folder's own place, as far as that exists. */
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

/** Its exit code; null when it cannot be asked. Variables that would point it at another repository are left out. */
function git(cwd: string, args: readonly string[]): number | null {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_')))
  return spawnSync('git', args, { cwd, env, stdio: 'ignore', timeout: GIT_MAX_MS }).status
}
