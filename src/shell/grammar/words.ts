import { parse as parseBash, type Word, type WordPart } from 'unbash'
import { expandBraces } from './braces.ts'
import { nestedScript } from './commands.ts'
import { arithmetic } from './expressions.ts'
import { HIDES, mustBePlain, noteHidden } from './hidden.ts'
import { deeper, type ParseState, refuseText } from './parse-state.ts'
import type { PartTree, WordTree } from './tree.ts'
import { refuseFlags, refuseQualifiers, refuseSplitting } from './zsh.ts'

export const WORDS_MAX = 4_096

export function textWord(text: string): WordTree {
  return { source: text, parts: [{ kind: 'text', text, quoted: true }] }
}

export function word(node: Word, job: ParseState): WordTree {
  job.count.words += 1
  if (job.count.words > WORDS_MAX) refuseText(job, `it has more than ${WORDS_MAX} words`)
  if (job.count.why !== undefined) return textWord('')
  const source = node.text
  const parts = node.parts
  noteHidden(node, job)
  if (parts === undefined) {
    refuseSplitting(source, job)
    return { source, parts: bareText(source, node.value) }
  }
  const converted = parts.flatMap((each) => part(each, false, job))
  if (!parts.some((each) => each.type === 'BraceExpansion')) return { source, parts: converted }
  const texts = expandBraces(source)
  if (texts === undefined) {
    const nested = [{ source, parts: converted }]
    return { source, parts: [{ kind: 'unknown', source, quoted: false, nested }] }
  }
  return { source, parts: converted, alternatives: texts.map((text) => reparsedWord(text, job)) }
}

/** One of the words that braces made. Its commands were counted in the original. */
export function reparsedWord(text: string, job: ParseState): WordTree {
  const statement = parseBash(`: ${text}`).commands[0]?.command
  const only = statement?.type === 'Command' ? statement.suffix : []
  const first = only[0]
  if (only.length === 0) return textWord('')
  if (only.length > 1 || first?.type !== 'Word') {
    return { source: text, parts: [{ kind: 'unknown', source: text, quoted: false, nested: [] }] }
  }
  const inner = deeper(job)
  if (inner === undefined) return textWord('')
  return {
    source: text,
    parts: (first.parts ?? []).length === 0 ? bareText(first.text, first.value) : braceless(first, inner),
  }
}

function braceless(node: Word, job: ParseState): readonly PartTree[] {
  job.count.words += 1
  return (node.parts ?? []).flatMap((each) => part(each, false, job))
}

/** An unquoted word; an escape at its beginning takes the meaning from a tilde. */
function bareText(source: string, value: string): readonly PartTree[] {
  return value === '' ? [] : [{ kind: 'text', text: value, quoted: source.startsWith('\\') }]
}

export function part(node: WordPart, quoted: boolean, job: ParseState): readonly PartTree[] {
  switch (node.type) {
    case 'Literal':
      refuseSplitting(node.text, job)
      return [{ kind: 'text', text: node.value, quoted: quoted || node.text.startsWith('\\') }]
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return [{ kind: 'text', text: node.value, quoted: true }]
    case 'DoubleQuoted':
    case 'LocaleString':
      // An empty quotation still makes a word.
      return [
        { kind: 'text', text: '', quoted: true },
        ...node.parts.flatMap((each) => part(each, true, job)),
      ]
    case 'Glob':
    case 'ExtendedGlob': {
      refuseQualifiers(node.text, job)
      const nested = (node.parts ?? []).flatMap((each) => part(each, false, job))
      return [{ kind: 'glob', text: node.text, nested: [{ source: node.text, parts: nested }] }]
    }
    case 'BraceExpansion':
      return [
        {
          kind: 'unknown',
          source: node.text,
          quoted: false,
          nested: [
            { source: node.text, parts: (node.parts ?? []).flatMap((each) => part(each, quoted, job)) },
          ],
        },
      ]
    case 'SimpleExpansion':
      return [variable(node.text, node.text.slice(1), quoted)]
    case 'ParameterExpansion':
      refuseFlags(node.text, job)
      refuseSplitting(node.text, job)
      return [parameter(node, quoted, job)]
    case 'CommandExpansion':
      // The library reads `${ command` up to the end of the text; bash refuses it.
      if (node.text.startsWith('${') && !node.text.endsWith('}')) refuseText(job, 'a `${` is not closed')
      return [{ kind: 'commands', how: '$(…)', source: node.text, quoted, body: nestedScript(node, job) }]
    case 'ProcessSubstitution':
      return [
        {
          kind: 'commands',
          how: node.operator === '<' ? '<(…)' : '>(…)',
          source: node.text,
          quoted,
          body: nestedScript(node, job),
        },
      ]
    case 'ArithmeticExpansion':
      return [{ kind: 'unknown', source: node.text, quoted, nested: arithmetic(node.expression, job) }]
  }
}

