import { eachWord } from '../../core/word-list.ts'
import { readInline } from '../code/read.ts'
import { withModules } from '../code-modules.ts'
import { fileAt, knownTextAt } from '../expand/line-files.ts'
import type { Language } from '../vocabulary/command.ts'
import { type Launch, type LaunchCall, RUN_TIME_CODE } from '../vocabulary/launch.ts'
import { decodeUtf16 } from '../words/decode.ts'
import {
  concatForms,
  exactForm,
  exactText,
  exactWord,
  type Form,
  joinWords,
  textPiece,
  type Word,
} from '../words/words.ts'
import { type InterpreterArguments, NONE, type Options, optionsFinder } from './interpreter-options.ts'
import { isMade, isStandardInput, writtenHere } from './shells.ts'

/** Code for another language: given as an argument, on standard input, or in a file this line wrote. */
export function interpreterLaunch(call: LaunchCall): Launch | undefined {
  const interpreter = interpreterOf(call.name)
  if (interpreter === undefined) return undefined
  const given = interpreter.find(call.args)
  const preloaded = call.place.files.size === 0 ? [] : loadedFirst(call)
  if (given.code.length > 0)
    return launch(given.language ?? interpreter.language, [...given.code, ...preloaded], call)
  const asModule = preloaded.length > 0 && (given.script === undefined || given.other === true)
  if (asModule) return launch(interpreter.language, preloaded, call)
  if (given.script !== undefined && !isStandardInput(given.script))
    return scriptLaunch(interpreter.language, given.script, call)
  if (!(interpreter.readsInput || given.program) || given.other) return undefined
  if (call.input.forms !== undefined) return launch(interpreter.language, call.input.forms, call)
  return call.input.piped ? { own: call.args.length, runs: [], opaque: RUN_TIME_CODE } : undefined
}

/** `node -r ./x.js`, `python3 -m x`: files that run without being the script. */
function loadedFirst({ name, args, place }: LaunchCall): readonly Form[] {
  return args.flatMap((word, at) => {
    const option = exactText(args[at - 1]) ?? ''
    if (at > 0 && /^(?:-r|--require|--import|--loader|--experimental-loader|--preload)$/.test(option))
      return knownTextAt(word, place) ?? []
    const text = exactText(word)
    if (option !== '-m' || text === undefined || !/^(?:py|ipython)/.test(name)) return []
    const path = text.replaceAll('.', '/')
    const found = [`${path}.py`, `${path}/__main__.py`].flatMap(
      (each) => knownTextAt(exactWord(each), place) ?? [],
    )
    // `python3 -m pytest test_x.py`
    const rest = /^(?:pytest|unittest|runpy|trace|pdb|cProfile|coverage)$/.test(text)
      ? args.slice(at + 1)
      : []
    return [...found, ...rest.flatMap((each) => knownTextAt(each, place) ?? [])]
  })
}

function launch(language: Language, given: readonly Form[], call: LaunchCall, script?: Word): Launch {
  const code = withModules(language, given, script, call.place)
  const inline = { language, code }
  const { runs, opaque } = readInline(inline, call.name)
  return { own: call.args.length, runs, inline, ...(opaque === undefined ? {} : { opaque }) }
}

function scriptLaunch(language: Language, script: Word, call: LaunchCall): Launch | undefined {
  const files = fileAt(script, call.place)
  if (files === undefined) {
    return isMade(script) ? { own: call.args.length, runs: [], opaque: RUN_TIME_CODE } : undefined
  }
  if (files.some((file) => file.kind === 'unknown'))
    return { own: call.args.length, runs: [], opaque: writtenHere(script) }
  const code = files.flatMap((file) => (file.kind === 'text' ? file.forms : []))
  return code.length === 0 ? undefined : launch(language, code, call, script)
}

interface Interpreter {
  readonly language: Language
  readonly readsInput: boolean
  find(args: readonly Word[]): InterpreterArguments
}

function interpreterOf(name: string): Interpreter | undefined {
  return (
    EXACT.get(name) ??
    (/^(python|pypy)[\d.]+$/.test(name)
      ? PYTHON
      : /^(ruby|perl|php|lua|node)[\d.]+$/.test(name)
        ? EXACT.get(name.replace(/[\d.]+$/, ''))
        : undefined)
  )
}

