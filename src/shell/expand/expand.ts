import type { PartTree, WordTree } from '../grammar/tree.ts'
import {
  concatForms,
  exactForm,
  exactText,
  FORMS_MAX,
  type Form,
  type Piece,
  patternForm,
  textPiece,
  unknownWord,
  type Word,
} from '../words/words.ts'
import { isModifier, modified } from './modifiers.ts'
import { changedForm } from './parameters.ts'
import { BRACE_CHARACTERS, EXTENDED_PATTERNS, lookup, NUMBER, type VariableScope } from './scope.ts'
import {
  append,
  BREAK,
  concatenated,
  fieldsOf,
  type PartialWord,
  unknownPartialWord,
  type WordBuilder,
  wordFromForm,
  wordFromText,
  wordFromValue,
} from './word-builder.ts'

/**
 * The expansions of the shell, in its order: braces, tilde, variables and substitutions, splitting. What is not worked
 * out becomes unknown; nothing is run, and no command inside a word is looked for here (walk.ts does that).
 */

/** The words (none, one or several) that the shell makes of one word. */
export function expand(tree: WordTree, scope: VariableScope): readonly Word[] {
  scope.budget.left -= 1
  if (scope.budget.left < 0) return [unknownWord(tree.source)]
  if (tree.assignment !== undefined) return [assignmentWord(tree, scope)]
  if (tree.alternatives !== undefined) return tree.alternatives.flatMap((each) => expand(each, scope))
  return fieldsOf(tree.source, partialWordsOf(tree, scope))
}

/** The word where the shell does not split: an assigned value, the target of a redirection, a here-document. */
export function expandWhole(tree: WordTree, scope: VariableScope): Word {
  scope.budget.left -= 1
  if (scope.budget.left < 0) return unknownWord(tree.source)
  if (tree.alternatives !== undefined) {
    const each = tree.alternatives.map((one) => expandWhole(one, scope))
    return { source: tree.source, forms: each.flatMap((one) => one.forms), splits: false }
  }
  const forms = partialWordsOf(tree, scope).map((partial) => {
    return concatForms(partial.pieces.map((piece) => (piece === BREAK ? textPiece(' ') : piece)))
  })
  return { source: tree.source, forms, splits: false }
}

/** More pieces than any word a person writes; a word that grows past it is not worked out. */
const PIECES_MAX = 10_000

function partialWordsOf(tree: WordTree, scope: VariableScope): readonly PartialWord[] {
  let partials: WordBuilder[] = [{ pieces: [], keeps: false, splits: false }]
  let pieces = 0
  for (const [index, part] of tree.parts.entries()) {
    const next = index === 0 ? firstPart(part, scope) : partWords(part, scope)
    pieces += next.reduce((sum, partial) => sum + partial.pieces.length, 1) * partials.length
    if (partials.length * next.length > FORMS_MAX || pieces > PIECES_MAX)
      return [unknownPartialWord(tree.source, false)]
    const [only] = next
    // Nearly every part has one reading: it is added in place, so that a long word costs its length and no more.
    if (next.length === 1 && only !== undefined) for (const partial of partials) append(partial, only)
    else partials = partials.flatMap((left) => next.map((right) => concatenated(left, right)))
  }
  const changed = tree.parts.findIndex((part, index) => isChangedByZsh(part, tree.parts[index + 1], scope))
  if (changed < 0) return partials
  const other = modifiedTree(tree, changed, scope)
  // Its own reading may be one word or several.
  return [...partials, ...(other === undefined ? [unknownWords(tree.source)] : partialWordsOf(other, scope))]
}

/** `$f:h/x` as zsh reads it, where the value is known. */
function modifiedTree(tree: WordTree, at: number, scope: VariableScope): WordTree | undefined {
  const [part, next] = tree.parts.slice(at)
  if (part?.kind !== 'variable' || next?.kind !== 'text') return undefined
  const [form, ...others] = lookup(part.name, scope) ?? []
  const [modifiers = ''] = MODIFIERS.exec(next.text) ?? []
  const value =
    form === undefined || others.length > 0 || modifiers === ''
      ? undefined
      : modified(form, modifiers.slice(1))
  const text = value === undefined ? undefined : exactForm(value)
  if (text === undefined) return undefined
  const rest = { ...next, text: next.text.slice(modifiers.length) }
  const parts = [
    ...tree.parts.slice(0, at),
    { kind: 'text' as const, text, quoted: true },
    rest,
    ...tree.parts.slice(at + 2),
  ]
  return { source: tree.source, parts }
}

