import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { isAbsolute, resolve } from 'node:path'
import type { HookEntry } from '../config.ts'
import { isObject, textAt } from '../json.ts'
import { writeWhole } from './files.ts'

/**
 * Which project files a person has vouched for, pinned to their content: the path and its hash. A file that
 * changed, moved or vanished is no longer trusted.
 */
export type TrustedFiles = ReadonlyMap<string, string>

export function readTrust(path: string): TrustedFiles {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
    const files = isObject(value) && isObject(value.files) ? value.files : {}
    return new Map(
      Object.entries(files).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    )
  } catch {
    // No trust file, or one nobody can read: nothing is trusted.
    return new Map()
  }
}

export function writeTrust(path: string, files: TrustedFiles): void {
  writeWhole(path, `${JSON.stringify({ version: 1, files: Object.fromEntries(files) }, null, 2)}\n`, 0o600)
}

export function contentHash(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}

/** The files a hook would start that lie on disk: their content is pinned beside the configuration's. */
export function programFiles(entry: HookEntry): readonly string[] {
  const command = textAt(entry.run, 'command')
  if (command === undefined) return []
  const root = textAt(entry.run, 'root') ?? '/'
  const args = Array.isArray(entry.run.args) ? entry.run.args.map(String) : []
  const words = args.length > 0 ? [command, ...args] : command.split(/\s+/)
  const files = words.map((word) => (isAbsolute(word) ? word : resolve(root, word)))
  return [...new Set(files)].filter((file) => isProjectFile(file, root))
}

export function hashFile(path: string): string | undefined {
  try {
    return contentHash(readFileSync(path))
  } catch {
    return undefined
  }
}

function isProjectFile(path: string, root: string): boolean {
  if (!path.startsWith(`${root}/`)) return false
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
}
