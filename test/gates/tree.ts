import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The repository as the gates see it. Paths are relative to its root, with forward slashes. */
const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** The texts of all files in these folders whose path is accepted; a missing folder is empty. */
export function readTree(
  folders: readonly string[],
  keep: (path: string) => boolean,
): ReadonlyMap<string, string> {
  const paths = folders.flatMap((folder) => walk(join(ROOT, folder))).filter(keep)
  return new Map(paths.sort().map((path) => [path, readText(path)]))
}

/**
 * The files that a commit would contain: tracked files, and new ones that are not ignored, so that a fault is seen before
 * it is committed. Without git (an unpacked archive), everything except build products.
 */
export function repositoryFiles(): readonly string[] {
  if (!existsSync(join(ROOT, '.git'))) {
    return walk(ROOT).filter((path) => !/^(?:node_modules|dist|coverage)\//.test(path))
  }
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  return [...new Set(listed.split('\0'))].filter((path) => path !== '' && exists(path))
}

export function exists(path: string): boolean {
  return existsSync(join(ROOT, path))
}

export function sizeBytes(path: string): number {
  return statSync(join(ROOT, path)).size
}

export function readText(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
}

/** The agents' own packages are below test/hosts, with very many files. */
function walk(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules')
    .flatMap((entry) => {
      const path = join(folder, entry.name)
      if (statSync(path).isDirectory()) return entry.isSymbolicLink() ? [] : walk(path)
      return [relative(ROOT, path).split(sep).join('/')]
    })
}