function unknownWords(source: string): PartialWord {
  const { pieces, ...word } = unknownPartialWord(source, false)
  return { ...word, pieces: [...pieces, BREAK, ...pieces] }
}

/** `~`, `~/x`, `~+` and `~user` at the beginning of a word. */
function firstPart(part: PartTree, scope: VariableScope): readonly PartialWord[] {
  if (part.kind === 'text' && !part.quoted && /^\^/.test(part.text) && scope.variables.has(EXTENDED_PATTERNS))
    return [...partWords(part, scope), wordFromForm([{ kind: 'glob', text: '*' }])]
  const tilde =
    part.kind === 'text' && !part.quoted ? /^~([+-]?\d+|[+-]|[\w.-]*)(?=\/|$)/.exec(part.text) : null
  if (part.kind !== 'text' || tilde === null) return partWords(part, scope)
  const text = part.text.slice(tilde[0].length)
  const rests = [wordFromText(text, false), ...asZshPattern(text, scope)]
  return tildeForms(tilde[1] ?? '', scope).flatMap((form) =>
    rests.map((rest) => concatenated(wordFromForm(form), rest)),
  )
}

function tildeForms(user: string, scope: VariableScope): readonly Form[] {
  if (user === '') return lookup('HOME', scope) ?? [[textPiece(scope.home)]]
  if (user === '+') return lookup('PWD', scope) ?? [[{ kind: 'unknown', text: '~+' }]]
  if (user === '-') return lookup('OLDPWD', scope) ?? [[{ kind: 'unknown', text: '~-' }]]
  // Folders of the stack: which they are, `dirs` says.
  if (/^[+-]?\d+$/.test(user)) return [[{ kind: 'unknown', text: `~${user}` }]]
  if (user === 'root') return [[textPiece('/root')]]
  // zsh: a variable names a folder too.
  const named = scope.variables.has(user) ? (lookup(user, scope) ?? []) : []
  const homes = scope.home.slice(0, scope.home.lastIndexOf('/'))
  return [[textPiece(`${homes}/${user}`)], ...named]
}

function partWords(part: PartTree, scope: VariableScope): readonly PartialWord[] {
  switch (part.kind) {
    case 'text':
      return [wordFromText(part.text, part.quoted), ...(part.quoted ? [] : asZshPattern(part.text, scope))]
    case 'glob':
      return [wordFromForm([{ kind: 'glob', text: part.text }])]
    case 'unknown':
      return [unknownPartialWord(part.source, part.quoted)]
    case 'commands': {
      const printed = part.how === '$(…)' ? scope.output(part.body, scope) : undefined
      if (printed === undefined) return [unknownPartialWord(part.source, part.quoted || part.how !== '$(…)')]
      // What a command prints is taken apart by zsh as well.
      const split = scope.keepsWords === true ? { ...scope, keepsWords: false } : scope
      return printed.map((form) => wordFromValue(withoutLastNewlines(form), part.quoted, split))
    }
    case 'variable':
      return variableWords(part, scope)
  }
}

/** `.claud#e`, `^x` and `{d-f}`, where zsh was told to take them for patterns. */
function asZshPattern(text: string, scope: VariableScope): readonly PartialWord[] {
  const mayExtend = scope.variables.has(EXTENDED_PATTERNS) && /.#|\/\^|\/.*~/.test(text)
  const mayBrace = scope.variables.has(BRACE_CHARACTERS) && /\{[^{},/\s]+\}/.test(text)
  if (!mayExtend && !mayBrace) return []
  const pattern = mayExtend ? /[^/]#+|\^[^/]*/g : /\{[^{},/\s]+\}/g
  const texts = mayBrace ? lettersOf(text) : undefined
  if (texts !== undefined) return texts.map((each) => wordFromText(each, false))
  return [wordFromForm(patternForm(text.replace(pattern, '*')))]
}

