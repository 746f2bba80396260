import type { Filter } from './programs/aspects/output.ts'
import { decodeBase32, decodeBase64, decodeHex } from './words/decode.ts'

const only = (pattern: RegExp) => (args: readonly (string | undefined)[]) =>
  args.every((arg) => arg !== undefined && pattern.test(arg))
const decodes = (pattern: RegExp) => (args: readonly (string | undefined)[]) =>
  args.length > 0 && only(pattern)(args)
const known = (args: readonly (string | undefined)[]): boolean => !args.includes(undefined)

const BASE64: Filter = {
  options: decodes(/^(-[dDi]+|--decode|--ignore-garbage|-w0?|0)$/),
  change: decodeBase64,
}

export const FILTERS: ReadonlyMap<string, Filter> = new Map<string, Filter>(
  Object.entries({
    cat: { options: only(/^(-|-u|\/dev\/stdin)$/) },
    pv: { options: only(/^-/) },
    nl: { options: () => false },
    rev: { options: (args) => args.length === 0, change: byLine((line) => [...line].reverse().join('')) },
    tac: {
      options: (args) => args.length === 0,
      change: (text) => (text.match(/[^\n]*\n|[^\n]+$/g) ?? []).reverse().join(''),
    },
    base64: BASE64,
    gbase64: BASE64,
    base32: { options: decodes(/^(-[di]+|--decode|--ignore-garbage)$/), change: decodeBase32 },
    xxd: {
      options: (args) => /r/.test(args.join('')) && only(/^-(r|p|ps|rp|pr|plain|revert)$/)(args),
      change: decodeHex,
    },
    tr: { options: known, change: translated },
    head: {
      options: (args) => known(args) && /^(?:-\d+|-n ?\d+|--lines[= ]\d+)?$/.test(args.join(' ')),
      change: (text, args) => firstLines(text, args),
    },
    sed: { options: known, change: substituted },
    cut: { options: known, change: cutOut },
  } satisfies Record<string, Filter>),
)

function byLine(change: (line: string) => string): (text: string) => string {
  return (text) => text.split('\n').map(change).join('\n')
}

function firstLines(text: string, args: readonly string[]): string | undefined {
  const count = Number(args.join('').replace(/\D/g, '') || 10)
  return text.split('\n').slice(0, count).join('\n')
}

/** `tr a-z A-Z`, `tr -d x`: plain sets, ranges and the classes of letters. */
function translated(text: string, args: readonly string[]): string | undefined {
  const [flag, ...rest] = args
  if (flag === '-d' && rest.length === 1) {
    const gone = characterSet(rest[0] ?? '')
    return gone === undefined ? undefined : [...text].filter((each) => !gone.includes(each)).join('')
  }
  if (args.length !== 2 || flag?.startsWith('-') === true) return undefined
  const from = characterSet(args[0] ?? '')
  const to = characterSet(args[1] ?? '')
  if (from === undefined || to === undefined || to.length === 0) return undefined
  return [...text]
    .map((each) =>
      from.includes(each) ? (to[Math.min(from.lastIndexOf(each), to.length - 1)] ?? each) : each,
    )
    .join('')
}

const CLASSES: Readonly<Record<string, string>> = {
  upper: 'A-Z',
  lower: 'a-z',
  alpha: 'A-Za-z',
  digit: '0-9',
  alnum: 'A-Za-z0-9',
  space: ' \t\n',
  blank: ' \t',
}
const SET_MAX = 512

function characterSet(written: string): readonly string[] | undefined {
  const plain = written
    .replace(/\[:(\w+):\]/g, (all, name: string) => CLASSES[name] ?? all)
    .replace(/\\([ntr\\])/g, (_all, letter: string) => ({ n: '\n', t: '\t', r: '\r' })[letter] ?? '\\')
    .replace(/\\([0-7]{1,3})/g, (_all, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)))
  if (/^\[.*\*/.test(plain) || plain.includes('[:')) return undefined
  const set: string[] = []
  for (let at = 0; at < plain.length && set.length < SET_MAX; at += 1) {
    const first = plain.charCodeAt(at)
    const last = plain[at + 1] === '-' && at + 2 < plain.length ? plain.charCodeAt(at + 2) : first
    for (let code = first; code <= last && set.length < SET_MAX; code += 1)
      set.push(String.fromCharCode(code))
    if (last !== first || plain[at + 1] === '-') at += at + 2 < plain.length ? 2 : 0
  }
  return set
}

/** `s/a/b/` and `s/a/b/g` of plain text. */
function substituted(text: string, args: readonly string[]): string | undefined {
  const [, , from, to, flags] =
    /^s([/|#,])([^\\[\].*^$+?(){}|/#,]*)\1([^\\&/|#,]*)\1(g?)$/.exec(
      args.length === 1 ? (args[0] ?? '') : '',
    ) ?? []
  if (from === undefined || to === undefined || from === '') return undefined
  return byLine((line) => (flags === 'g' ? line.replaceAll(from, () => to) : line.replace(from, () => to)))(
    text,
  )
}

/** `cut -c2-5`, `cut -d: -f2` */
function cutOut(text: string, args: readonly string[]): string | undefined {
  const joined = args.join(' ').replace(/-([cdf]) /g, '-$1')
  const [, first, dash, last] = /^-c(\d+)(-?)(\d*)$/.exec(joined) ?? []
  if (first !== undefined) {
    const end = dash === '' ? Number(first) : last === '' ? undefined : Number(last)
    return byLine((line) => line.slice(Number(first) - 1, end))(text)
  }
  const [, mark, field] = /^-d(.) ?-f(\d+)$/.exec(joined) ?? []
  return mark === undefined
    ? undefined
    : byLine((line) => (line.includes(mark) ? (line.split(mark)[Number(field) - 1] ?? '') : line))(text)
}
