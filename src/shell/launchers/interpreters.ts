import { eachWord } from '../../core/word-list.ts'
import {
  findProgram,
  type Interpreter,
  type InterpreterArguments,
  interpreter,
} from '../programs/aspects/interpreter.ts'
import { decodeUtf16 } from '../words/decode.ts'
import { isStandardInput } from '../words/standard-input.ts'
import { concatForms, exactForm, exactText, joinWords, textPiece, type Word } from '../words/words.ts'

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

export const EXACT: ReadonlyMap<string, Interpreter> = new Map<string, Interpreter>([
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
