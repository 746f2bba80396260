import { namesMatching } from '../../words/regex-names.ts'
import { exactForm, exactText, type Form, hasUnknown, patternForm, type Word } from '../../words/words.ts'

/** A part of what `find` finds. Tests count only where they stand before the action: `-delete -name x` deletes all. */
export interface Picks {
  /** Some test keeps most of what is there out of it. */
  readonly narrowed: boolean
  /** The names it can have, where they are asked for. */
  readonly names: readonly Form[] | undefined
  /** The folder it lies in, where that is asked for: `-path './src/*'`. */
  readonly folder?: string
}

export const EVERYTHING: Picks = { narrowed: false, names: undefined }
const SOME: Picks = { narrowed: true, names: undefined }

const NAMES_MAX = 16

export function intersectPicks(left: Picks, right: Picks): Picks {
  const folder = left.folder ?? right.folder
  return {
    narrowed: left.narrowed || right.narrowed,
    names: left.names ?? right.names,
    ...(folder === undefined ? {} : { folder }),
  }
}

export function unitePicks(left: Picks | undefined, right: Picks): Picks {
  if (left === undefined) return right
  if (left.folder !== right.folder) return SOME
  const names = left.names === undefined || right.names === undefined ? [] : [...left.names, ...right.names]
  const listed = names.length > 0 && names.length <= NAMES_MAX
  return { ...left, narrowed: left.narrowed && right.narrowed, names: listed ? names : undefined }
}

/** Tests that keep most of a folder out. Who owns a file and what kind it is says little. */
const NARROWS =
  /^-(i?name|i?path|i?wholename|i?regex|i?lname|x?type|size|[amc](time|min)|a?newer\w*|perm|inum|samefile|used)$/

export function picksOf(test: string, value: Word | undefined): Picks {
  if (/^-(empty|nouser|nogroup)$/.test(test)) return SOME
  if (value === undefined || !NARROWS.test(test)) return EVERYTHING
  if (test === '-type' || test === '-xtype') {
    return /^[lsp]$/.test(exactText(value) ?? '') ? SOME : EVERYTHING
  }
  if (!/name$|path$|regex$/.test(test)) return SOME
  if (value.forms.some(matchesAll)) return EVERYTHING
  if (value.forms.some(hasUnknown) && test !== '-name') return EVERYTHING
  const folder = /^-(?:whole|path)/.test(test)
    ? /^([^*?[\]\\]+)\/\*+$/.exec(exactText(value) ?? '')?.[1]
    : undefined
  if (folder !== undefined) return { ...EVERYTHING, folder }
  const names = value.forms.flatMap((form) => namesAsked(test, form))
  return { narrowed: true, names: names.length === 0 || names.length > NAMES_MAX ? undefined : names }
}

/** What a test says of the last part of the path. */
function namesAsked(test: string, form: Form): readonly Form[] {
  const text = exactForm(form)
  if (text === undefined) return test === '-name' ? [form] : []
  if (test === '-name') return [patternForm(text)]
  const small = text.toLowerCase()
  if (test === '-iname') return [patternForm(small)]
  if (test.endsWith('regex')) return namesMatching(`^${small}$`)
  if (test.endsWith('lname')) return []
  const last = small.slice(small.lastIndexOf('/') + 1)
  return /^[*?.]*$/.test(last) ? [] : [patternForm(last)]
}

/** `*`, `*.*`, `./*`, `.*` of a regular expression: a test that everything passes. */
function matchesAll(form: Form): boolean {
  return form.every((piece) => piece.kind !== 'unknown' && /^[*.?/^$\\]*$/.test(piece.text))
}
