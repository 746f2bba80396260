import { isIn, oncePerText } from '../../core/once-per-text.ts'
import { baseName, isInside, resolvePath } from '../../shell/words/paths.ts'
import { type ImpliedRunner, runnerIn, runnersOf } from './implied-runs.ts'

/** So many files are judged with one command; of those that it does not name, many more are looked into. */
export const MENTIONS = { most: 24, read: 500 } as const

/** Files that a program looks for without being told their name. */
const UNNAMED: readonly (readonly [name: RegExp, program: RegExp])[] = [
  [/^(?:GNUm|[mM])akefile$|\.mk$/, /\b(?:[gbp]|re|color)?make\b|\bcheckinstall\b/],
  [/^package\.json$/, /\b(?:npm|pnpm|yarn|bun)\b/],
  [/^\.?[jJ]ustfile$/, /\bjust\b/],
  [/^[rR]akefile(?:\.rb)?$/, /\brake\b/],
  [/^tasks\.py$|^fabfile\.py$/, /\b(?:inv|invoke|fab)\b/],
  [/^(?:test_\w*|\w*_test|conftest)\.py$/, /\bpytest\b|\bpy\.test\b|-m\s+(?:pytest|unittest)\b/],
  [/[._](?:test|spec)\.[cm]?[jt]sx?$/, /\b(?:vitest|jest|mocha|ava|tap)\b|--test\b/],
  [/_spec\.rb$/, /\brspec\b/],
  [/\.bats$/, /\bbats\b/],
]

/** Names that are put together when the command runs: a pattern, a variable, a search. */
const OPEN = /[*?[$`]|\b(?:find|fd|fdfind|ls|xargs)\b/
const RUNS =
  /(?:^|[\s;&|(/])(?:\.|source|exec|eval|xargs|make|(?:ba|da|z|k|a)?sh|python[\d.]*|node|perl|ruby|php)(?=[\s;&|)]|$)|\.\//

/** Of the files written in this session, those that the text may use: the latest first, and before others those it names. */
export function filesToRead(text: string, written: readonly string[]): readonly string[] {
  if (written.length === 0) return NONE
  const { files, finders } = listOf(written)
  const isOpen = OPEN.test(text) && RUNS.test(text)
  // Most commands start nothing that finds files: then no file is asked about it.
  const finds = finders.some((program) => isIn(text, program))
  const named: string[] = []
  const implied: string[] = []
  const others: string[] = []
  for (const file of files) {
    if (isNamedIn(text, file)) named.push(file.path)
    else if (finds && isFound(text, file)) implied.push(file.path)
    else if (isOpen) others.push(file.path)
  }
  if (named.length + implied.length + others.length === 0) return NONE
  return [...named, ...implied, ...others].slice(0, MENTIONS.read)
}

const NONE: readonly string[] = []

/** What follows from a list of written files: call after call of a session asks about the same one. */
interface WrittenList {
  /** The latest first. */
  readonly files: readonly FileTraits[]
  /** The programs that find one of them. */
  readonly finders: readonly RegExp[]
  /** Folders that were filled. */
  readonly folders: readonly string[]
}

function listOf(written: readonly string[]): WrittenList {
  const known = LISTS.get(written)
  if (known !== undefined) return known
  const files: FileTraits[] = []
  const folders: string[] = []
  const found = new Set<RegExp>()
  for (let index = written.length - 1; index >= 0; index -= 1) {
    const path = written[index] ?? ''
    if (path.endsWith('/')) {
      folders.push(path.slice(0, -1))
      continue
    }
    const file = fileAt(path)
    files.push(file)
    for (const program of file.finders) found.add(program)
    for (const { programs } of file.runners) found.add(programs)
  }
  const made = { files, finders: [...found], folders }
  LISTS.set(written, made)
  return made
}

const LISTS = new WeakMap<readonly string[], WrittenList>()

/** What commands are asked about a file: it follows from its path. */
interface FileTraits {
  readonly path: string
  readonly name: string
  /** What the text has if it names the file in any way. */
  readonly stem: string
  /** How a language loads it. */
  readonly loads: RegExp | undefined
  /** What finds it by itself. */
  readonly finders: readonly RegExp[]
  readonly runners: readonly ImpliedRunner[]
}

const fileAt = oncePerText((path): FileTraits => {
  const name = baseName(path)
  const stem = LOADED.exec(name)?.[1]
  return {
    path,
    name,
    stem: stem ?? name,
    loads: stem === undefined ? undefined : loadsOf(stem),
    finders: findersOf(name),
    runners: runnersOf(path),
  }
})

/** A language names what it loads without the ending. */
const LOADED = /^(\w+)\.(?:py|[cm]?[jt]s|rb|pl|pm|php|lua)$/

function loadsOf(stem: string): RegExp {
  return new RegExp(`(?:\\b(?:import|from|require|use)|\\s-m)\\b[^\\n]*\\b${stem}\\b`)
}

function findersOf(name: string): readonly RegExp[] {
  return UNNAMED.flatMap(([file, program]) => (file.test(name) ? [program] : []))
}

export function isNamed(text: string, path: string): boolean {
  return isNamedIn(text, fileAt(path))
}

function isNamedIn(text: string, { name, stem, loads }: FileTraits): boolean {
  if (!text.includes(stem)) return false
  return text.includes(name) || (loads?.test(text) ?? false)
}

/** A program that the text starts finds the file by itself. */
function isFound(text: string, { path, finders, runners }: FileTraits): boolean {
  return finders.some((program) => isIn(text, program)) || runnerIn(text, path, runners) !== undefined
}

/** Files that the text names in a folder that this session filled from an archive or a copy. */
export function filesInFolders(
  text: string,
  written: readonly string[],
  { cwd, home }: { readonly cwd: string; readonly home: string },
): readonly string[] {
  if (written.length === 0) return NONE
  const { folders } = listOf(written)
  if (folders.length === 0) return NONE
  const names = text
    .split(/[\s"'`;|&<>()$={}]+/)
    .filter((word) => /^[\w.~/+-]{1,200}$/.test(word) && /\w/.test(word))
  const found = new Set<string>()
  for (const name of names.slice(0, NAMES_MAX)) {
    const path = resolvePath(name, { cwd, home })
    if (path !== undefined && folders.some((folder) => isInside(path, folder) && path !== folder))
      found.add(path)
    // After a `cd` the name counts from there.
    if (!/^[~/]/.test(name)) for (const folder of folders) found.add(`${folder}/${name.replace(/^\.\//, '')}`)
  }
  return [...found].slice(0, MENTIONS.most)
}

const NAMES_MAX = 40
