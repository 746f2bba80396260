import type { SimpleCommand } from '../../../shell/command.ts'
import { baseName, resolvePath } from '../../../shell/paths.ts'
import { exactText, type Word } from '../../../shell/words.ts'

/** A file that a command runs as a program. */
export interface ScriptRun {
  readonly path: string
  readonly command: SimpleCommand
  /** What runs it; undefined where the file itself says. */
  readonly interpreter: string | undefined
  readonly args: readonly Word[]
}

/** The script a command runs, where it runs one: `sh x.sh`, `./x.sh`, `source x.sh`, `python x.py`. */
export function scriptRun(command: SimpleCommand, home: string): ScriptRun | undefined {
  const { name = '', args } = command
  if (name === 'source' || name === '.') return runOf(args[0], command, 'bash', args.slice(1), home)
  if (INTERPRETERS.test(name)) {
    const at = scriptAt(args)
    return at < 0 ? undefined : runOf(args[at], command, name, args.slice(at + 1), home)
  }
  const isPath = exactText(command.word)?.includes('/') === true
  return isPath ? runOf(command.word, command, undefined, args, home) : undefined
}

/** The text as one command line, so that what it does can be read like any other. */
export function asCommandLine(text: string, run: ScriptRun): string | undefined {
  const program = baseName(run.interpreter ?? shebang(text) ?? 'sh')
  const language = LANGUAGES.find(([names]) => names.test(program))
  if (language === undefined) return undefined
  const [, option, readsArguments] = language
  const code = quoted(program === 'php' ? text.replace(/^[\s\S]*?<\?php/, '') : text)
  const given = readsArguments ? [run.path, ...run.args.map((word) => exactText(word) ?? '"$_"')] : []
  const words = given.map((word) => (word === '"$_"' ? word : quoted(word)))
  return [program, option, code, ...words].join(' ')
}

function runOf(
  word: Word | undefined,
  command: SimpleCommand,
  interpreter: string | undefined,
  args: readonly Word[],
  home: string,
): ScriptRun | undefined {
  const text = exactText(word)
  const path = text === undefined ? undefined : resolvePath(text, { cwd: command.cwd, home })
  return path === undefined ? undefined : { path, command, interpreter, args }
}

const SHELLS = /^(?:ba|da|z|k|mk|a|rba|ya)?sh$/
const INTERPRETERS =
  /^(?:(?:ba|da|z|k|mk|a|rba|ya)?sh|python[\d.]*|pypy[\d.]*|py|node|nodejs|bun|deno|tsx|ts-node|ruby|perl|php|lua[\d.]*|Rscript)$/

/** How each language is given code on the command line, and whether the code sees the words after it. */
const LANGUAGES: readonly (readonly [program: RegExp, option: string, readsArguments: boolean])[] = [
  [SHELLS, '-c', true],
  [/^(?:python[\d.]*|pypy[\d.]*|py)$/, '-c', false],
  [/^(?:node|nodejs|bun|deno|tsx|ts-node|ruby|lua[\d.]*|Rscript|perl)$/, '-e', false],
  [/^php$/, '-r', false],
]

/** Where the script stands: after options, none of which is code itself. */
function scriptAt(args: readonly Word[]): number {
  for (const [at, word] of args.entries()) {
    const text = exactText(word) ?? word.source
    if (/^-(?:\w*[ces]|m|-eval|-print|-)$/.test(text)) return text === '--' ? at + 1 : -1
    if (text === 'run' && at === 0) continue
    if (!text.startsWith('-') && !text.startsWith('+')) return at
    if (/^-(?:W|X|r|I|o|O)$|^--(?:require|import|loader)$/.test(text)) return scriptAtNext(args, at)
  }
  return -1
}

/** After an option that takes a word. */
function scriptAtNext(args: readonly Word[], at: number): number {
  const rest = scriptAt(args.slice(at + 2))
  return rest < 0 ? -1 : at + 2 + rest
}

function shebang(text: string): string | undefined {
  const [, program, first] = /^#!\s*(\S+)(?:[ \t]+(\S+))?/.exec(text) ?? []
  return program?.endsWith('/env') === true ? first : program
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
