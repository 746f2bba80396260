import { lookup } from '../../expand/scope.ts'
import { setVariable, unknownVariable } from '../../expand/state.ts'
import { assignEntry } from '../../expand/zsh-names.ts'
import {
  concatForms,
  eachText,
  exactForm,
  exactText,
  type Form,
  joinWords,
  textForm,
  unknownWord,
  type Word,
} from '../../words/words.ts'
import { lookedUp } from '../aspects/looked-up.ts'
import type { ProgramTable } from '../program.ts'

const words = { operands: 'none', printsWords: true } as const

/** Programs that print what they are told. */
export const ECHO: ProgramTable = {
  echo: { files: words, prints: echoed },
  printf: {
    files: words,
    prints: formatted,
    // `printf -v X format …`
    changesShell: (args, shell) => {
      const [flag, variable, ...rest] = args
      const name = exactText(flag) === '-v' ? exactText(variable) : undefined
      if (name?.includes('[') === true) assignEntry(name, formatted(rest) ?? unknownWord(name).forms, shell)
      if (name === undefined || !/^[A-Za-z_]\w*$/.test(name)) return
      const forms = formatted(rest)
      setVariable(shell, name, forms === undefined ? unknownVariable(name) : { forms })
    },
  },
  say: { files: words },
  pwd: { prints: (_args, scope) => lookup('PWD', scope) },
  'true :': { files: { operands: 'none' }, prints: () => [[]] },
  type: {
    files: { operands: 'none' },
    prints: (args, scope) =>
      /^-[pP]$/.test(exactText(args[0]) ?? '') ? lookedUp(args[1], scope) : undefined,
  },
}

function echoed(args: readonly Word[]): readonly Form[] | undefined {
  const options = args.findIndex((word) => !/^-[neE]+$/.test(exactText(word) ?? ''))
  const rest = options < 0 ? [] : args.slice(options)
  const flags = (options < 0 ? args : args.slice(0, options)).map((word) => exactText(word) ?? '').join('')
  const end: Form = flags.includes('n') ? [] : textForm('\n')
  const forms = joinWords(rest)?.map((form) => concatForms(form, end))
  if (!flags.includes('e')) return forms
  return forms?.map(unescapedForm)
}

/** With `echo -e` the text is over at a `\c`, whatever follows. */
function unescapedForm(form: Form): Form {
  const end = form.findIndex((piece) => piece.kind === 'text' && ENDS.test(piece.text))
  const upTo = end < 0 ? form : form.slice(0, end + 1)
  return upTo.map((piece) =>
    piece.kind === 'text' ? { ...piece, text: unescaped(upToEnd(piece.text), 'echo') } : piece,
  )
}

const ENDS = /^(?:[^\\]|\\[^c])*\\c/s

function upToEnd(text: string): string {
  return ENDS.exec(text)?.[0].slice(0, -2) ?? text
}

const PRINTF_MAX = 256

function formatted(args: readonly Word[]): readonly Form[] | undefined {
  const words = exactText(args[0]) === '--' ? args.slice(1) : args
  const format = exactText(words[0])
  if (format === undefined || format === '-v') return undefined
  const values = words.slice(1)
  let forms: readonly Form[] = [[]]
  let used = 0
  do {
    const before = used
    for (const part of format.split(/(%(?:%|[-0-9.]*[a-zA-Z]))/)) {
      const next =
        part === '%%'
          ? [textForm('%')]
          : part.startsWith('%')
            ? conversion(part, values[used++])
            : formatText(part)
      if (next === undefined || forms.length * next.length > 32) return undefined
      forms = forms.flatMap((form) => next.map((tail) => concatForms(form, tail)))
    }
    if (used === before) break
    if (used > PRINTF_MAX) return undefined
  } while (used < values.length)
  return forms
}

/** What `\c` means here, shells do not agree on. */
function formatText(part: string): readonly Form[] | undefined {
  return ENDS.test(part) ? undefined : [textForm(unescaped(part, 'format'))]
}

function conversion(specifier: string, word: Word | undefined): readonly Form[] | undefined {
  if (word === undefined) return [[]]
  if (specifier === '%s') return word.forms
  // A number that is known only at run time is a number all the same.
  if (specifier === '%d' && word.forms.every((form) => PLAIN_NUMBER.test(exactForm(form) ?? '1')))
    return word.forms
  if (specifier === '%b')
    return eachText(word.forms, (text) => (ENDS.test(text) ? undefined : unescaped(text, '%b')))
  if (specifier === '%c') return eachText(word.forms, (text) => text.slice(0, 1))
  const [, zero, width, kind] = /^%(0?)(\d*)([doxX])$/.exec(specifier) ?? []
  if (kind !== undefined)
    return eachText(word.forms, (text) => numbered(text, kind, Number(width), zero ?? ''))
  return undefined
}

const PLAIN_NUMBER = /^-?(?:0|[1-9]\d*)$/

function numbered(text: string, kind: string, width: number, zero: string): string | undefined {
  const value = /^'./.test(text)
    ? text.charCodeAt(1)
    : /^0[0-7]+$/.test(text)
      ? Number.parseInt(text, 8)
      : /^(0x[\da-f]+|[1-9]\d*|0)$/i.test(text)
        ? Number(text)
        : undefined
  const digits = value?.toString(kind === 'o' ? 8 : kind === 'd' ? 10 : 16)
  return (kind === 'X' ? digits?.toUpperCase() : digits)?.padStart(
    Math.min(width, 64),
    zero === '' ? ' ' : '0',
  )
}

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '',
  b: '',
  f: '',
  v: '',
  e: '\x1b',
  E: '\x1b',
  '\\': '\\',
}
const QUOTES = new Set(['"', "'", '?'])

/** Each writes octal in its own way, and only a printf format takes the backslash from a quote. */
type Kind = 'echo' | '%b' | 'format'

function unescaped(text: string, kind: Kind): string {
  return text.replace(CODES[kind], (all, code: string) => {
    if (/^[xuU]./.test(code)) return fromCode(Number.parseInt(code.slice(1), 16), all)
    if (/^[0-7]/.test(code) && (kind !== 'echo' || code.startsWith('0')))
      return String.fromCharCode(Number.parseInt(code, 8))
    return ESCAPES[code] ?? (kind === 'format' && QUOTES.has(code) ? code : all)
  })
}

function fromCode(code: number, otherwise: string): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : otherwise
}

const codes = (octal: string): RegExp =>
  new RegExp(`\\\\(x[0-9a-fA-F]{1,2}|${octal}|u[0-9a-fA-F]{1,4}|U[0-9a-fA-F]{1,8}|.)`, 'gs')
const CODES: Readonly<Record<Kind, RegExp>> = {
  echo: codes('0[0-7]{0,3}'),
  '%b': codes('0[0-7]{0,3}|[1-7][0-7]{0,2}'),
  format: codes('[0-7]{1,3}'),
}
