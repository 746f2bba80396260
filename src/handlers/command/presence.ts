import { accessSync, constants, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { basename, delimiter, dirname, join, resolve } from 'node:path'
import { resolveProgram } from './program.ts'

/**
 * Why a program could not be started, as far as that can be seen. It starts nothing and imports nothing: it looks at
 * what nobody has vouched for. Undefined: it may be there.
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

/** A shell's line, as far as its first word is plain: a program, and where that is an interpreter, its script. */
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

/** What a shell runs itself, and the words that begin something longer. */
const OF_THE_SHELL: ReadonlySet<string> = new Set(
  `. : alias bg break case cd command continue do done echo elif else esac eval exec exit export false fg fi for
  function getopts hash if jobs kill local printf pwd read readonly return set shift source test then times trap true
  type ulimit umask unalias unset until wait while`.split(/\s+/),
)

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
    // An installed package: whether it has the function only Python can say.
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

/** Names can come into a module by means that no reader follows, and not every file is read; then it may be there. */
function mayDefine(file: string, name: string): boolean {
  try {
    if (statSync(file).size > TEXT_MAX_BYTES) return true
    const text = readFileSync(file, 'utf8')
    return new RegExp(`\\b${name}\\b`).test(text) || ANY_NAME.test(text)
  } catch {
    return true
  }
}

const TEXT_MAX_BYTES = 1024 * 1024
const ANY_NAME = /\bimport\s*\*|__getattr__|globals\s*\(|setattr\s*\(/

/**
 * Where this interpreter keeps modules: beside itself, beside what it is a link to (a virtual environment), and beside
 * the versions it may choose from (pyenv, asdf).
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

/** Where the system looks when nobody says where. */
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
