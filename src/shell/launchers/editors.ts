import { eachWord } from '../../core/word-list.ts'
import {
  codeRun,
  type Launch,
  type LaunchCall,
  type Launcher,
  type StartedCommand,
} from '../vocabulary/launch.ts'
import { exactForm, exactText, textPiece, type Word } from '../words/words.ts'

/** Editors, pagers, debuggers and database clients: their own language has a word for "run this". */
export const EDITOR_LAUNCHERS: Readonly<Record<string, Launcher>> = {
  ...Object.fromEntries(eachWord('vim vi nvim view gvim vimdiff rvim ex', vimLaunch)),
  ...Object.fromEntries(eachWord('less more most', pagerLaunch)),
  ...Object.fromEntries(eachWord('gdb rust-gdb lldb', debuggerLaunch)),
  ...Object.fromEntries(eachWord('psql mysql mariadb sqlite3 duckdb', clientLaunch)),
  ...Object.fromEntries(eachWord('emacs emacsclient', emacsLaunch)),
  dc: ({ name, args, input }) => {
    const typed = input.forms?.map((form) => exactForm(form) ?? '') ?? []
    return lineRuns(
      name,
      args.length,
      [...typed, ...args.map((word) => exactText(word) ?? '')],
      /^!(?![<>=])(.+)$/gm,
    )
  },
  ed: ({ name, args, input }) =>
    lineRuns(name, args.length, input.forms?.map((form) => exactForm(form) ?? '') ?? [], /^!(.+)$/gm),
}

function launch(own: number, runs: readonly StartedCommand[]): Launch | undefined {
  return runs.length === 0 ? undefined : { own, runs }
}

function shellRun(via: string, code: string): StartedCommand {
  return codeRun(via, [[textPiece(code)]], { shell: 'child' })
}

/** The values of these options, attached or not, and every word of this shape. */
function given(args: readonly Word[], options: RegExp, attached: RegExp): readonly string[] {
  return args.flatMap((word, at) => {
    const text = exactText(word) ?? ''
    const next = options.test(text) ? exactText(args[at + 1]) : attached.exec(text)?.[1]
    return next === undefined ? [] : [next]
  })
}

/** `-c ':!code'`, `+'!code'`, `-c 'call system("code")'`; for ex also what stands on standard input. */
function vimLaunch({ name, args, input }: LaunchCall): Launch | undefined {
  const commands = given(args, /^(-[a-zA-Z]*c|--cmd)$/, /^(?:\+|--cmd=|-c)(.+)$/s)
  const typed = input.forms?.flatMap((form) => (exactForm(form) ?? '').split('\n')) ?? []
  const codes = [...commands, ...typed].flatMap(vimCode)
  return launch(
    args.length,
    codes.slice(0, 16).map((code) => shellRun(`${name} !`, code)),
  )
}

/** Before the `!` only a range, `silent`, `read` or `w ` may stand: `q!` and `w! file` run nothing. */
const VIM_BANG = /^[:\s]*(?:sil(?:ent)?!?\s+)?(?:[%\d,.$]*|r(?:ead)?\s*|w(?:rite)?\s+)!(.+)$/s
const VIM_CALL =
  /\b(?:system|systemlist|execute|os\.execute|io\.popen|termopen|jobstart)\(\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)')/g
const VIM_TERMINAL = /^[:\s]*(?:ter(?:minal)?|te)\s+(.+)$/s

/** `r file`, `call delete("x", "rf")`: what the editor does itself, as the shell would say it. */
const VIM_READ = /^[:\s]*(?:sil(?:ent)?!?\s+)?[%\d,.$]*r(?:ead)?\s+([^!\s][^|]*)/
const VIM_FILES =
  /\b(delete|readfile|writefile)\(\s*(?:\[[^\]]*\]\s*,\s*)?(?:expand\(\s*)?(?:"((?:[^"\\]|\\.)*)"|'([^']*)')\)?(?:\s*,\s*["'](\w*)["'])?/g
const AS_SHELL: Readonly<Record<string, string>> = { delete: 'rm', readfile: 'cat', writefile: 'tee' }

function vimCode(command: string): readonly string[] {
  const bang = VIM_BANG.exec(command)?.[1] ?? VIM_TERMINAL.exec(command)?.[1]
  const calls = [...command.matchAll(VIM_CALL)].map(
    ([, double, single]) => double?.replace(/\\(.)/g, '$1') ?? single ?? '',
  )
  const read = VIM_READ.exec(command)?.[1]
  const files = [...command.matchAll(VIM_FILES)].map(
    ([, does = '', double, single, how]) =>
      `${AS_SHELL[does]}${how === 'rf' ? ' -rf' : ''} ${escaped(double ?? single ?? '')}`,
  )
  return [
    ...(bang === undefined ? [] : [bang]),
    ...(read === undefined ? [] : [`cat ${read}`]),
    ...calls,
    ...files,
  ]
}

