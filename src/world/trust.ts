import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { isAbsolute, resolve } from 'node:path'
import type { HookEntry } from '../config.ts'
import { isObject, textAt } from '../json.ts'
import type { SimpleCommand } from '../shell/command.ts'
import { analyze } from '../shell/commands.ts'
import { exactText } from '../shell/words.ts'
import { writeWhole } from './files.ts'
import { moduleFiles } from './module-files.ts'
import { pythonFiles } from './python-files.ts'

/**
 * Which project files a person has vouched for, pinned to their content: the path and its hash. A file that
 * changed, moved or vanished is no longer trusted.
 */
export type TrustedFiles = ReadonlyMap<string, string>

export function readTrust(path: string): TrustedFiles {
  try {
    // A pipe in its place would be waited for.
    if (!isFile(path)) return new Map()
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

/**
 * The files a hook would start or hand to what it starts: their content is pinned beside the configuration's, also
 * of those that are not there yet. Programs of the system are its own affair. Undefined: the command line cannot be
 * read, or a module loads files by computed names, so nobody can say what it starts.
 */
export function programFiles(entry: Pick<HookEntry, 'run'>): readonly string[] | undefined {
  const module = textAt(entry.run, 'module')
  if (entry.run.type === 'module' && module !== undefined) {
    const { files, isClear } = moduleFiles(module, textAt(entry.run, 'root') ?? '/')
    return isClear ? files : undefined
  }
  const root = textAt(entry.run, 'root') ?? '/'
  const python = textAt(entry.run, 'python')
  if (python !== undefined) return pythonFiles(python, root)
  const command = textAt(entry.run, 'command')
  if (command === undefined) return []
  const args = Array.isArray(entry.run.args) ? entry.run.args.map(String) : undefined
  const own = resolve(root, command)
  if (args === undefined && (isFile(own) || /^\S*\/\S*$/.test(command))) return onlyOwn([own])
  const line = args === undefined ? command : [command, ...args].map(quoted).join(' ')
  const read = analyze(`CLAUDE_PROJECT_DIR=${quoted(root)}; ${line}`, { cwd: root, home: root })
  if (!read.judged) return undefined
  const commands = read.commands.filter((each) => each.name !== '')
  if (commands.some(startsUnknown)) return undefined
  const words = commands.flatMap((each) => [each.word, ...each.args].map((word) => exactText(word) ?? ''))
  const paths = words
    .filter((word) => word !== '')
    .map((word) => (isAbsolute(word) ? word : resolve(root, word)))
  return onlyOwn(paths.filter((path, i) => words[i]?.includes('/') || isFile(path)))
}

/** A program, or the script of an interpreter, that is only known at run time. */
function startsUnknown({ name, word, args, opaque }: SimpleCommand): boolean {
  if (name === undefined || opaque !== undefined || exactText(word) === undefined) return true
  return INTERPRETERS.test(name) && args.some((arg) => exactText(arg) === undefined)
}

const INTERPRETERS =
  /^(?:\.|source|(?:ba|da|z|k|fi)?sh|python[\d.]*|node|nodejs|deno|bun|tsx|ts-node|npx|ruby|perl|php|exec)$/

/** Pinned to their content, all of them. */
export function arePinned(files: readonly string[] | undefined, trust: TrustedFiles): boolean {
  return files?.every((file) => trust.get(file) === pinOf(file)) === true
}

/** A file that is not there is pinned as missing: one that appears later was not vouched for. */
export function pinOf(path: string): string {
  return hashFile(path) ?? MISSING
}

export const MISSING = 'missing'

const SYSTEM = /^\/(?:usr|bin|sbin|lib|lib64|opt|nix|dev|proc|System|Library)(?:\/|$)/

function onlyOwn(files: readonly string[]): readonly string[] {
  return [...new Set(files)].filter((file) => !SYSTEM.test(file))
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`
}

function hashFile(path: string): string | undefined {
  try {
    return contentHash(readFileSync(path))
  } catch {
    return undefined
  }
}

function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
  } catch {
    // A command line is often longer than a name may be.
    return false
  }
}