function interpreter(language: Language, options: Partial<Options>): Interpreter {
  const all: Options = {
    code: '',
    valued: '',
    attached: '',
    other: '',
    long: NONE,
    longValued: NONE,
    ...options,
  }
  return { language, readsInput: true, find: optionsFinder(all) }
}

const PYTHON = interpreter('python', {
  code: 'c',
  valued: 'WX',
  other: 'mVh',
  longValued: /^--check-hash-based-pycs$/,
})
const NODE = interpreter('javascript', {
  code: 'ep',
  valued: 'rC',
  other: 'vhc',
  long: /^--(eval|print)$/,
  longValued: /^--(require|import|loader|experimental-loader|conditions|env-file|title|input-type)$/,
})

/** A line that begins with `!` goes to a shell. */
const IPYTHON: Interpreter = {
  ...PYTHON,
  find: (args) => {
    const found = PYTHON.find(args)
    const code = found.code.map((form) => {
      const text = exactForm(form)
      return text === undefined ? form : [textPiece(text.replace(/^[ \t]*!(.+)$/gm, "os.system(r'''$1 ''')"))]
    })
    return { ...found, code }
  },
}

/** `deno eval code`, `bun eval code`: a verb before the code. */
function withVerb(base: Interpreter): Interpreter {
  return {
    ...base,
    find: (args) => {
      const [verb, ...rest] = args
      if (exactText(verb) === 'run') return base.find(rest)
      if (exactText(verb) !== 'eval')
        return /^-/.test(exactText(verb) ?? '') || args.length === 0
          ? base.find(args)
          : { code: [], other: true }
      const code = rest.find((word) => !/^-/.test(exactText(word) ?? ''))
      return code === undefined ? { code: [], other: true } : { code: code.forms }
    },
  }
}

const OSASCRIPT = interpreter('applescript', { code: 'e', valued: 'ls' })

/** `-l JavaScript` */
function findOsascript(args: readonly Word[]): InterpreterArguments {
  const found = OSASCRIPT.find(args)
  const script = args.some((word) => /^javascript$/i.test(exactText(word) ?? ''))
  return script ? { ...found, language: 'javascript' } : found
}

const POWERSHELL_VALUED =
  /^-(ex|ep|executionpolicy|w|windowstyle|wd|workingdirectory|inputformat|if|outputformat|of|o|configurationname|settingsfile|psconsolefile|version)$/i

/** Names that mean nothing to the shell around it: `"… $env:PATH"` was written for PowerShell. */
const ITS_OWN = /^\$\{?(env|_|true|false|null|PSScriptRoot|PROFILE)\}?$/

function asMeant(word: Word): Word {
  const forms = word.forms.map((form) =>
    concatForms(
      form.map((piece, at) => {
        const next = form[at + 1]?.text ?? ''
        const isSet = /^\$\w+$/.test(piece.text) && /^\s*=\s|^\.\w/.test(next)
        return piece.kind === 'unknown' && (isSet || ITS_OWN.test(piece.text)) ? textPiece(piece.text) : piece
      }),
    ),
  )
  return { ...word, forms }
}

/** `-Command` and its short forms take everything that follows; so does the first word without a dash on Windows. */
function findPowerShell(args: readonly Word[]): InterpreterArguments {
  for (let at = 0; at < args.length; at += 1) {
    const text = exactText(args[at])
    if (text !== undefined && POWERSHELL_VALUED.test(text)) at += 1
    else if (/^[-/](c|co|com|comm|comma|comman|command|commandw\w*)$/i.test(text ?? '')) {
      const code = args.slice(at + 1)
      const [only] = code
      if (code.length === 1 && only !== undefined && isStandardInput(only)) return { code: [] }
      return { code: joinWords(code.map(asMeant)) ?? [[{ kind: 'unknown', text: '…' }]] }
    } else if (/^[-/](e|ec|en|enc|enco\w*)$/i.test(text ?? '')) {
      const decoded = decodeUtf16(exactText(args[at + 1]) ?? '')
      return { code: [decoded === undefined ? [{ kind: 'unknown', text: '…' }] : [textPiece(decoded)]] }
    } else if (/^[-/](f|fi|fil|file)$/i.test(text ?? ''))
      return { code: [], ...(args[at + 1] === undefined ? {} : { script: args[at + 1] as Word }) }
    else if (text === undefined || !/^[-/]/.test(text)) {
      const script = args[at]
      const isFile = text === undefined || /\.ps1$/i.test(text)
      if (isFile && script !== undefined) return { code: [], script }
      return { code: joinWords(args.slice(at)) ?? [] }
    }
  }
  return { code: [] }
}

