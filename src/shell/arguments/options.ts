import { wordList } from '../../core/word-list.ts'
import { exactForm, type Form, type Word } from '../words/words.ts'

/**
 * Reads arguments the way getopt does: bundles (`-rfv`), attached values, `--name=value`, unique prefixes of long
 * names (`--forc`), `--`. What may be an option but is not known before it runs is reported as doubtful.
 */
interface OptionTable {
  readonly byName: ReadonlyMap<string, Known>
  readonly longNames: readonly string[]
}

interface Known {
  /** The last of the names given for it. */
  readonly name: string
  readonly value: 'none' | 'required' | 'attached'
}

export interface ReadOptions {
  readonly options: readonly Option[]
  readonly operands: readonly Word[]
  /** Where the first operand stands among the arguments. */
  readonly operandsAt: number
  /** Words that may turn out to be options. */
  readonly doubtful: readonly Word[]
}

export interface Option {
  readonly name: string
  readonly value?: Word
  /** Listed in the table; an unlisted one may take a value we do not know of. */
  readonly listed: boolean
}

/** A table as it is written: `f|force u|user= color=?`; `=` takes a value, `=?` only an attached one. */
export type OptionText = string

/** Read when it is first asked: there are hundreds, and a process that judges one command needs two or three. */
function optionTable(text: OptionText): OptionTable {
  const known = TABLES.get(text)
  if (known !== undefined) return known
  const table = readTable(wordList(text))
  TABLES.set(text, table)
  return table
}

const TABLES = new Map<OptionText, OptionTable>()

/** Does the table list the option? */
export function lists(text: OptionText, name: string): boolean {
  return optionTable(text).byName.has(name)
}

function readTable(entries: readonly string[]): OptionTable {
  const byName = new Map<string, Known>()
  for (const entry of entries) {
    const [, names = '', marker] = /^(.*?)(=\??)?$/.exec(entry) ?? []
    const value = marker === '=' ? 'required' : marker === '=?' ? 'attached' : 'none'
    const all = names.split('|')
    for (const each of all) byName.set(each, { name: all.at(-1) ?? each, value })
  }
  return { byName, longNames: [...byName.keys()].filter((name) => name.length > 1) }
}

export function readOptions(
  args: readonly Word[],
  text: OptionText,
  how: { readonly stopAtOperand?: boolean } = {},
): ReadOptions {
  const table = optionTable(text)
  const options: Option[] = []
  const operands: Word[] = []
  const doubtful: Word[] = []
  let operandsAt = -1
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at]
    if (word === undefined) break
    if (word.forms.every((form) => exactForm(form) === '--')) {
      operands.push(...args.slice(at + 1))
      if (operandsAt < 0) operandsAt = at + 1
      break
    }
    const dashed = word.forms.filter(isOptionLike)
    if (word.splits || word.forms.some(mayBecomeOption)) doubtful.push(word)
    let takesNext = false
    for (const form of dashed) {
      const read = readForm(form, word.source, table)
      const last = read.at(-1)
      takesNext = last !== undefined && last.value === undefined && needsValue(last.name, table)
      options.push(...read.slice(0, takesNext ? -1 : undefined))
      const next = args[at + 1]
      if (takesNext && last !== undefined)
        options.push({ ...last, ...(next === undefined ? {} : { value: next }) })
    }
    if (dashed.length < word.forms.length) {
      const plain = word.forms.filter((form) => !isOptionLike(form))
      operands.push({ ...word, forms: plain })
      if (operandsAt < 0) operandsAt = at
      if (how.stopAtOperand === true) {
        operands.push(...args.slice(at + 1))
        break
      }
    } else if (takesNext) at += 1
  }
  return { options, operands, operandsAt: operandsAt < 0 ? args.length : operandsAt, doubtful }
}

/** Given, and not taken back by a later `--no-…`. */
export function isSet(read: ReadOptions, name: string): boolean {
  const last = read.options.findLast((option) => option.name === name || option.name === `no-${name}`)
  return last?.name === name
}

export function valuesOf(read: ReadOptions, ...names: readonly string[]): readonly Word[] {
  return read.options.flatMap((option) => {
    return names.includes(option.name) && option.value !== undefined ? [option.value] : []
  })
}

/** `$X`, `"-$X"`. */
function mayBecomeOption(form: Form): boolean {
  const [first] = form
  return first?.kind === 'unknown' || (form.length > 1 && /^--?$/.test(first?.text ?? ''))
}

function isOptionLike(form: Form): boolean {
  const [first] = form
  return first?.kind === 'text' && first.text.startsWith('-') && exactForm(form) !== '-'
}

function needsValue(name: string, table: OptionTable): boolean {
  return table.byName.get(name)?.value === 'required'
}

function readForm(form: Form, source: string, table: OptionTable): readonly Option[] {
  const [head, ...rest] = form
  const text = head?.text ?? ''
  return text.startsWith('--') ? readLong(text, rest, source, table) : readBundle(text, rest, source, table)
}

function readLong(text: string, rest: Form, source: string, table: OptionTable): readonly Option[] {
  const equals = text.indexOf('=')
  const written = equals < 0 ? text.slice(2) : text.slice(2, equals)
  const known = findLong(written, table)
  const name = known?.name ?? written
  const listed = known !== undefined
  if (equals < 0) return [{ name, listed }]
  return [{ name, listed, value: valueWord(text.slice(equals + 1), rest, source) }]
}

function findLong(written: string, table: OptionTable): Known | undefined {
  // `--h` is no letter: it is the beginning of a name.
  const exact = written.length > 1 ? table.byName.get(written) : undefined
  if (exact !== undefined) return exact
  if (written.startsWith('no-')) {
    const positive = table.byName.get(written.slice(3))
    if (positive !== undefined) return { name: `no-${positive.name}`, value: 'none' }
  }
  const candidates = table.longNames.filter((name) => name.startsWith(written))
  const meanings = new Set(candidates.map((name) => table.byName.get(name)?.name))
  const [only] = candidates
  return written !== '' && meanings.size === 1 && only !== undefined ? table.byName.get(only) : undefined
}

function readBundle(text: string, rest: Form, source: string, table: OptionTable): readonly Option[] {
  const options: Option[] = []
  for (let at = 1; at < text.length; at += 1) {
    const letter = text[at] ?? ''
    const known = table.byName.get(letter)
    const name = known?.name ?? letter
    const attached = text.slice(at + 1)
    const takesValue = known !== undefined && known.value !== 'none'
    if (takesValue && (attached !== '' || rest.length > 0)) {
      return [...options, { name, listed: true, value: valueWord(attached, rest, source) }]
    }
    options.push({ name, listed: known !== undefined })
  }
  return options
}

function valueWord(text: string, rest: Form, source: string): Word {
  const form: Form = text === '' ? rest : [{ kind: 'text', text }, ...rest]
  return { source, forms: [form], splits: false }
}
