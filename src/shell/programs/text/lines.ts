import { isSet, readOptions, valuesOf } from '../../arguments/options.ts'
import { isFileOperand } from '../../words/standard-input.ts'
import { exactText } from '../../words/words.ts'
import { codeInOptions } from '../aspects/code-options.ts'
import { writes, writing } from '../files/writing.ts'
import { patchFile } from '../git/git.ts'
import type { ProgramTable } from '../program.ts'
import { anyLines, byCount, plainText } from './line-choice.ts'

const SORT = `
  o|output= k|key= t|field-separator= S|buffer-size= T|temporary-directory= parallel= compress-program=
  batch-size= files0-from= random-source= sort= u|unique n r
`
const UNIQ = 'f|skip-fields= s|skip-chars= w|check-chars= group=? c d u i z'
const PATCH = `
  p|strip= i|input= d|directory= o|output= F|fuzz= B|prefix= Y|basename-prefix= D= r= z|suffix= V= dry-run
  R|reverse N|forward s|silent f|force t|batch E b help
`
const YQ = 'i|inplace a o|output-format= p|input-format= P'
const read = { operands: 'read' } as const
const isKnown = (args: readonly (string | undefined)[]): boolean => !args.includes(undefined)
const alone = (args: readonly (string | undefined)[]): boolean => args.length === 0

/** Programs that read text and print it, changed or in part. */
export const LINE_PROGRAMS: ProgramTable = {
  cat: {
    files: { operands: 'read', showsKeys: true },
    filters: { options: (args) => args.every((arg) => /^(-|-u|\/dev\/stdin)$/.test(arg ?? '')) },
    passesOn: true,
    copiesOut: (args) => args.length > 0 && args.every(isFileOperand),
  },
  head: {
    files: read,
    filters: {
      options: (args) => isKnown(args) && /^(?:-\d+|-n ?\d+|--lines[= ]\d+)?$/.test(args.join(' ')),
      change: (lines, args) =>
        lines
          .split('\n')
          .slice(0, Number(args.join('').replace(/\D/g, '') || 10))
          .join('\n'),
    },
    choosesLines: anyLines,
    passesOn: true,
  },
  tail: { files: read, choosesLines: { ...anyLines, ofInput: true }, passesOn: true },
  sort: {
    does: ({ command: { args, cwd } }) =>
      valuesOf(readOptions(args, SORT), 'output').flatMap((word) => writes(word, cwd)),
    starts: codeInOptions(SORT, 'compress-program'),
    files: { operands: 'read', showsKeys: true },
    choosesLines: anyLines,
    passesOn: true,
  },
  uniq: {
    does: ({ command: { args, cwd } }) =>
      readOptions(args, UNIQ)
        .operands.slice(1, 2)
        .flatMap((word) => writes(word, cwd)),
    files: read,
    choosesLines: anyLines,
    passesOn: true,
  },
  tac: {
    files: read,
    filters: {
      options: alone,
      change: (lines) => (lines.match(/[^\n]*\n|[^\n]+$/g) ?? []).reverse().join(''),
    },
    choosesLines: { ofListing: byCount },
    passesOn: true,
  },
  rev: {
    files: read,
    filters: { options: alone, change: eachLine((line) => [...line].reverse().join('')) },
    passesOn: true,
  },
  nl: { files: read, filters: { options: () => false }, passesOn: true },
  tr: {
    files: { patternFirst: true },
    filters: { options: isKnown, change: translated },
    passesOn: true,
    copiesOut: (args) => /^-[ds]+$/.test(plainText(args[0])),
  },
  cut: {
    files: {
      operands: 'read',
      // `cut -d= -f1`: only the names of settings.
      onlyAsks: (words) =>
        /(?:^| )-d ?["']?=/.test(words.join(' ')) && /(?:^| )-f ?1(?: |$)/.test(words.join(' ')),
    },
    filters: { options: isKnown, change: cutOut },
    passesOn: true,
  },
  pv: { filters: { options: (args) => args.every((arg) => /^-/.test(arg ?? '')) } },
  'fold fmt column paste iconv od hexdump strings': { files: read, passesOn: true },
  jq: { files: { patternFirst: true }, passesOn: true },
  yq: {
    does: ({ command: { args, cwd } }) => {
      const given = readOptions(args, YQ)
      if (!isSet(given, 'inplace')) return []
      const verbed = /^(e|eval|ea|eval-all|w|write)$/.test(exactText(given.operands[0]) ?? '')
      return given.operands.slice(verbed ? 2 : 1).flatMap((word) => writes(word, cwd))
    },
    files: { patternFirst: true },
    passesOn: true,
  },
  diff: {
    files: {
      operands: 'read',
      onlyAsks: (words) => words.some((word) => /^-[a-zA-Z]{0,8}q|^--brief$/.test(word)),
    },
  },
  cmp: {
    files: {
      operands: 'read',
      onlyAsks: (words) => words.some((word) => /^(?:-s|--quiet|--silent)$/.test(word)),
    },
  },
  patch: {
    does: ({ command: { args, cwd } }) => {
      const given = readOptions(args, PATCH)
      if (isSet(given, 'dry-run') || isSet(given, 'help')) return []
      const output = valuesOf(given, 'output')
      return (output.length > 0 ? output : given.operands.slice(0, 1)).flatMap((word) => writes(word, cwd))
    },
    // What the file says is what is changed.
    readsText: (args) => args.map(patchFile),
  },
  dos2unix: { does: writing('i a o|output-format= p|input-format= P') },
}

export function eachLine(change: (line: string) => string): (lines: string) => string {
  return (lines) => lines.split('\n').map(change).join('\n')
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

/** `cut -c2-5`, `cut -d: -f2` */
function cutOut(text: string, args: readonly string[]): string | undefined {
  const joined = args.join(' ').replace(/-([cdf]) /g, '-$1')
  const [, first, dash, last] = /^-c(\d+)(-?)(\d*)$/.exec(joined) ?? []
  if (first !== undefined) {
    const end = dash === '' ? Number(first) : last === '' ? undefined : Number(last)
    return eachLine((line) => line.slice(Number(first) - 1, end))(text)
  }
  const [, mark, field] = /^-d(.) ?-f(\d+)$/.exec(joined) ?? []
  return mark === undefined
    ? undefined
    : eachLine((line) => (line.includes(mark) ? (line.split(mark)[Number(field) - 1] ?? '') : line))(text)
}
