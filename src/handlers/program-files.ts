import { homedir } from 'node:os'
import { isAbsolute, resolve } from 'node:path'
import { textAt } from '../core/json.ts'
import type { HookEntry } from '../core/layer.ts'
import { isFile } from '../system/file-kind.ts'
import { moduleFiles } from '../system/module-files.ts'
import { packFiles } from '../system/pack-files.ts'
import { pythonFiles } from '../system/python-files.ts'
import { type ReachedFiles, reachedFiles, type StartedFile } from '../system/reached-files.ts'
import { isBelow } from '../system/regular-file.ts'
import { filesOfLine, filesOfScript, quotedWord, startedByLine } from '../system/started-files.ts'
import { MISSING, pinOf } from '../system/trust.ts'
import { handlerKind } from './kind-of.ts'

/**
 * The files that a hook would start, pass to what it starts, or load: their content is pinned together with the
 * configuration, also for missing files. Programs of the system are not included. Undefined if the command line cannot
 * be read, or if code loads files by computed names, so that the started files are unknown.
 */
export function programFiles(
  entry: Pick<HookEntry, 'run'>,
  home: string = homedir(),
): readonly string[] | undefined {
  const { files, isClear } = programOf(entry, home)
  return isClear ? files : undefined
}

/** The same, with the files that decide which ones these are: a change of any of them needs a new confirmation. */
export function programInputs(entry: Pick<HookEntry, 'run'>, home: string): readonly string[] {
  const { files, watched } = programOf(entry, home)
  return [...files, ...watched]
}

const NOTHING: ReachedFiles = { files: [], watched: [], isClear: true }

function programOf({ run }: Pick<HookEntry, 'run'>, home: string): ReachedFiles {
  const root = resolve(textAt(run, 'root') ?? '/')
  const code = handlerKind(run).starts?.(run)
  if (code === undefined) return NOTHING
  if (code.kind === 'module') return moduleFiles(code.module, root)
  if (code.kind === 'package') return packFiles(code.module, root)
  if (code.kind === 'python') {
    const started = pythonFiles(code.name, root).map((path) => ({ path, by: 'python', base: root }))
    return reachedFrom(started, { root, from: root, home })
  }
  const { command, args } = code
  const isOne = args === undefined && isOneFile(command, root)
  const line = isOne
    ? { files: [], started: [{ path: resolve(root, command) }] }
    : filesOfLine({ text: lineOf(command, args), root, project: root, home })
  if (line === undefined) return { ...NOTHING, isClear: false }
  const reached = reachedFrom(line.started, { root, from: root, home })
  return { ...reached, files: onlyOwn([...line.files, ...reached.files], root) }
}

/** The files that these load and start in turn. Python imports start in `from`. */
function reachedFrom(
  started: readonly StartedFile[],
  { root, from, home }: { readonly root: string; readonly from: string; readonly home: string },
): ReachedFiles {
  return reachedFiles(started, from, (text, isScript) => {
    const line = { text, root, project: root, home }
    if (isScript) return filesOfScript(line)
    const read = filesOfLine(line)
    return read === undefined ? undefined : [...read.started, ...read.files.map((path) => ({ path }))]
  })
}

/**
 * The files of a project that a hook of the user would start: the hook may name a relative path, and the file there came
 * with the project. A file named by its absolute path is the user's choice, and files next to the hook's own
 * configuration belong to the user.
 */
export function foreignFiles(
  entry: Pick<HookEntry, 'run'>,
  { project, own, home }: { readonly project: string; readonly own: string; readonly home: string },
): readonly string[] | undefined {
  const isForeign = (file: string) => isBelow(file, project) && !(isBelow(own, project) && isBelow(file, own))
  const started = [...new Set(startedFiles(entry, { project, home }))].filter(
    (file) => isForeign(file) && pinOf(file) !== MISSING,
  )
  const root = resolve(textAt(entry.run, 'root') ?? project)
  const reached = reachedFrom(
    started.map((path) => ({ path })),
    { root, from: project, home },
  )
  return reached.isClear
    ? [...started, ...reached.files.filter((file) => !started.includes(file) && isForeign(file))]
    : undefined
}

/** The files that a hook of the user would start, whether they exist or not, relative to its root. */
export function startedFiles(
  { run }: Pick<HookEntry, 'run'>,
  { project, home }: { readonly project: string; readonly home: string },
): readonly string[] {
  const root = resolve(textAt(run, 'root') ?? project)
  const code = handlerKind(run).starts?.(run)
  if (code === undefined) return []
  if (code.kind === 'module') return isAbsolute(code.module) ? [] : moduleFiles(code.module, root).files
  if (code.kind === 'package') return isAbsolute(code.module) ? [] : packFiles(code.module, root).files
  if (code.kind === 'python') return pythonFiles(code.name, root)
  const { command, args } = code
  const first = resolve(root, command)
  if (isOneFile(command, root)) {
    // With arguments it may be an interpreter. Without any, it is the only file.
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
  return args === undefined ? command : [command, ...args].map(quotedWord).join(' ')
}

const SYSTEM = /^\/(?:usr|bin|sbin|lib|lib64|opt|nix|dev|proc|System|Library)(?:\/|$)/

/** Files below the root came with it, wherever that is on the machine. */
function onlyOwn(files: readonly string[], root: string): readonly string[] {
  return [...new Set(files)].filter((file) => (root !== '/' && isBelow(file, root)) || !SYSTEM.test(file))
}