/** One text for each character in the first braces; undefined for more than a few. */
function lettersOf(text: string): readonly string[] | undefined {
  const [braces = '', inside = ''] = /\{([^{},/\s]+)\}/.exec(text) ?? []
  const letters = [
    ...inside.replace(/(.)-(.)/g, (_, from: string, to: string) => {
      const [first, last] = [from.charCodeAt(0), to.charCodeAt(0)]
      return Array.from({ length: Math.min(Math.max(last - first + 1, 0), FORMS_MAX) }, (_each, at) =>
        String.fromCharCode(first + at),
      ).join('')
    }),
  ]
  return letters.length > FORMS_MAX ? undefined : letters.map((letter) => text.replace(braces, letter))
}

type VariablePart = Extract<PartTree, { kind: 'variable' }>

function variableWords(part: VariablePart, scope: VariableScope): readonly PartialWord[] {
  if (part.prefix === '#') return [wordFromForm(NUMBER)]
  const list = listOf(part, scope)
  if (list !== undefined) {
    const own = listWord(list, part, scope)
    // bash takes the elements apart once more, and zsh does not.
    const [first = '', ...others] = list.map((word) => exactText(word) ?? '')
    const isSplit = !part.quoted && !/\s/.test(first) && others.some((text) => /\s/.test(text))
    return isSplit ? [own, listWord(list, { ...part, quoted: true }, scope)] : [own]
  }
  const words = variableForms(part, scope).map((form) => wordFromValue(form, part.quoted, scope))
  const all = zshList(part, scope)
  if (all === undefined) return words
  if (part.quoted) return [...words, wordFromForm(joinedForm(all))]
  const isKnown = all.every((word) => word.forms.length === 1 && !word.splits)
  return isKnown ? [...words, listWord(all, part, scope)] : [unknownPartialWord(part.source, false)]
}

/** `"$a"` in zsh: all elements, with blanks between. */
function joinedForm(words: readonly Word[]): Form {
  const forms = words.map((word, at) => [...(at === 0 ? [] : [textPiece(' ')]), ...(word.forms[0] ?? [])])
  return concatForms(...forms)
}

/** `$a` is the first element of an array in bash, and all of them in zsh. */
function zshList(part: VariablePart, scope: VariableScope): readonly Word[] | undefined {
  if (part.index !== undefined || part.operator !== undefined) return undefined
  const value = scope.variables.get(part.name)
  return value !== undefined && 'elements' in value && value.elements.length > 1 ? value.elements : undefined
}

/** `$x:t`, `$x:h`: what only braces do in bash. */
const MODIFIERS = /^(?::(?:[threlucaAPQ](?=$|[:/\s])|g?s([^\w\s])(?:(?!\1).)*\1(?:(?!\1).)*(?:\1|$)))+/
/** `$x[2]`, `$x[1,3]`: characters of a text. */
const CHARACTERS = /^\[-?\d+(?:,-?\d+)?\]/

/** `$a[2]`, `"$a[@]"`, `$x:t`: bash puts this behind the value, and zsh takes something out of the value. */
function isChangedByZsh(part: PartTree, next: PartTree | undefined, scope: VariableScope): boolean {
  if (part.kind !== 'variable' || part.source !== `$${part.name}`) return false
  const isText = next?.kind === 'text' && next.quoted === part.quoted
  const behind = isText || (next?.kind === 'glob' && !part.quoted) ? next.text : ''
  if (MODIFIERS.test(behind)) return lookup(part.name, scope) !== undefined
  const value = scope.variables.get(part.name)
  if (value === undefined) return false
  return 'elements' in value ? behind.startsWith('[') : CHARACTERS.test(behind)
}

/** The elements of `$@`, `$*`, `${a[@]}`. */
function listOf(part: VariablePart, scope: VariableScope): readonly Word[] | undefined {
  if (part.operator !== undefined || part.prefix !== undefined) return undefined
  if (part.name === '@' || part.name === '*') return scope.positional
  const index = part.index?.source
  const value = scope.variables.get(part.name)
  if ((index !== '@' && index !== '*') || value === undefined || !('elements' in value)) return undefined
  return value.elements
}

