import { readOptions, valuesOf } from '../../arguments/options.ts'
import { knownTextAt } from '../../expand/line-files.ts'
import type { ShellEffect } from '../../vocabulary/effect.ts'
import { codeRun, type Launch, type LaunchCall } from '../../vocabulary/launch.ts'
import { isStandardInput } from '../../words/standard-input.ts'
import { exactForm, exactText, type Form, textPiece, type Word } from '../../words/words.ts'
import { launch, shellRun } from '../aspects/code-runs.ts'
import { interpreterSource } from '../aspects/code-source.ts'
import { interpreter } from '../aspects/interpreter.ts'
import { filesAfter, operandFiles, type ScriptFiles } from '../aspects/script-files.ts'
import type { Program, ProgramTable } from '../program.ts'

const OTHER = interpreter('other', { code: 'ecE', long: /^--(eval|exec|expression|execute)$/ })
const OTHER_LONG = interpreter('other', { long: /^--eval$/, longCode: /^-eval$/ })
const sources: ScriptFiles = { files: operandFiles, language: 'other' }

/** Code of theirs that starts programs or deletes files is said to be known only at run time. `option`: code follows it. */
function unread(option: RegExp): NonNullable<Program['does']> {
  return ({ command, input }) => {
    const given = input()
    const onLine = command.args.filter((_, at) => option.test(exactText(command.args[at - 1]) ?? ''))
    const attached = command.args.filter((word) =>
      /^(-e|--?eval=|--?execute=|-c)\S/.test(exactText(word) ?? ''),
    )
    const code = [...onLine, ...attached].flatMap((word: Word) => word.forms)
    const all = given.kind === 'text' ? [...code, ...given.forms] : code
    return all.some((form) => ACTS.test(textOf(form))) ? [UNREAD] : []
  }
}

const UNREAD: ShellEffect = {
  kind: 'exec',
  from: 'unknown',
  what: 'runs code in a language that is not read here, which starts programs or deletes files',
  unsure: 'what it starts or deletes is known only at run time',
}

/** What starting a program and deleting a file are called in these languages. */
const ACTS = new RegExp(
  [
    /\b(exec[lv]?p?e?|execute|system|spawn|popen|syscmd|esyscmd|callProcess|readProcess)\b/,
    /\b(Process|ProcessBuilder|Runtime|Sys\.command|Port\.open|sys\.process|run-program|shell-command)\b/,
    /\bos:cmd\b|:os\.cmd|System\.(cmd|shell)|\brun\s*\(\s*`|java\.shell|\(sh\s|\bshell\s*\(|\bProc\b/,
    /\b(delete|remove|unlink|rmdir|rmtree|rm_rf|removeItem|deleteDir|deleteRecursively)\w*\s*[!([]|\bfile delete\b/,
    /\bFile\.rm|Files?\.delete|\.delete\(\)|\brm\s*\(|delete-(file|directory)|\bunlink\b/,
    /\((call-process|start-process|make-process|write-region|write-file|rename-file|copy-file)\b/,
  ]
    .map(({ source }) => source)
    .join('|'),
)

function textOf(form: Form): string {
  return form.map((piece) => piece.text).join('')
}

const print = unread(/^(-e|-E|-p|--eval|--execute-scala-script|--print|eval)$/)
const expression = unread(/^(-e|-c|--eval|--expression)$/)
const lisp = unread(/^(-x|--?eval)$/)
const erlang = unread(/^-eval$/)
const typed = unread(/^(-e|-c|-s)$/)
const editor = unread(/^(-e|--?eval|--?execute)$/)

/** Languages whose code is not read. A script in a file is a program like any other. */
export const UNREAD_LANGUAGES: ProgramTable = {
  groovy: { does: print, interprets: OTHER, codeFrom: interpreterSource },
  'scala ghc racket': { does: print, interprets: OTHER },
  'scala-cli': { does: print },
  'crystal kotlin': { does: print, scripts: sources },
  elixir: { does: print, interprets: OTHER, files: { code: true } },
  swift: { does: print, interprets: OTHER, scripts: sources, files: { code: true } },
  julia: { does: print, interprets: OTHER, codeFrom: interpreterSource, files: { code: true } },
  'clojure clj bb ocaml': { does: expression, interprets: OTHER },
  guile: { does: expression, interprets: OTHER, files: { code: true } },
  octave: { does: expression, interprets: OTHER_LONG },
  raku: { does: expression },
  nim: { does: expression, scripts: sources },
  gnuplot: { interprets: OTHER },
  sbcl: { does: lisp, interprets: OTHER_LONG },
  'clisp ecl': { does: lisp },
  erl: { does: erlang, interprets: OTHER_LONG },
  escript: { does: erlang },
  'iex wish m4 ghci': { does: typed },
  jshell: { does: typed, interprets: OTHER_LONG },
  tclsh: { does: typed, interprets: OTHER_LONG, codeFrom: interpreterSource, files: { code: true } },
  expect: { does: typed, starts: expectLaunch, codeFrom: interpreterSource },
  emacs: {
    does: editor,
    starts: emacsLaunch,
    scripts: { files: filesAfter(/^(?:--script|-l|--load|-x)$/), language: 'other' },
    files: { code: true },
  },
  emacsclient: { does: editor, starts: emacsLaunch },
  'javac kotlinc rust-script zig v': { scripts: sources },
}

const EXPECT = /(?:^|[\n;{])\s*(?:spawn|exec|system)\s+(?:-\w+\s+)*([^\n;}]+)/g

function expectLaunch({ name, args, input, place }: LaunchCall): Launch | undefined {
  const read = readOptions(args, 'c= f= b= d n N i')
  const given = valuesOf(read, 'c').map(exactText)
  const files = [...valuesOf(read, 'f', 'b'), ...read.operands.slice(0, 1)]
  const written = files.flatMap((file) => knownTextAt(file, place) ?? []).map(exactForm)
  const isInput = args.length === 0 || files.some(isStandardInput)
  const texts = [...given, ...written, ...(isInput ? (input.forms?.map(exactForm) ?? []) : [])]
  const codes = texts.flatMap((text) =>
    [...(text ?? '').matchAll(EXPECT)].map(([, code = '']) => code.replace(/[{}]/g, '')),
  )
  if (codes.length === 0) return undefined
  const forms = codes.slice(0, 16).map((code): Form => [textPiece(code)])
  return { own: args.length, runs: [codeRun(`${name} -c`, forms, { shell: 'child', setting: true })] }
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
