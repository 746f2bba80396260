import { baseName, isInside, resolvePath } from '../../shell/words/paths.ts'
import { isIn, oncePerText } from '../analysis/once-per-text.ts'
import { impliedRun } from './implied-runs.ts'

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

/** Of the files written in this session, those that the text may use, the latest first. */
export function filesToRead(text: string, written: readonly string[]): readonly string[] {
  if (written.length === 0) return []
  const isOpen = OPEN.test(text) && RUNS.test(text)
  const latest = written.filter((path) => !path.endsWith('/')).reverse()
  const named = new Set(latest.filter((path) => isNamed(text, baseName(path))))
  const implied = latest.filter((path) => !named.has(path) && isFound(text, path))
  const others = isOpen ? latest.filter((path) => !named.has(path)) : []
  return [...new Set([...named, ...implied, ...others])].slice(0, MENTIONS.read)
}

export function isNamed(text: string, name: string): boolean {
  if (text.includes(name)) return true
  const loads = loadsOf(name)
  return loads !== undefined && loads.test(text)
}

/** A language names what it loads without the ending. */
const loadsOf = oncePerText((name): RegExp | undefined => {
  const stem = /^(\w+)\.(?:py|[cm]?[jt]s|rb|pl|pm|php|lua)$/.exec(name)?.[1]
  if (stem === undefined) return undefined
  return new RegExp(`(?:\\b(?:import|from|require|use)|\\s-m)\\b[^\\n]*\\b${stem}\\b`)
})

/** A program that the text starts finds the file by itself. */
function isFound(text: string, path: string): boolean {
  return findersOf(path).some((program) => isIn(text, program)) || impliedRun(path, text) !== undefined
}

const findersOf = oncePerText((path): readonly RegExp[] => {
  const name = baseName(path)
  return UNNAMED.flatMap(([file, program]) => (file.test(name) ? [program] : []))
})

/** Files that the text names in a folder that this session filled from an archive or a copy. */
export function filesInFolders(
  text: string,
  written: readonly string[],
  { cwd, home }: { readonly cwd: string; readonly home: string },
): readonly string[] {
  const folders = written.filter((path) => path.endsWith('/')).map((path) => path.slice(0, -1))
  if (folders.length === 0) return []
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
