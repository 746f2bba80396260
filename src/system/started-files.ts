import { resolve } from 'node:path'
import { wordList, wordSet } from '../core/word-list.ts'
import type { SimpleCommand } from '../shell/vocabulary/command.ts'
import { readCommands } from '../shell/walk/read-commands.ts'
import { exactText, type Word } from '../shell/words/words.ts'
import { isFile, isFolder } from './file-kind.ts'
import { filesInValue, type StartedFile } from './reached-files.ts'
import { readRegularText } from './regular-file.ts'

/** A command line, and the folders that its words are relative to. */
export interface CommandLine {
  readonly text: string
  readonly root: string
  /** The value of `$CLAUDE_PROJECT_DIR`. */
  readonly project: string
  readonly home: string
}

/**
 * All files that a command line would start or pass to what it starts. Undefined if that is unknown, for example for a
 * line that changes where programs or their parts are found: its words then no longer say which file is meant.
 */
export function filesOfLine(line: CommandLine): StartedByLine | undefined {
  if (LOOKUP.test(line.text)) return undefined
  const commands = commandsOf(line)
  if (commands === undefined || commands.some((command) => startsUnknown(command, line.root)))
    return undefined
  const named = commands.flatMap((command) => {
    const scripts = new Set(scriptsOf(command).map(textOf))
    const texts = [command.word, ...command.args].map(textOf).filter((text) => text !== '')
    // A shell after the pipe may run a file that is printed.
    const names = texts.filter(
      (text) =>
        (text.includes('/') && !/^--?[\w-]+=/.test(text)) ||
        (command.name === 'cat' && text !== 'cat') ||
        scripts.has(text) ||
        isFile(resolve(line.root, text)),
    )
    // A module that is not in the project now was not trusted, if it appears there later.
    return [...names, ...inputsOf(command).map(textOf), ...pythonModule(command)].map((text) =>
      resolve(line.root, text),
    )
  })
  const started = commands.flatMap((command) => startedBy(command, line.root))
  const files = [...named, ...commands.flatMap((command) => optionFiles(command, line.root))]
  return { files: files.filter((path) => path !== line.root), started }
}

export interface StartedByLine {
  /** All files that are named. */
  readonly files: readonly string[]
  /** The files that run, with their interpreters. */
  readonly started: readonly StartedFile[]
}

/** The files that a script starts, as far as it can be read. Computed names are left out. */
export function filesOfScript(line: CommandLine): readonly StartedFile[] {
  return (commandsOf(line) ?? []).flatMap((command) => [
    ...startedBy(command, line.root),
    ...optionFiles(command, line.root).map((path) => ({ path })),
    ...assignedValues(command).flatMap((value) => filesInValue(value, line.root).map((path) => ({ path }))),
  ])
}

/** Values of variables that say where code comes from: `NODE_OPTIONS=… node`, `export NODE_OPTIONS=…`. */
function assignedValues({ assignments, args }: SimpleCommand): readonly string[] {
  const set = assignments
    .filter(({ name }) => LOOKUP_NAME.test(name))
    .map(({ value }) => exactText(value) ?? '')
  const passed = args.flatMap((arg) => {
    const [, name = '', value = ''] = /^(\w+)=(.*)$/s.exec(textOf(arg)) ?? []
    return LOOKUP_NAME.test(name) ? [value] : []
  })
  return [...set, ...passed]
}

/** The program itself, and the scripts that it runs. */
function startedBy(command: SimpleCommand, root: string): readonly StartedFile[] {
  const { name = '' } = command
  const program = textOf(command.word)
  const scripts = [...scriptsOf(command), ...inputsOf(command)].map(textOf).filter((text) => text !== '')
  const by = INTERPRETERS.test(name) && name !== 'exec' && name !== 'npx' ? { by: name } : {}
  return [
    ...(program.includes('/') ? [{ path: resolve(root, program) }] : []),
    ...scripts.map((text) => ({ path: resolve(root, text), ...by })),
    ...pythonModule(command).map((text) => ({ path: resolve(root, text), by: 'python' })),
  ]
}

/**
 * Files that interpreters read because of an option, or always. A file with variables can set NODE_OPTIONS, and so name
 * code.
 */
function optionFiles({ name = '', args }: SimpleCommand, root: string): readonly string[] {
  if (!INTERPRETERS.test(name)) return []
  const texts = args.map(textOf)
  const envFiles = texts.flatMap((text, index) => {
    const inline = /^--env-file(?:-if-exists)?=(.+)$/.exec(text)?.[1]
    if (inline !== undefined) return [inline]
    return /^--env-file(?:-if-exists)?$/.test(text) ? [texts[index + 1] ?? ''] : []
  })
  const paths = [...envFiles.filter((text) => text !== ''), ...(ALWAYS_READ[name] ?? [])].map((text) =>
    resolve(root, text),
  )
  return [
    ...paths,
    ...paths.flatMap((path) => filesInValue(readRegularText(path, ENV_MAX_BYTES) ?? '', root)),
  ]
}