function variable(source: string, name: string, quoted: boolean): PartTree {
  const none = { prefix: undefined, index: undefined, operator: undefined, operands: [] }
  return { kind: 'variable', source, name, quoted, ...none }
}

function parameter(
  node: Extract<WordPart, { type: 'ParameterExpansion' }>,
  quoted: boolean,
  job: ParseState,
): PartTree {
  const { operation } = node
  mustBePlain(node.index?.text, job)
  if (node.index !== undefined || node.prefix === '!') job.count.evaluates = true
  if (operation?.type === 'Slice') {
    job.count.evaluates = true
    mustBePlain(operation.offset.text, job)
    mustBePlain(operation.length?.text, job)
  }
  const index = node.index === undefined ? undefined : word(node.index, job)
  const base = {
    kind: 'variable',
    source: node.text,
    name: node.parameter,
    quoted,
    prefix: node.prefix,
    index,
  } as const
  if (operation === undefined) {
    // `${#$(ls)}`: the length, in zsh, of what a command prints.
    const index = node.index?.text ?? ''
    const within = /[$`]/.test(node.text.slice(2, -1).replace(index, '')) ? nestedIn(node.text, job) : []
    if (within.length === 0) return { ...base, operator: undefined, operands: [] }
    return { ...base, prefix: undefined, operator: '?other', operands: within }
  }
  switch (operation.type) {
    case 'Default':
      return { ...base, operator: operation.operator, operands: [word(operation.operand, job)] }
    case 'Replace':
      return {
        ...base,
        operator: operation.operator,
        operands: [operation.pattern, operation.replacement].map((each) => word(each, job)),
      }
    case 'Slice': {
      const bounds =
        operation.length === undefined ? [operation.offset] : [operation.offset, operation.length]
      return { ...base, operator: operation.operator, operands: bounds.map((each) => word(each, job)) }
    }
    case 'Remove':
    case 'Transform':
    case 'CaseModification': {
      const operands = operation.operand === undefined ? [] : [word(operation.operand, job)]
      // `${x@P}` runs the commands that stand in the value.
      if (operation.operator === '@' && operation.operand?.text === 'P' && !/^PS[0-4]$/.test(node.parameter))
        refuseText(job, HIDES)
      return { ...base, operator: operation.operator, operands }
    }
    default:
      return { ...base, operator: '?other', operands: nestedIn(node.text, job) }
  }
}

/** `${(f)$(ls)}`, `${$(ls)}`, `${#$(ls)}`: bash refuses it, and zsh runs what is in it. */
function nestedIn(source: string, job: ParseState): readonly WordTree[] {
  const inner = source.slice(2, -1).replace(/^(?:\([^)]*\)|[=~^:#+-])*/, '')
  if (!/[$`]/.test(inner)) return []
  const whole = reparsedWord(inner, job)
  if (whole.parts.some(({ kind }) => kind === 'commands' || kind === 'variable')) return [whole]
  // What bash cannot read as a word: the commands in it stand for it.
  return [whole, ...substitutionsIn(inner).map((text) => reparsedWord(text, job))]
}

/** Every outermost `$(…)` in a text. */
function substitutionsIn(text: string): readonly string[] {
  const found: string[] = []
  let open = 0
  let start = -1
  for (let at = 0; at < text.length; at += 1) {
    if (start < 0 && text.startsWith('$(', at)) start = at
    if (start < 0) continue
    if (text[at] === '(') open += 1
    if (text[at] !== ')') continue
    open -= 1
    if (open > 0) continue
    found.push(text.slice(start, at + 1))
    start = -1
    open = 0
  }
  return start < 0 ? found : [...found, `${text.slice(start)}${')'.repeat(open)}`]
}
