import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { SimpleCommand } from '../shell/command.ts'
import { analyze } from '../shell/commands.ts'
import { exactText, type Word } from '../shell/words.ts'

/** A command line, and where its words mean what they say. */
export interface Line {
  readonly text: string
  readonly root: string
  /** What `$CLAUDE_PROJECT_DIR` stands for. */
  readonly project: string
  readonly home: string
}

/**
 * Every file a command line would start or hand to what it starts. Undefined: nobody can say. A line that changes
 * where programs or their parts are found is such a one, because its words no longer say which file is meant.
 */
export function filesOfLine(line: Line): readonly string[] | undefined {
  if (LOOKUP.test(line.text)) return undefined
  const commands = commandsOf(line)
  if (commands === undefined || commands.some((command) => startsUnknown(command, line.root)))
    return undefined
  return commands.flatMap((command) => {
    const scripts = new Set(scriptsOf(command).map(textOf))
    const texts = [command.word, ...command.args].map(textOf).filter((text) => text !== '')
    // What is read aloud may be read by a shell behind the pipe.
    const named = texts.filter(
      (text) =>
        text.includes('/') ||
        (command.name === 'cat' && text !== 'cat') ||
        scripts.has(text) ||
        isFile(resolve(line.root, text)),
    )
    return [...named, ...inputsOf(command).map(textOf)]
      .map((text) => resolve(line.root, text))
      .filter((path) => path !== line.root)
  })
}

/**
 * The files a person's own line would start, as far as it can be read: programs, the scripts of interpreters. Not
 * their arguments, else a project could switch the hook off with a file that is named like one.
 */
export function startedByLine(line: Line): readonly string[] {
  return (commandsOf(line) ?? []).flatMap((command) => {
    const words = [command.word, ...scriptsOf(command), ...inputsOf(command)].filter((word) => !isPlain(word))
    const texts = words.map(textOf).filter((text) => text.includes('/') || text !== textOf(command.word))
    const from = command.cwd ?? line.root
    return [...texts, ...pythonModule(command)]
      .filter((text) => text !== '')
      .map((text) => resolve(from, text))
  })
}

/** A path from the root or from home is the one file the person wrote down, in whatever project they are. */
function isPlain({ source }: Word): boolean {
  return /^["']?(?:\/|~|\$HOME\b|\$\{HOME\})/.test(source)
}

/** What decides where a program, its interpreter or its libraries come from. */
const NAMES =
  '(?:PATH|CDPATH|BASH_ENV|ENV|HOME|IFS|PYTHON(?:PATH|STARTUP|HOME)|NODE_(?:OPTIONS|PATH)|LD_\\w+|DYLD_\\w+|PERL5(?:LIB|OPT)|RUBY(?:OPT|LIB))'
/** Named other than to be read: `$PATH` and `${PATH}` are harmless, `${PATH:=x}` is not. */
const LOOKUP = new RegExp(`(?<![\\w$./-]|\\$\\{)${NAMES}(?![\\w./-])|\\$\\{${NAMES}:?=`)

function commandsOf({ text, root, project, home }: Line): readonly SimpleCommand[] | undefined {
  const read = analyze(`CLAUDE_PROJECT_DIR=${quoted(project)}; ${text}`, { cwd: root, home })
  return read.judged ? read.commands : undefined
}

/** A program, or the script of an interpreter, that is only known at run time. */
function startsUnknown(command: SimpleCommand, root: string): boolean {
  const { name, word, args, opaque, cwd } = command
  if (command.assignments.some((each) => LOOKUP.test(`${each.name}=`))) return true
  // Of a group, whatever is in it: it may be an interpreter.
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
    (hasUnknownScript(command) ||
      scriptsOf(command).some((each) => !isFound(name, resolve(root, textOf(each)))))
  )
}

function setsLookup(arg: Word): boolean {
  const text = exactText(arg)
  return text !== undefined && new RegExp(`^${NAMES}\\+?(?:=|$)`).test(text)
}

function hasUnknownScript(command: SimpleCommand): boolean {
  const { name = '', args } = command
  if (args.some((arg) => exactText(arg) === undefined)) return true
  if (hasUnknownInput(command)) return true
  const options = args.map(textOf).filter((text) => text.startsWith('-'))
  // A library folder, or a file named inside an option.
  if (
    options.some(
      (text) => /^-.*=.*\//.test(text) || (/^(?:perl|ruby|php)$/.test(name) && /^-[IMrd]/.test(text)),
    )
  )
    return true
  return /^python/.test(name) && options.some((text) => MODULE.test(text))
}

function hasUnknownInput({ redirections }: SimpleCommand): boolean {
  return redirections.some(({ operator, target }) => READS.test(operator) && exactText(target) === undefined)
}

/** Node takes `check.js` where `check` is named and not there, and `index.js` of a folder. */
function isFound(name: string, path: string): boolean {
  if (isFolder(path)) return false
  return !/^(?:node|nodejs|tsx|ts-node|bun|deno)$/.test(name) || /\.[cm]?[jt]sx?$/.test(path) || isFile(path)
}

const INTERPRETERS =
  /^(?:\.|source|(?:ba|da|z|k|fi)?sh|python[\d.]*|node|nodejs|deno|bun|tsx|ts-node|npx|ruby|perl|php|exec)$/
/** They start whatever lies in a folder, or make a name mean another program. */
const RUNNERS = /^(?:run-parts|parallel|alias|enable|hash)$/
const READS = /^\d*<(?:>)?$/
const MODULE = /^-[A-Za-z]*m/
/** Options of interpreters whose next word is not the script, but may be a file that is run. */
const WITH_VALUE =
  /^(?:-r|--require|--import|--loader|--experimental-loader|--rcfile|--init-file|-W|-X|-I|-o|-O|--env-file)$/

/** The words of an interpreter up to its script; what follows is for the script to read. */
function scriptsOf({ name = '', args }: SimpleCommand): readonly Word[] {
  if (!INTERPRETERS.test(name) || name === 'npx' || name === 'exec') return []
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

function isVerb(name: string, text: string): boolean {
  return (name === 'deno' || name === 'bun') && text === 'run'
}

/** What is redirected into an interpreter is its script. */
function inputsOf({ name = '', redirections }: SimpleCommand): readonly Word[] {
  if (name !== '' && !INTERPRETERS.test(name)) return []
  return redirections.filter(({ operator }) => READS.test(operator)).map(({ target }) => target)
}

/** `python -m` looks in the folder it is started in first. */
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

export function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`
}

export function isFile(path: string): boolean {
  return infoOf(path)?.isFile() ?? false
}

function isFolder(path: string): boolean {
  return infoOf(path)?.isDirectory() ?? false
}

function infoOf(path: string) {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    // A command line is often longer than a name may be.
    return undefined
  }
}
