import { createHash } from 'node:crypto'
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { isAbsolute, resolve } from 'node:path'
import type { HookEntry } from '../config.ts'
import { isObject, textAt } from '../json.ts'
import { writeWhole } from './files.ts'
import { moduleFiles } from './module-files.ts'
import { pythonFiles } from './python-files.ts'
import { filesOfLine, isFile, quoted, startedByLine } from './started-files.ts'

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
export function programFiles(
  entry: Pick<HookEntry, 'run'>,
  home: string = homedir(),
): readonly string[] | undefined {
  const root = resolve(textAt(entry.run, 'root') ?? '/')
  const module = textAt(entry.run, 'module')
  if (entry.run.type === 'module' && module !== undefined) {
    const { files, isClear } = moduleFiles(module, root)
    return isClear ? files : undefined
  }
  const python = textAt(entry.run, 'python')
  if (python !== undefined) return pythonFiles(python, root)
  const command = textAt(entry.run, 'command')
  if (command === undefined) return []
  const args = Array.isArray(entry.run.args) ? entry.run.args.map(String) : undefined
  if (args === undefined && isOneFile(command, root)) return onlyOwn([resolve(root, command)], root)
  const files = filesOfLine({ text: lineOf(command, args), root, project: root, home })
  return files === undefined ? undefined : onlyOwn(files, root)
}

/**
 * The files of a project that a person's own hook would start: it may name a relative path, and what lies there came
 * with the project. A file named by its whole path is the person's choice, and files beside the hook's own
 * configuration are the person's, wherever that is.
 */
export function foreignFiles(
  entry: Pick<HookEntry, 'run'>,
  { project, own, home }: { readonly project: string; readonly own: string; readonly home: string },
): readonly string[] {
  const isForeign = (file: string) => isBelow(file, project) && !(isBelow(own, project) && isBelow(file, own))
  return [...new Set(startedFiles(entry, { project, home }))].filter(
    (file) => isForeign(file) && pinOf(file) !== MISSING,
  )
}

/** What a person's own hook would start, there or not. Its words are read where it runs: in its root. */
export function startedFiles(
  { run }: Pick<HookEntry, 'run'>,
  { project, home }: { readonly project: string; readonly home: string },
): readonly string[] {
  const root = resolve(textAt(run, 'root') ?? project)
  const module = textAt(run, 'module')
  if (run.type === 'module' && module !== undefined)
    return isAbsolute(module) ? [] : moduleFiles(module, root).files
  const python = textAt(run, 'python')
  if (python !== undefined) return pythonFiles(python, root)
  const command = textAt(run, 'command')
  if (command === undefined) return []
  const args = Array.isArray(run.args) ? run.args.map(String) : undefined
  const first = resolve(root, command)
  if (isOneFile(command, root)) {
    // With arguments it may be an interpreter that lies there; without any it is all there is.
    if (args === undefined && isAbsolute(command)) return []
    if (args === undefined && !/[$"'`~\\]/.test(command)) return [first]
    if (args === undefined) return [first, ...startedByLine({ text: command, root, project, home })]
    return [
      ...(isAbsolute(command) ? [] : [first]),
      ...startedByLine({ text: lineOf(first, args), root, project, home }),
    ]
  }
  return startedByLine({ text: lineOf(command, args), root, project, home })
}

function isOneFile(command: string, root: string): boolean {
  return isFile(resolve(root, command)) || /^\S*\/\S*$/.test(command)
}

function lineOf(command: string, args: readonly string[] | undefined): string {
  return args === undefined ? command : [command, ...args].map(quoted).join(' ')
}

/** Pinned to their content, all of them. */
export function arePinned(files: readonly string[] | undefined, trust: TrustedFiles): boolean {
  return files?.every((file) => isPin(trust.get(file), pinOf(file))) === true
}

function isPin(pinned: string | undefined, now: string): boolean {
  return now !== UNFIT && pinned === now
}

/** A file that is not there is pinned as missing: one that appears later was not vouched for. */
export function pinOf(path: string): string {
  return readPinned(path).pin
}

export const MISSING = 'missing'
/** The pin of what nobody can vouch for: a pipe, a device, a file too large or closed to us. */
export const UNFIT = 'unfit'

/** Larger programs are not read at every change of the configuration. */
const PINNED_MAX_BYTES = 8 * 1024 * 1024

/** A file as it is now, and its pin. Never waits: a pipe or a device in its place is opened, seen and left. */
export function readPinned(path: string): { readonly pin: string; readonly content?: Buffer } {
  let file: number | undefined
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    const info = fstatSync(file)
    // A folder among the arguments is data; a file in its place would have another pin.
    if (info.isDirectory()) return { pin: MISSING }
    if (!info.isFile() || info.size > PINNED_MAX_BYTES) return { pin: UNFIT }
    const content = readFileSync(file)
    return { pin: contentHash(content), content }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    return { pin: NOT_THERE.has(code) ? MISSING : UNFIT }
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

const NOT_THERE = new Set(['ENOENT', 'ENOTDIR', 'EISDIR', 'ENAMETOOLONG', 'ELOOP', 'ERR_INVALID_ARG_VALUE'])

export function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`)
}

const SYSTEM = /^\/(?:usr|bin|sbin|lib|lib64|opt|nix|dev|proc|System|Library)(?:\/|$)/

/** What lies below the root came with it, wherever on the machine that is. */
function onlyOwn(files: readonly string[], root: string): readonly string[] {
  return [...new Set(files)].filter((file) => (root !== '/' && isBelow(file, root)) || !SYSTEM.test(file))
}
