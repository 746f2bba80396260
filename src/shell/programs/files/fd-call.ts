import { FOUND, PICKED } from '../../words/found.ts'
import { namesMatching } from '../../words/regex-names.ts'
import { concatForms, exactText, type Form, patternForm, textPiece, type Word } from '../../words/words.ts'

/** A call of `fd`: what it looks for and where, and the command it runs for what it finds. */
export interface FdCall {
  readonly roots: readonly Word[]
  /** The names it finds, where its pattern says so; none where it does not. */
  readonly names: readonly Form[]
  /** A pattern was given, whether its names can be told or not. */
  readonly asks: boolean
  /** Names that begin with a dot are among them. */
  readonly hidden: boolean
  /** The command of `-x` or `-X`, and the place of the option; undefined where it only lists. */
  readonly runs: { readonly at: number; readonly words: readonly Word[] } | undefined
}

/** Short options that take the next word. */
const VALUES =
  /^(-[a-zA-Z0-9]*[dteEcjSoC]|--(max-depth|min-depth|type|extension|exclude|color|threads|size|owner|base-directory|search-path|changed-within|changed-before|max-results|ignore-file|format))$/
const EXECUTES = /^(?:-[HIusigalLp01qF]*[xX](.*)|--exec(?:-batch)?(?:=(.*))?)$/s
const HIDDEN = /^(-[a-zA-Z]*[Hu][a-zA-Z]*|--hidden|--unrestricted)$/
const GLOB = /^(-[HIusialLp01q]*g|--glob)$/
const FIXED = /^(-[HIusigalLp01q]*F|--fixed-strings)$/
const EXTENSION = /^(-[HIusigalLp01q]*e|--extension)$/

export function readFd(args: readonly Word[]): FdCall {
  const operands: Word[] = []
  const texts = args.map((word) => exactText(word))
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at]
    const text = texts[at]
    const executes = text === undefined ? null : EXECUTES.exec(text)
    if (executes !== null) {
      const end = args.findIndex((_each, index) => index > at && texts[index] === ';')
      const attached = executes[1] || executes[2]
      const first: readonly Word[] = attached
        ? [{ source: attached, forms: [[textPiece(attached)]], splits: false }]
        : []
      const words = [...first, ...args.slice(at + 1, end < 0 ? undefined : end)]
      return { ...found(operands, texts.slice(0, at)), runs: { at, words } }
    }
    if (text !== undefined && VALUES.test(text)) at += 1
    else if (word !== undefined && text?.startsWith('-') !== true) operands.push(word)
  }
  return { ...found(operands, texts), runs: undefined }
}

/** What it finds, as a word. */
export function foundByFd({ roots, names, hidden }: FdCall): Word {
  const folders = roots.length === 0 ? [[textPiece('.')]] : roots.flatMap((root) => root.forms)
  const marker = hidden || names.every((name) => name[0]?.kind === 'text') ? FOUND : PICKED
  const tails: readonly Form[] = names.length === 0 ? [[]] : names.map((name) => [textPiece('/'), ...name])
  const forms = folders.flatMap((root) =>
    tails.map((tail) => concatForms(root, [textPiece('/'), { kind: 'unknown', text: marker }], tail)),
  )
  return { source: FOUND, forms, splits: true }
}

/** What a call prints that only lists; undefined where nothing can be told of it. */
export function listedByFd(args: readonly Word[]): readonly Form[] | undefined {
  const call = readFd(args)
  if (call.runs !== undefined || (call.names.length === 0 && call.asks)) return undefined
  return foundByFd(call).forms
}

/** The names a call that only lists lets through. */
export function searchedNames(args: readonly Word[]): readonly Form[] {
  const call = readFd(args)
  return call.runs === undefined ? call.names : []
}

function found(operands: readonly Word[], texts: readonly (string | undefined)[]): Omit<FdCall, 'runs'> {
  const [pattern, ...roots] = operands
  const has = (option: RegExp) => texts.some((text) => option.test(text ?? ''))
  const endings = texts.filter((_text, at) => EXTENSION.test(texts[at - 1] ?? ''))
  const written = exactText(pattern) ?? ''
  const plain = has(FIXED) ? written.replace(/[\\*+?{}()[\]|^$.]/g, '\\$&') : written
  const asked = has(GLOB) ? (written === '' ? [] : [patternForm(written)]) : namesMatching(plain)
  const ended = endings.map((ending) => patternForm(`*.${(ending ?? '').replace(/^\./, '')}`))
  const names = asked.length > 0 ? asked : ended
  return { roots, names, asks: !/^\.?$/.test(written), hidden: has(HIDDEN) }
}
