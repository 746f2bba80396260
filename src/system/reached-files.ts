import { dirname, resolve } from 'node:path'
import { isFile } from './file-kind.ts'
import { moduleFiles } from './module-files.ts'
import { pythonImports } from './python-imports.ts'
import { readRegularText } from './regular-file.ts'

/** A file that is started, and its interpreter: `node`, `python3`, `sh`. Without `by`, the file itself names it. */
export interface StartedFile {
  readonly path: string
  readonly by?: string
  /** The folder in which its Python imports start; its own folder if missing. */
  readonly base?: string
}

/** The files that a started file loads in turn. */
export interface ReachedFiles {
  readonly files: readonly string[]
  /** Files whose change may add other files. */
  readonly watched: readonly string[]
  /** False if it loads files whose names are unknown before it runs. */
  readonly isClear: boolean
}

/** Reads a shell command line. Returns undefined if it is unknown what the line starts. */
export type LineReader = (text: string, isScript: boolean) => readonly StartedFile[] | undefined

const TEXT_MAX_BYTES = 1024 * 1024
const FILES_MAX = 500

/** All files that are reached from these: by imports, by their interpreter, and by what scripts start. */
export function reachedFiles(
  started: readonly StartedFile[],
  root: string,
  readLine: LineReader,
): ReachedFiles {
  const files = new Set<string>()
  const watched = new Set<string>()
  const seen = new Set<string>()
  const queue = [...started]
  let isClear = true
  for (const each of queue) {
    if (seen.has(each.path)) continue
    seen.add(each.path)
    files.add(each.path)
    if (isSystem(each.path, root) || !isFile(each.path)) continue
    if (seen.size > FILES_MAX) return { files: [...files], watched: [...watched], isClear: false }
    const text = readRegularText(each.path, TEXT_MAX_BYTES)
    // A larger file, or a program that is not text, is only pinned itself.
    if (text === undefined || text.includes('\0')) continue
    const shebang = interpreterLine(text)
    const by = each.by ?? languageOf(each.path, shebang)
    if (shebang !== undefined) {
      const next = readLine(`${shebang} ${quoted(each.path)}`, false)
      if (next === undefined) isClear = false
      else queue.push(...next.filter(({ path }) => path !== each.path))
    }
    if (JAVASCRIPT.test(by)) {
      const module = moduleFiles(each.path, root)
      for (const file of module.files) files.add(file)
      for (const file of module.watched) watched.add(file)
      isClear &&= module.isClear
    } else if (PYTHON.test(by)) {
      const folder = dirname(each.path)
      const base = each.base ?? folder
      const python = pythonImports(text, { folder, base, root })
      isClear &&= python.isClear
      queue.push(...python.files.map((path) => ({ path, by: 'python', base })))
    } else if (SHELL.test(by)) {
      // Names that a script computes are not followed: the person who trusted it has read it.
      queue.push(...(readLine(besideScript(text, each.path), true) ?? []))
    }
  }
  return { files: [...files], watched: [...watched], isClear }
}

const JAVASCRIPT = /^(?:node|nodejs|bun|deno|tsx|ts-node|javascript)$/
const PYTHON = /^python/
const SHELL = /^(?:\.|source|(?:ba|da|z|k)?sh|shell)$/

function languageOf(path: string, shebang: string | undefined): string {
  if (/\.[cm]?[jt]sx?$/.test(path)) return 'javascript'
  if (path.endsWith('.py')) return 'python'
  if (/\.(?:ba|z|k)?sh$/.test(path)) return 'shell'
  const word = shebang?.split(/\s+/).find((each) => !/(?:^|\/)env$|^-/.test(each)) ?? ''
  return word.slice(word.lastIndexOf('/') + 1)
}

/** The first line as a command. `env -S` splits its argument as a shell would. */
function interpreterLine(text: string): string | undefined {
  const line = /^#![^\S\n]*([^\n]*)/.exec(text)?.[1]?.trim()
  return line === undefined || line === '' ? undefined : line.replace(/\s-S\s*/, ' ')
}

/** The usual ways in which a script names its own folder. */
const OWN_FOLDER =
  /\$\(\s*(?:cd\s+(?:--\s+)?"?\$\()?\s*dirname\s+(?:--\s+)?"?\$\{?(?:0|BASH_SOURCE(?:\[0\])?)\}?"?\s*\)(?:"?\s*(?:&&|;)\s*pwd(?:\s+-P)?\s*\))?|\$\{(?:0|BASH_SOURCE(?:\[0\])?)%\/\*\}/g

function besideScript(text: string, path: string): string {
  return text.replace(OWN_FOLDER, () => dirname(path).replace(/["$`\\ ]/g, '\\$&'))
}

const SYSTEM = /^\/(?:usr|bin|sbin|lib|lib64|opt|nix|dev|proc|System|Library)(?:\/|$)/

function isSystem(path: string, root: string): boolean {
  return SYSTEM.test(path) && !path.startsWith(`${root}/`)
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`
}

/** The files that the value of a variable names, such as `--import ./x.mjs` in NODE_OPTIONS. */
export function filesInValue(value: string, root: string): readonly string[] {
  return value
    .split(/[\s=:,"']+/)
    .filter((word) => /^\.{0,2}\//.test(word) || (/^[\w.-]+$/.test(word) && isFile(resolve(root, word))))
    .map((word) => resolve(root, word))
}
