import { eachText } from './filters.ts'
import { concatForms, exactText, type Form, joinWords, type Word } from './words.ts'

/** What `echo` and `printf` print. */

export function echoed(args: readonly Word[]): readonly Form[] | undefined {
  const options = args.findIndex((word) => !/^-[neE]+$/.test(exactText(word) ?? ''))
  const rest = options < 0 ? [] : args.slice(options)
  const flags = (options < 0 ? args : args.slice(0, options)).map((word) => exactText(word) ?? '').join('')
  const end: Form = flags.includes('n') ? [] : textForm('\n')
  const forms = joinWords(rest)?.map((form) => concatForms(form, end))
  if (!flags.includes('e')) return forms
  return forms?.map((form) =>
    form.map((piece) => (piece.kind === 'text' ? { ...piece, text: unescaped(piece.text) } : piece)),
  )
}

const PRINTF_MAX = 256

export function formatted(args: readonly Word[]): readonly Form[] | undefined {
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
            : [textForm(unescaped(part, 'plain'))]
      if (next === undefined || forms.length * next.length > 32) return undefined
      forms = forms.flatMap((form) => next.map((tail) => concatForms(form, tail)))
    }
    if (used === before) break
    if (used > PRINTF_MAX) return undefined
  } while (used < values.length)
  return forms
}

function conversion(specifier: string, word: Word | undefined): readonly Form[] | undefined {
  if (word === undefined) return [[]]
  if (specifier === '%s' || specifier === '%d') return word.forms
  if (specifier === '%b') return eachText(word.forms, (text) => unescaped(text))
  if (specifier === '%c') return eachText(word.forms, (text) => text.slice(0, 1))
  const [, zero, width, kind] = /^%(0?)(\d*)([doxX])$/.exec(specifier) ?? []
  if (kind !== undefined)
    return eachText(word.forms, (text) => numbered(text, kind, Number(width), zero ?? ''))
  return undefined
}

function numbered(text: string, kind: string, width: number, zero: string): string | undefined {
  const value = /^'./.test(text)
    ? text.charCodeAt(1)
    : /^(0x[\da-f]+|\d+)$/i.test(text)
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
}

/** `echo -e` and `%b` write octal as `\0NNN`, a printf format as `\NNN`. */
function unescaped(text: string, octal: 'zero' | 'plain' = 'zero'): string {
  const codes = octal === 'zero' ? ZERO_OCTAL : PLAIN_OCTAL
  return text.replace(codes, (_all, code: string) => {
    if (/^[xu]./.test(code)) return String.fromCharCode(Number.parseInt(code.slice(1), 16))
    if (/^[0-7]/.test(code)) return String.fromCharCode(Number.parseInt(code, 8))
    return ESCAPES[code] ?? code
  })
}

const ZERO_OCTAL = /\\(x[0-9a-fA-F]{1,2}|0[0-7]{1,3}|[0-7]{1,3}|u[0-9a-fA-F]{1,4}|.)/gs
const PLAIN_OCTAL = /\\(x[0-9a-fA-F]{1,2}|[0-7]{1,3}|u[0-9a-fA-F]{1,4}|.)/gs

export function textForm(text: string): Form {
  return text === '' ? [] : [{ kind: 'text', text }]
}