/** Quoted, `@` is a word for each and `*` one for all, with blanks between; unquoted, both are taken apart further. */
function listWord(words: readonly Word[], part: VariablePart, scope: VariableScope): PartialWord {
  const pieces: (Piece | typeof BREAK)[] = []
  const joined = part.quoted && (part.name === '*' || part.index?.source === '*')
  if (joined && scope.variables.has('IFS')) return unknownPartialWord(part.source, true)
  let splits = false
  for (const word of words) {
    const [form] = word.forms
    if (form === undefined || word.forms.length > 1 || word.splits)
      return unknownPartialWord(part.source, false)
    if (pieces.length > 0) pieces.push(joined ? textPiece(' ') : BREAK)
    const taken = part.quoted ? wordFromForm(form) : wordFromValue(form, false, scope)
    splits ||= taken.splits
    pieces.push(...taken.pieces)
  }
  return { pieces, keeps: joined, splits }
}

function variableForms(part: VariablePart, scope: VariableScope): readonly Form[] {
  const unknown: Form = [{ kind: 'unknown', text: part.source }]
  const values = valuesOf(part, scope)
  const { operator } = part
  if (operator === undefined || operator === '?' || operator === ':?') return values ?? [unknown]
  const [operand] = part.operands
  const other = (): readonly Form[] => (operand === undefined ? [[]] : expandWhole(operand, scope).forms)
  const isUnset = scope.variables.get(part.name)?.unset === true
  switch (operator) {
    case '-':
    case '=':
      if (values === undefined) return [unknown, ...other()]
      return isUnset ? other() : values
    case ':-':
    case ':=':
      if (values === undefined) return [unknown, ...other()]
      return values.flatMap((form) => (form.length === 0 ? other() : [form]))
    case '+':
      if (values === undefined) return [[], ...other()]
      return isUnset ? [[]] : other()
    case ':+':
      if (values === undefined) return [[], ...other()]
      return values.flatMap((form) => (form.length === 0 ? [[]] : other()))
    default: {
      const modifiers = operator === ':' ? part.operands.map((each) => each.source).join(':') : ''
      if (values !== undefined && isModifier(modifiers))
        return values.flatMap((form) => [form, modified(form, modifiers) ?? unknown])
      const operands = part.operands.map((each) => expandWhole(each, scope).forms)
      if (values === undefined || operands.some((forms) => forms.length > 1)) return [unknown]
      const given = operands.map(([form = []]) => form)
      return values.map((form) => changedForm(operator, form, given) ?? unknown)
    }
  }
}

function valuesOf(part: VariablePart, scope: VariableScope): readonly Form[] | undefined {
  if (part.prefix === '!') {
    const names = lookup(part.name, scope)?.map(exactForm)
    const [name] = names ?? []
    return names?.length === 1 && name !== undefined ? lookup(name, scope) : undefined
  }
  const value = scope.variables.get(part.name)
  if (part.index === undefined || value === undefined) return lookup(part.name, scope)
  const at = Number(part.index.source)
  if ('forms' in value) return at === 0 ? value.forms : undefined
  if (!Number.isInteger(at)) return undefined
  const own = value.elements.at(at)?.forms
  // The first element is 0 in bash, and 1 in zsh. What bash would take apart stays as bash reads it.
  const both = [...(own ?? []), ...(at > 0 ? (value.elements[at - 1]?.forms ?? []) : [])]
  return both.length > 0 && both.every((form) => /^\S+$/.test(exactForm(form) ?? '')) ? both : own
}

function assignmentWord(tree: WordTree, scope: VariableScope): Word {
  const { assignment } = tree
  if (assignment === undefined || 'elements' in assignment.value) return unknownWord(tree.source)
  const name = textPiece(`${assignment.name}${assignment.append ? '+' : ''}=`)
  const value = expandWhole(assignment.value, scope)
  return {
    source: tree.source,
    forms: value.forms.map((form) => concatForms([name, ...form])),
    splits: false,
  }
}

function withoutLastNewlines(form: Form): Form {
  const last = form.at(-1)
  if (last?.kind !== 'text') return form
  return concatForms([...form.slice(0, -1), textPiece(last.text.replace(/\n+$/, ''))])
}