/** `less +!code file` */
function pagerLaunch({ name, args }: LaunchCall): Launch | undefined {
  return launch(
    args.length,
    given(args, /^$/, /^\+\s*!(.+)$/s).map((code) => shellRun(`${name} +!`, code)),
  )
}

/** `gdb -ex 'shell code'`, `gdb --args program` */
function debuggerLaunch({ name, args }: LaunchCall): Launch | undefined {
  const commands = given(
    args,
    /^--?(i?ex|eval-command|o|one-line|O|k)$/,
    /^--?(?:eval-command|one-line)=(.+)$/s,
  )
  const codes = commands.flatMap(
    (command) => /^\s*(?:shell|!|make|platform\s+shell|pipe)\s*(.+)$/s.exec(command)?.[1] ?? [],
  )
  const at = args.findIndex((word) => /^(--?args|--)$/.test(exactText(word) ?? ''))
  const program = at < 0 || at + 1 === args.length ? [] : [{ via: name, words: args.slice(at + 1) }]
  return launch(program.length > 0 ? at + 1 : args.length, [
    ...codes.map((code) => shellRun(`${name} shell`, code)),
    ...program,
  ])
}

const CLIENT = /(?:^|[\n;])\s*(?:\\!|\.(?:shell|system)|system)[ \t]+([^\n]+)/g

/** `psql -c '\! code'`, `sqlite3 db '.shell code'`, and the same on standard input. */
function clientLaunch({ name, args, input }: LaunchCall): Launch | undefined {
  const texts = [
    ...args.map((word) => exactText(word) ?? ''),
    ...(input.forms?.map((form) => exactForm(form) ?? '') ?? []),
  ]
  const runs = lineRuns(name, args.length, texts, CLIENT)?.runs ?? []
  const files = [
    ...(name === 'sqlite3' || name === 'duckdb' ? texts.flatMap(sqliteFiles) : []),
    ...texts.flatMap(loadedFiles),
  ]
  return launch(args.length, [...runs, ...files.slice(0, 16).map((code) => shellRun(name, code))])
}

/** `select writefile('x', …)`, `.output x`: as the shell would say it. */
function sqliteFiles(text: string): readonly string[] {
  const calls = [...text.matchAll(/\b(readfile|writefile)\s*\(\s*'([^']*)'/gi)].map(
    ([, does = '', file = '']) => `${/^r/i.test(does) ? 'cat' : 'tee'} ${escaped(file)}`,
  )
  const dots = [...text.matchAll(/^\s*\.(?:output|once|log|backup|save)\s+(?:-\w+\s+)*([^\s|]+)\s*$/gm)].map(
    ([, file = '']) => `tee ${escaped(file)}`,
  )
  return [...calls, ...dots]
}

const LOADED =
  /\b(?:read_(?:text|csv|csv_auto|json|json_auto|blob|parquet)\s*\(\s*\[?|load\s+data\s+(?:\w+\s+)?infile\s+|\\copy\s+\S+\s+from\s+|from\s+)'([^'\n]+)'|^\s*\.import\s+(?:-\S+\s+)*(\S+)/gim

/** `read_text('x')`, `LOAD DATA LOCAL INFILE 'x'`, `.import x t`: what is in the file can be selected then. */
function loadedFiles(text: string): readonly string[] {
  return [...text.matchAll(LOADED)]
    .map(([, quoted, bare]) => quoted ?? bare ?? '')
    .filter((file) => !file.startsWith('|') && !/^\w+:\/\//.test(file))
    .map((file) => `cat ${escaped(file)}`)
}

function escaped(file: string): string {
  return file.replace(/^["']|["']$/g, '').replace(/[^\w./~$-]/g, '\\$&')
}

function lineRuns(name: string, own: number, texts: readonly string[], pattern: RegExp): Launch | undefined {
  const codes = texts.flatMap((text) => [...text.matchAll(pattern)].map(([, code = '']) => code))
  return launch(
    own,
    codes.slice(0, 16).map((code) => shellRun(`${name} !`, code)),
  )
}

const LISP =
  /\((?:shell-command|async-shell-command|shell-command-to-string|call-process-shell-command)\s+"((?:[^"\\]|\\.)*)"/g

function emacsLaunch({ name, args }: LaunchCall): Launch | undefined {
  const codes = args.flatMap((word) =>
    [...(exactText(word) ?? '').matchAll(LISP)].map(([, code = '']) => code.replace(/\\(.)/g, '$1')),
  )
  return launch(
    args.length,
    codes.slice(0, 16).map((code) => shellRun(`${name} --eval`, code)),
  )
}