const ENV_MAX_BYTES = 256 * 1024

/** Files that change what a script means, without being named. */
const ALWAYS_READ: Readonly<Record<string, readonly string[]>> = {
  bun: wordList('bunfig.toml .env .env.local tsconfig.json'),
  deno: wordList('deno.json deno.jsonc'),
  tsx: ['tsconfig.json'],
  'ts-node': ['tsconfig.json'],
}

/**
 * The files that a command line of the user would start, as far as it can be read: programs, and the scripts of
 * interpreters. Not their arguments, because a project could then disable the hook with a file of such a name.
 */
export function startedByLine(line: CommandLine): readonly string[] {
  return (commandsOf(line) ?? []).flatMap((command) => {
    const words = [command.word, ...scriptsOf(command), ...inputsOf(command)].filter((word) => !isPlain(word))
    const texts = words.map(textOf).filter((text) => text.includes('/') || text !== textOf(command.word))
    const from = command.cwd ?? line.root
    return [...texts, ...pythonModule(command)]
      .filter((text) => text !== '')
      .map((text) => resolve(from, text))
  })
}

/** An absolute path, or one from the home, is the file that the user wrote down, in any project. */
function isPlain({ source }: Word): boolean {
  return /^["']?(?:\/|~|\$HOME\b|\$\{HOME\})/.test(source)
}

/** Variables that decide where a program, its interpreter or its libraries come from. */
const NAMES =
  '(?:PATH|CDPATH|BASH_ENV|ENV|HOME|IFS|PYTHON(?:PATH|STARTUP|HOME)|NODE_(?:OPTIONS|PATH)|LD_\\w+|DYLD_\\w+|PERL5(?:LIB|OPT)|RUBY(?:OPT|LIB))'
const LOOKUP_NAME = new RegExp(`^${NAMES}$`)
/** Used other than for reading: `$PATH` and `${PATH}` are harmless, `${PATH:=x}` is not. */
const LOOKUP = new RegExp(`(?<![\\w$./-]|\\$\\{)${NAMES}(?![\\w./-])|\\$\\{${NAMES}:?=`)

function commandsOf({ text, root, project, home }: CommandLine): readonly SimpleCommand[] | undefined {
  const read = readCommands(`CLAUDE_PROJECT_DIR=${quotedWord(project)}; ${text}`, { cwd: root, home })
  return read.judged ? read.commands : undefined
}

/** A program, or the script of an interpreter, that is only known at run time. */
function startsUnknown(command: SimpleCommand, root: string): boolean {
  const { name, word, args, opaque, cwd } = command
  if (command.assignments.some((each) => LOOKUP.test(`${each.name}=`))) return true
  // For a group, whatever it contains: it may be an interpreter.
  if (name === '') return hasUnknownInput(command)
  if (name === undefined || opaque !== undefined || exactText(word) === undefined) return true
  if (args.some((arg) => setsLookup(arg))) return true
  if (RUNNERS.test(name) || (name === 'find' && args.some((arg) => /^-(?:exec|ok)dir$/.test(textOf(arg)))))
    return true
  if (textOf(word).startsWith('/proc/') || args.some((arg) => /^\/(?:proc|dev\/fd)\//.test(textOf(arg))))
    return true
  const isInterpreter = INTERPRETERS.test(name)
  if (isInterpreter && command.via.some((how) => /^xargs\b/.test(how))) return true
  if (cwd !== root && (isInterpreter || /^[^/].*\//.test(textOf(word)))) return true
  return (
    isInterpreter &&
    (hasUnknownScript(command, root) ||
      scriptsOf(command).some((each) => !isFound(name, resolve(root, textOf(each)))))
  )
}

function setsLookup(arg: Word): boolean {
  const text = exactText(arg)
  return text !== undefined && new RegExp(`^${NAMES}\\+?(?:=|$)`).test(text)
}

function hasUnknownScript(command: SimpleCommand, root: string): boolean {
  const { name = '', args } = command
  if (args.some((arg) => exactText(arg) === undefined)) return true
  if (hasUnknownInput(command)) return true
  const options = args.map(textOf).filter((text) => text.startsWith('-'))
  // A library folder, or a file that is named inside an option.
  if (
    options.some(
      (text) =>
        (/^-.*=.*\//.test(text) && !/^--env-file/.test(text)) ||
        FROM_FILES.test(text) ||
        (/^(?:perl|ruby|php)$/.test(name) && /^-[IMrd]/.test(text)),
    )
  )
    return true
  return (
    /^python/.test(name) && options.some((text) => MODULE.test(text)) && !isInstalledModule(command, root)
  )
}

/** A well-known tool such as `pytest`, and not a file of the project with the same name. */
function isInstalledModule(command: SimpleCommand, root: string): boolean {
  const files = pythonModule(command)
  return (
    TEST_MODULES.has(files[0]?.replace(/\.py$/, '') ?? '') &&
    !files.some((file) => isFile(resolve(root, file)))
  )
}

const TEST_MODULES = wordSet(
  'pytest unittest doctest tox nox coverage mypy pyright ruff black isort flake8 pylint bandit compileall',
)

function hasUnknownInput({ redirections }: SimpleCommand): boolean {
  return redirections.some(({ operator, target }) => READS.test(operator) && exactText(target) === undefined)
}

/** Node uses `check.js` if `check` is named and missing, and `index.js` of a folder. */
function isFound(name: string, path: string): boolean {
  if (isFolder(path)) return false
  return !/^(?:node|nodejs|tsx|ts-node|bun|deno)$/.test(name) || /\.[cm]?[jt]sx?$/.test(path) || isFile(path)
}

const INTERPRETERS =
  /^(?:\.|source|(?:ba|da|z|k|fi)?sh|python[\d.]*|node|nodejs|deno|bun|tsx|ts-node|npx|ruby|perl|php|exec)$/
/** Programs that start everything in a folder, or make a name mean another program. */
const RUNNERS = /^(?:run-parts|parallel|alias|enable|hash)$/
const READS = /^\d*<(?:>)?$/
const MODULE = /^-[A-Za-z]*m/
/** Node reads scripts or options from a file that it finds by itself. */
const FROM_FILES = /^--(?:run|experimental-(?:default-)?config-file|build-snapshot|snapshot-blob)(?:=|$)/
/** Options of interpreters whose next word is not the script, but may be a file that is run. */
const WITH_VALUE =
  /^(?:-r|--require|--import|--loader|--experimental-loader|--rcfile|--init-file|-W|-X|-I|-o|-O|--env-file(?:-if-exists)?)$/

/** The words of an interpreter up to its script. The words after it are for the script. */
function scriptsOf({ name = '', args }: SimpleCommand): readonly Word[] {
  if (!INTERPRETERS.test(name) || name === 'npx' || name === 'exec' || runsTests(name, args)) return []
  const found: Word[] = []
  for (const [index, arg] of args.entries()) {
    const text = textOf(arg)
    if (/^-[A-Za-z]*[ce]$/.test(text) || text === '--eval') return found
    if (text.startsWith('-')) continue
    if (!isVerb(name, text)) found.push(arg)
    const before = textOf(args[index - 1])
    if (!WITH_VALUE.test(before) && !isVerb(name, text)) return found
  }
  return found
}

/** The arguments of a test runner select tests, as those of `pytest` do. */
function runsTests(name: string, args: readonly Word[]): boolean {
  const texts = args.map(textOf)
  if (name === 'node' || name === 'nodejs') return texts.includes('--test')
  return (name === 'deno' || name === 'bun') && texts[0] === 'test'
}

function isVerb(name: string, text: string): boolean {
  return (name === 'deno' || name === 'bun') && text === 'run'
}

/** A file that is redirected into an interpreter is its script. */
function inputsOf({ name = '', redirections }: SimpleCommand): readonly Word[] {
  if (name !== '' && !INTERPRETERS.test(name)) return []
  return redirections.filter(({ operator }) => READS.test(operator)).map(({ target }) => target)
}

/** `python -m` searches the working directory first. */
function pythonModule({ name = '', args }: SimpleCommand): readonly string[] {
  const texts = args.map(textOf)
  const at = /^python/.test(name) ? texts.findIndex((text) => MODULE.test(text)) : -1
  const module = at < 0 ? undefined : texts[at]?.replace(MODULE, '') || texts[at + 1]
  if (module === undefined || !/^[\w.]+$/.test(module)) return []
  const steps = module.split('.')
  return steps.flatMap((_step, index) => {
    const path = steps.slice(0, index + 1).join('/')
    return [`${path}.py`, `${path}/__init__.py`, `${path}/__main__.py`]
  })
}

function textOf(word: Word | undefined): string {
  return exactText(word) ?? ''
}

export function quotedWord(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`
}