/** The program text is the first operand, unless an option gave it. */
function findProgram(
  code: string,
  files: string,
  valued: string,
  long: RegExp,
  mixed: boolean,
): (args: readonly Word[]) => InterpreterArguments {
  const find = optionsFinder({
    code,
    valued: valued + files,
    attached: 'i',
    other: '',
    long,
    longValued: /^--(file|field-separator|assign|include)$/,
    mixed,
  })
  return (args) => {
    const fromFile = args.some((word) =>
      new RegExp(`^(-[a-zA-Z]*[${files}]|--file)`).test(exactText(word) ?? ''),
    )
    const found = find(args)
    const file = fromFile ? programFile(args, files) : undefined
    if (found.code.length === 0 && file !== undefined) return { code: [], script: file, program: true }
    if (found.code.length > 0 || fromFile || found.script === undefined)
      return { code: found.code, other: true }
    return { code: found.script.forms }
  }
}

/** `-f FILE`: the next word, where the letter is the last of its bundle. */
function programFile(args: readonly Word[], files: string): Word | undefined {
  const at = args.findIndex((word) =>
    new RegExp(`^(-[a-zA-Z]*[${files}]|--file)$`).test(exactText(word) ?? ''),
  )
  return at < 0 ? undefined : args[at + 1]
}

const OTHER = interpreter('other', { code: 'ecE', long: /^--(eval|exec|expression|execute)$/ })
const OTHER_LONG = interpreter('other', { long: /^--eval$/, longCode: /^-eval$/ })
const AWK: Interpreter = {
  language: 'awk',
  readsInput: false,
  find: findProgram('e', 'f', 'Fv', /^--source$/, false),
}
const SED: Interpreter = {
  language: 'sed',
  readsInput: false,
  find: findProgram('e', 'f', 'l', /^--expression$/, true),
}
const POWERSHELL: Interpreter = { language: 'powershell', readsInput: true, find: findPowerShell }

const EXACT: ReadonlyMap<string, Interpreter> = new Map<string, Interpreter>([
  ['python', PYTHON],
  ['pypy', PYTHON],
  ['py', PYTHON],
  ['ipython', IPYTHON],
  ['ipython3', IPYTHON],
  ['node', NODE],
  ['nodejs', NODE],
  ['tsx', NODE],
  ['ts-node', NODE],
  ['bun', withVerb(NODE)],
  ['deno', withVerb(NODE)],
  ['perl', interpreter('perl', { code: 'eE', attached: 'MmIFixDV', other: 'vh' })],
  ['ruby', interpreter('ruby', { code: 'e', valued: 'CEIr', attached: 'iFKTWx', other: 'vh' })],
  [
    'php',
    interpreter('php', {
      code: 'rRBE',
      valued: 'dczS',
      other: 'vhim',
      long: /^--(run|process-begin|process-code|process-end)$/,
    }),
  ],
  ['lua', interpreter('lua', { code: 'e', valued: 'l' })],
  ['luajit', interpreter('lua', { code: 'e', valued: 'l', attached: 'jO' })],
  ['Rscript', interpreter('r', { code: 'e' })],
  ['R', interpreter('r', { code: 'e', valued: 'f' })],
  ['osascript', { ...OSASCRIPT, find: findOsascript }],
  ...eachWord('groovy scala elixir swift racket ocaml ghc', OTHER),
  ...eachWord('julia guile clojure clj bb gnuplot', OTHER),
  ...eachWord('octave erl sbcl jshell tclsh', OTHER_LONG),
  ['pwsh', POWERSHELL],
  ['powershell', POWERSHELL],
  ['pwsh.exe', POWERSHELL],
  ['powershell.exe', POWERSHELL],
  ...eachWord('awk gawk mawk nawk original-awk', AWK),
  ...eachWord('sed gsed', SED),
])
