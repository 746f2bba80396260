import { foundPaths, readFind } from './find.ts'
import { type OptionTable, optionTable, type ReadOptions, readOptions, valuesOf } from './options.ts'
import { resolvePath } from './paths.ts'
import {
  concatForms,
  exactForm,
  exactText,
  type Form,
  joinWords,
  type Piece,
  unknownWord,
  type Word,
} from './words.ts'
import { WRAPPERS, type Wrapper } from './wrappers.ts'

/** The commands that a command runs on behalf of whoever wrote it. */
export interface Unwrapped {
  /** How many arguments are the wrapper's own. */
  readonly own: number
  readonly inner: readonly Inner[]
}

export interface Inner {
  readonly via: string
  /** The command as words, or as text for a shell. */
  readonly words?: readonly Word[]
  readonly code?: readonly Form[]
  /** Set when it runs somewhere else; `cwd: undefined` inside means it is not known where. */
  readonly moved?: { readonly cwd: string | undefined }
  readonly sameShell: boolean
}

export interface Place {
  readonly cwd: string | undefined
  readonly home: string
  /** What stands on standard input, where that is known. */
  readonly input: readonly Form[] | undefined
}

/** Undefined when the program is no wrapper. */
export function unwrap(name: string, args: readonly Word[], place: Place): Unwrapped | undefined {
  if (name === 'find') return unwrapFind(args)
  if (name === 'xargs') return unwrapXargs(args, place)
  const wrapper = WRAPPERS.get(name)
  return wrapper === undefined ? undefined : unwrapWith(name, wrapper, args, place)
}

function unwrapWith(name: string, wrapper: Wrapper, args: readonly Word[], place: Place): Unwrapped {
  const read = readOptions(args, wrapper.options, { stopAtOperand: true })
  if (wrapper.inert?.some((option) => read.options.some((given) => given.name === option)) === true) {
    return { own: args.length, inner: [] }
  }
  const start = startOfCommand(args, read.operandsAt, wrapper)
  const where = placed(wrapper, read, place)
  const common = { via: name, sameShell: wrapper.sameShell === true, ...where }
  const code = wrapper.code === undefined ? undefined : valuesOf(read, wrapper.code)[0]
  if (code !== undefined) {
    const forms = joinWords([code, ...args.slice(start)])
    return { own: start, inner: [{ ...common, code: forms ?? unknownWord(name).forms }] }
  }
  const words = args.slice(start)
  if (words.length === 0) return { own: args.length, inner: [] }
  if (wrapper.joins === true) {
    return { own: start, inner: [{ ...common, code: joinWords(words) ?? unknownWord(name).forms }] }
  }
  if (wrapper.code === 'command' && exactText(words[0]) === '-c') {
    return { own: start, inner: [{ ...common, code: words[1]?.forms ?? [] }] }
  }
  // An option we do not know may take the next word: then the command begins one later. Both are looked at.
  const doubt = read.options.some((option) => !option.listed && !/^\d$/.test(option.name)) && words.length > 1
  const inner = doubt ? [words, words.slice(1)] : [words]
  return { own: start, inner: inner.map((each) => ({ ...common, words: each })) }
}

function startOfCommand(args: readonly Word[], operandsAt: number, wrapper: Wrapper): number {
  let start = operandsAt + (wrapper.operands ?? 0)
  if (wrapper.assignments !== true) return start
  const passed = (word: Word | undefined): boolean => {
    const [first] = word?.forms[0] ?? []
    return first?.kind === 'text' && (first.text === '-' || /^[A-Za-z_]\w*=/.test(first.text))
  }
  while (passed(args[start])) start += 1
  return start
}

function placed(wrapper: Wrapper, read: ReadOptions, place: Place): { moved?: { cwd: string | undefined } } {
  const folder = wrapper.folder === undefined ? undefined : valuesOf(read, wrapper.folder).at(-1)
  if (folder === undefined) return {}
  const text = exactText(folder)
  return { moved: { cwd: text === undefined ? undefined : resolvePath(text, place) } }
}

function unwrapFind(args: readonly Word[]): Unwrapped {
  const call = readFind(args)
  const found = foundPaths(call)
  const inner = call.actions
    .filter((action) => action.words.length > 0)
    .map((action) => ({
      via: `find ${action.name}`,
      words: action.words.map((word) => replaced(word, '{}', found)),
      sameShell: false,
      // -execdir runs in the folder of what was found.
      ...(action.name.endsWith('dir') ? { moved: { cwd: undefined } } : {}),
    }))
  return { own: args.length, inner }
}

const XARGS: OptionTable = optionTable(
  ...[
    '0|null',
    'a|arg-file=',
    'd|delimiter=',
    'E=',
    'e|eof=?',
    'I=',
    'i|replace=?',
    'J=',
    'L=',
    'l|max-lines=?',
  ],
  ...[
    'n|max-args=',
    'o|open-tty',
    'P|max-procs=',
    'p|interactive',
    'process-slot-var=',
    'R=',
    'r|no-run-if-empty',
  ],
  ...['S=', 's|max-chars=', 't|verbose', 'x|exit', 'show-limits', 'help', 'version'],
)

function unwrapXargs(args: readonly Word[], place: Place): Unwrapped {
  const read = readOptions(args, XARGS, { stopAtOperand: true })
  const words = args.slice(read.operandsAt)
  if (words.length === 0) return { own: args.length, inner: [] }
  const given = itemsOf(valuesOf(read, 'arg-file').length > 0 ? undefined : place.input)
  const marker = markerOf(read)
  const inner =
    marker === undefined
      ? [...words, ...given]
      : words.map((word) => replaced(word, marker, given.length === 1 ? given[0] : merged(given)))
  return { own: read.operandsAt, inner: [{ via: 'xargs', words: inner, sameShell: false }] }
}

/** What xargs reads, as words: each line or blank-separated text. */
function itemsOf(input: readonly Form[] | undefined): readonly Word[] {
  const [only] = input ?? []
  const text = only === undefined || input === undefined || input.length > 1 ? undefined : exactForm(only)
  if (text !== undefined) {
    return text
      .split(/[\s\0]+/)
      .filter((item) => item !== '')
      .map((item) => ({
        source: item,
        forms: [[{ kind: 'text', text: item.replace(/["'\\]/g, '') }]],
        splits: false,
      }))
  }
  return input === undefined
    ? [unknownWord('standard input')]
    : [{ source: 'standard input', forms: input, splits: true }]
}

function merged(words: readonly Word[]): Word {
  return { source: 'standard input', forms: words.flatMap((word) => word.forms), splits: false }
}

function markerOf(read: ReadOptions): string | undefined {
  const given = read.options.find((option) => ['I', 'J', 'replace'].includes(option.name))
  return given === undefined ? undefined : (exactText(given.value) ?? '{}')
}

/** The word with every `marker` in it replaced by what it stands for. */
function replaced(word: Word, marker: string, by: Word | undefined): Word {
  if (by === undefined || !word.forms.some((form) => form.some((piece) => piece.text.includes(marker))))
    return word
  const forms = word.forms.flatMap((form) =>
    by.forms.map((value) => concatForms(...form.map((piece) => withMarker(piece, marker, value)))),
  )
  return forms.length > 64 ? unknownWord(word.source) : { source: word.source, forms, splits: by.splits }
}

function withMarker(piece: Piece, marker: string, value: Form): Form {
  if (piece.kind !== 'text') return [piece]
  const parts = piece.text.split(marker)
  return concatForms(
    ...parts.flatMap((text, index) => (index === 0 ? [[{ ...piece, text }]] : [value, [{ ...piece, text }]])),
  )
}
