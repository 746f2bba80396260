import { accessSync, constants, readdirSync, realpathSync, statSync } from 'node:fs'
import { basename, delimiter, dirname, join, resolve } from 'node:path'
import { wordSet } from '../../core/word-list.ts'
import { readRegularText } from '../../system/regular-file.ts'
import { resolveProgram } from './program.ts'

/**
 * Why a program could not be started, if that is visible. It starts and imports nothing, because the files are not
 * trusted. Undefined: it may exist.
 */
export function whyMissing(
  command: string,
  args: readonly string[] | undefined,
  root: string,
  path: string | undefined,
): string | undefined {
  const program = resolveProgram(command, args, root)
  if (!program.ok) return program.problem.message
  const { file, args: words } = program.value
  const line = args === undefined && words[0] === '-c' ? words[1] : undefined
  if (line !== undefined) return whyNothingStarts(line, root, path)
  return file.includes('/') || findProgram(file, path) !== undefined ? undefined : `there is no ${file}`
}

/** A shell line, if its first word is plain: a program and, if that is an interpreter, its script. */
function whyNothingStarts(line: string, root: string, path: string | undefined): string | undefined {
  const [name = '', script = ''] = line.trim().split(/\s+/)
  if (!PLAIN_WORD.test(name) || OF_THE_SHELL.has(name)) return undefined
  const isMissing = (word: string) =>
    word.includes('/') ? kindOf(resolve(root, word)) !== 'file' : findProgram(word, path) === undefined
  if (isMissing(name)) return `there is no program ${name}`
  const isScript = INTERPRETER.test(basename(name)) && PLAIN_WORD.test(script) && /\.\w+$/.test(script)
  return isScript && kindOf(resolve(root, script)) !== 'file' ? `there is no script ${script}` : undefined
}

const PLAIN_WORD = /^[\w./@+][\w./@+-]*$/
const INTERPRETER = /^(?:python[\d.]*|node|bash|sh|zsh|ruby|perl|php)$/

/** Shell builtins, and keywords that begin a longer construct. */
const OF_THE_SHELL = wordSet(`
  . : alias bg break case cd command continue do done echo elif else esac eval exec exit export false fg fi
  for function getopts hash if jobs kill local printf pwd read readonly return set shift source test then
  times trap true type ulimit umask unalias unset until wait while
`)

/** The same for a Python function by its dotted path. */
export function whyNotImportable(
  callable: string,
  root: string,
  path: string | undefined,
): string | undefined {
  const python = findProgram('python3', path)
  if (python === undefined) return 'there is no python3'
  const steps = callable.split('.')
  const name = steps.pop() ?? ''
  const [top = ''] = steps
  if (!isThere(join(root, top))) {
    // An installed package: only Python can tell whether it has the function.
    return libraries(python).some((folder) => isThere(join(folder, top)))
      ? undefined
      : `there is no module ${top}`
  }
  const base = resolve(root, ...steps)
  const file = [`${base}.py`, join(base, '__init__.py')].find((path) => kindOf(path) === 'file')
  if (file === undefined) return `there is no module ${steps.join('.')}`
  return mayDefine(file, name) ? undefined : `${steps.join('.')} has no ${name}`
}

function isThere(module: string): boolean {
  return kindOf(`${module}.py`) === 'file' || kindOf(module) === 'folder'
}

/** A module can define names in ways that cannot be read from its text, and not every file is read; then it may exist. */
function mayDefine(file: string, name: string): boolean {
  try {
    const text = readRegularText(file, TEXT_MAX_BYTES)
    if (text === undefined) return true
    return new RegExp(`\\b${name}\\b`).test(text) || ANY_NAME.test(text)
  } catch {
    return true
  }
}

const TEXT_MAX_BYTES = 1024 * 1024
const ANY_NAME = /\bimport\s*\*|__getattr__|globals\s*\(|setattr\s*\(/

/**
 * Where this interpreter keeps modules: next to itself, next to the target of its link (a virtual environment), and
 * next to the versions it may select (pyenv, asdf).
 */
function libraries(python: string): readonly string[] {
  const own = [python, realpathSync(python)].map((file) => dirname(dirname(file)))
  const chosen = own.flatMap((prefix) =>
    ['versions', 'installs/python'].flatMap((folder) => pathsIn(join(prefix, folder))),
  )
  return [...new Set([...own, ...chosen])]
    .flatMap((prefix) => pathsIn(join(prefix, 'lib')).filter((path) => basename(path).startsWith('python3')))
    .flatMap((folder) =>
      ['', 'lib-dynload', 'site-packages', 'dist-packages'].map((name) => join(folder, name)),
    )
}

function findProgram(name: string, path: string | undefined): string | undefined {
  const folders = (path ?? USUAL_PATH).split(delimiter).filter((folder) => folder.startsWith('/'))
  return folders.map((folder) => join(folder, name)).find(isExecutable)
}

/** The default search path of the system. */
const USUAL_PATH = ['/usr/local/bin', '/usr/bin', '/bin'].join(delimiter)

function isExecutable(file: string): boolean {
  if (kindOf(file) !== 'file') return false
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function kindOf(path: string): 'file' | 'folder' | undefined {
  try {
    const info = statSync(path, { throwIfNoEntry: false })
    return info?.isFile() ? 'file' : info?.isDirectory() ? 'folder' : undefined
  } catch {
    return undefined
  }
}

function pathsIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).map((name) => join(folder, name))
  } catch {
    return []
  }
}
