import {
  type AndOr,
  type ArithmeticExpression,
  type Assignment,
  type CommandNode,
  type CompoundList,
  type ParsedScript,
  type PipelineNode,
  parse as parseBash,
  type Redirection,
  type Statement,
  type TestExpression,
  type Word,
  type WordPart,
} from 'unbash'
import { expandBraces } from './braces.ts'
import { SIZE_MAX, tooLong } from './gate.ts'
import type { AssignmentTree, PartTree, RedirectTree, SimpleTree, Tree, WordTree } from './tree.ts'

/**
 * The only file that knows the grammar library, which is why it is longer than its neighbours. Substitutions are parsed lazily and carry their own errors, so
 * everything is converted, at every depth, and one error anywhere makes the whole text unjudgeable.
 */
export const NESTING_MAX = 64
export const WORDS_MAX = 4_096
/** Unclosed braces cost the library quadratic time: 30,000 of them took 7 s. */
const BRACES_MAX = 2_000

export type Parsed = { readonly ok: true; readonly tree: Tree } | { readonly ok: false; readonly why: string }

export function parse(text: string): Parsed {
  const count = { words: 0, quoted: 0, hidden: false, evaluates: false, why: undefined }
  const job: Job = { source: text, fixedStart: undefined, depth: 0, count }
  if (text.split('{', BRACES_MAX + 2).length > BRACES_MAX) {
    return { ok: false, why: `it has more than ${BRACES_MAX} braces` }
  }
  let tree: Tree
  try {
    tree = script(parseBash(text), job)
  } catch {
    return { ok: false, why: 'the parser could not read it' }
  }
  const outside = text.length - job.count.quoted
  if (outside > SIZE_MAX) refuse(job, tooLong(outside))
  if (job.count.hidden && job.count.evaluates) refuse(job, HIDES)
  return job.count.why === undefined ? { ok: true, tree } : { ok: false, why: job.count.why }
}

interface Job {
  /** The text positions refer to: that of the command line, or of a back-quoted script with its own escapes. */
  readonly source: string
  /** Where a script with a text of its own stands in the command line. */
  readonly fixedStart: number | undefined
  readonly depth: number
  readonly count: {
    words: number
    /** Characters in the bodies of quoted here-documents. */
    quoted: number
    /** A text that would run a command where it is taken for the name of a variable. */
    hidden: boolean
    /** Something in it takes texts for names of variables, or for numbers. */
    evaluates: boolean
    why: string | undefined
  }
}

/**
 * Arithmetic and subscripts are expanded once more, whatever quotes stand around what is in them: `$(('$(rm x)'))` runs
 * it, and so does `let 'a[$(rm x)]'`. Nobody writes that to be understood.
 */
const HIDES = 'a quoted text in it is read as a command once more'
const QUOTED_COMMAND = /'[^']*(?:\$\(|`)/
/** Commands that take a text for the name of a variable, or for a number. */
const EVALUATORS: ReadonlySet<string> = new Set([
  ...['let', 'declare', 'typeset', 'local', 'readonly', 'export', 'read', 'mapfile', 'readarray', 'printf'],
  ...['test', '[', 'unset', 'wait', 'getopts'],
])

/** For the text of an index, a slice or a number. */
function mustBePlain(text: string | undefined, job: Job): void {
  if (text !== undefined && QUOTED_COMMAND.test(text)) refuse(job, HIDES)
}

/** Whether a command stands between `name[` and the next `]`. Character by character: the text may be long. */
function hasSubscriptCommand(text: string): boolean {
  let isOpen = false
  for (let at = text.indexOf('['); at >= 0 && at < text.length; at += 1) {
    const sign = text[at]
    if (sign === '[') isOpen ||= /\w/.test(text[at - 1] ?? '')
    else if (sign === ']') isOpen = false
    else if (isOpen && (sign === '`' || (sign === '$' && text[at + 1] === '('))) return true
  }
  return false
}

/** The text of a word as far as it is known from it alone. */
function literalText(parts: readonly WordPart[]): string {
  return parts
    .map((part) => {
      if (part.type === 'DoubleQuoted' || part.type === 'LocaleString') return literalText(part.parts)
      return part.type === 'Literal' || part.type === 'SingleQuoted' || part.type === 'AnsiCQuoted'
        ? part.value
        : '\0'
    })
    .join('')
}

const NOTHING: Tree = { kind: 'sequence', steps: [] }

function refuse(job: Job, why: string): void {
  job.count.why ??= why
}

/** One level deeper, or undefined (and refused) when that is too deep. */
function deeper(job: Job): Job | undefined {
  if (job.count.why !== undefined) return undefined
  if (job.depth < NESTING_MAX) return { ...job, depth: job.depth + 1 }
  refuse(job, `it is nested more than ${NESTING_MAX} deep`)
  return undefined
}

function script(parsed: ParsedScript | undefined, job: Job): Tree {
  if (parsed === undefined) {
    refuse(job, 'a substitution in it could not be read')
    return NOTHING
  }
  const error = parsed.errors?.[0]
  if (error !== undefined) refuse(job, `it is not valid shell: ${error.message}`)
  return statements(parsed.commands, job)
}

/** A script inside a word. Back-quotes with escapes have a decoded text of their own. */
function nestedScript(part: { script: ParsedScript | undefined; pos: number }, job: Job): Tree {
  const inner = deeper(job)
  if (inner === undefined) return NOTHING
  const own = part.script?.source
  if (own === undefined) return script(part.script, inner)
  return script(part.script, { ...inner, source: own, fixedStart: job.fixedStart ?? part.pos })
}

function list(node: CompoundList, job: Job): Tree {
  const inner = deeper(job)
  return inner === undefined ? NOTHING : statements(node.commands, inner)
}

function statements(nodes: readonly Statement[], job: Job): Tree {
  const steps = nodes.map((node): Tree => {
    const body = andOr(node.command, job)
    return node.background === true ? { kind: 'subshell', how: '&', body } : body
  })
  return steps.length === 1 && steps[0] !== undefined ? steps[0] : { kind: 'sequence', steps }
}

function andOr(node: PipelineNode | AndOr, job: Job): Tree {
  if (node.type !== 'AndOr') return pipeline(node, job)
  const steps = node.commands.map((each, index) => ({
    operator: node.operators[index - 1] ?? ('&&' as const),
    body: pipeline(each, job),
  }))
  return { kind: 'andOr', steps }
}

function pipeline(node: PipelineNode, job: Job): Tree {
  if (node.type !== 'Pipeline') return command(node, job)
  const stages = node.commands.map((stage) => command(stage, job))
  return stages.length === 1 && stages[0] !== undefined ? stages[0] : { kind: 'pipeline', stages }
}

function command(node: CommandNode | CompoundList, job: Job): Tree {
  switch (node.type) {
    case 'Command':
      return simple(node, job)
    case 'CompoundList':
    case 'BraceGroup':
      return list(node.type === 'BraceGroup' ? node.body : node, job)
    case 'Subshell':
      return { kind: 'subshell', how: '( … )', body: list(node.body, job) }
    case 'Coproc':
      return { kind: 'subshell', how: 'coproc', body: command(node.body, job) }
    case 'Redirected':
      return {
        kind: 'redirected',
        body: command(node.command, job),
        redirects: node.redirects.map((redirect) => redirection(redirect, job)),
      }
    case 'Function':
      return { kind: 'function', name: node.name.value, body: command(node.body, job) }
    case 'If': {
      const last = node.else === undefined ? undefined : list(node.else, job)
      const chain = node.elif
        .toReversed()
        .reduce<Tree | undefined>((rest, branch) => ifTree(branch, rest, job), last)
      return ifTree(node, chain, job)
    }
    case 'While':
      return { kind: 'loop', how: node.kind, test: list(node.clause, job), body: list(node.body, job) }
    case 'For':
    case 'Select':
      return {
        kind: 'loop',
        how: node.type === 'For' ? 'for' : 'select',
        test: NOTHING,
        body: list(node.body, job),
        each: { name: node.name.value, words: node.wordlist?.map((each) => word(each, job)) },
      }
    case 'ArithmeticFor': {
      // The parser takes a single bracket for two.
      if (!/^for\s*\(\(/.test(job.source.slice(node.pos, node.end))) refuse(job, 'it breaks off at `for (`')
      const parts = [node.initialize, node.test, node.update].flatMap((each) => arithmetic(each, job))
      return { kind: 'loop', how: 'for', test: wordsTree(parts, true), body: list(node.body, job) }
    }
    case 'Case': {
      const subject = [node.word, ...node.items.flatMap((item) => item.pattern)].map((each) =>
        word(each, job),
      )
      const options = node.items.map((item) => list(item.body, job))
      return { kind: 'choice', how: 'case', test: wordsTree(subject, false), options, total: false }
    }
    case 'TestCommand':
      return wordsTree(testWords(node.expression, job), false)
    case 'ArithmeticCommand':
      return wordsTree(arithmetic(node.expression, job), true)
  }
}

function ifTree(node: { clause: CompoundList; then: CompoundList }, rest: Tree | undefined, job: Job): Tree {
  const options = [list(node.then, job), ...(rest === undefined ? [] : [rest])]
  return { kind: 'choice', how: 'if', test: list(node.clause, job), options, total: rest !== undefined }
}

function wordsTree(words: readonly WordTree[], assigns: boolean): Tree {
  return { kind: 'words', words, assigns }
}

function simple(node: Extract<CommandNode, { type: 'Command' }>, job: Job): SimpleTree {
  const words = node.name === undefined ? [] : [word(node.name, job)]
  // The library drops a lone bracket after a name, where the shell reports an error.
  if (node.name !== undefined && OPEN_BRACKET.test(job.source.slice(node.name.end, node.name.end + 80))) {
    refuse(job, 'it is not valid shell: a bracket is opened after the name of a command')
  }
  const assignments: AssignmentTree[] = []
  const redirects: RedirectTree[] = []
  for (const part of [...node.prefix, ...node.suffix]) {
    if (part.type === 'Word') words.push(word(part, job))
    else if (part.type !== 'Assignment') redirects.push(redirection(part, job))
    else if (node.prefix.includes(part)) assignments.push(assignment(part, job))
    else words.push({ source: part.text, parts: [], assignment: assignment(part, job) })
  }
  const start = job.fixedStart ?? node.pos
  const source = job.source.slice(node.pos, node.end)
  return { kind: 'simple', assignments, words, redirects, start, end: job.fixedStart ?? node.end, source }
}

const OPEN_BRACKET = /^[ \t]*\(/

function assignment(node: Assignment, job: Job): AssignmentTree {
  mustBePlain(node.index?.text, job)
  if (node.value.type === 'ArrayValue') {
    for (const { text } of node.value.elements) if (text.startsWith('[')) mustBePlain(text, job)
  }
  const value =
    node.value.type === 'ArrayValue'
      ? { elements: node.value.elements.map((each) => word(each, job)) }
      : word(node.value, job)
  const index = node.index === undefined ? undefined : word(node.index, job)
  return { name: node.name, append: node.append === true, index, value }
}

function redirection(node: Redirection, job: Job): RedirectTree {
  const descriptor = node.descriptor?.type === 'FileDescriptor' ? node.descriptor.value : undefined
  if (node.type !== 'HereDoc') {
    if (node.target === undefined) refuse(job, 'a redirection in it has no target')
    const target = node.target === undefined ? textWord('') : word(node.target, job)
    return { operator: node.operator, descriptor, target }
  }
  const body = node.operator === '<<-' ? node.body.text.replace(/^\t+/gm, '') : node.body.text
  if (node.delimiter?.text.includes('\n') === true)
    refuse(job, 'a here-document in it has no proper end mark')
  if (node.delimiter?.quoted === true) {
    job.count.quoted += node.body.text.length
    return { operator: node.operator, descriptor, target: textWord(body) }
  }
  const parts = node.body.parts?.flatMap((each) => part(each, true, job))
  const target =
    parts === undefined ? textWord(body.replace(/\\([$`\\]|\n)/g, unescaped)) : { source: body, parts }
  return { operator: node.operator, descriptor, target }
}

function unescaped(_all: string, character: string): string {
  return character === '\n' ? '' : character
}

function textWord(text: string): WordTree {
  return { source: text, parts: [{ kind: 'text', text, quoted: true }] }
}

function word(node: Word, job: Job): WordTree {
  job.count.words += 1
  if (job.count.words > WORDS_MAX) refuse(job, `it has more than ${WORDS_MAX} words`)
  if (job.count.why !== undefined) return textWord('')
  const source = node.text
  const parts = node.parts
  if (EVALUATORS.has(node.value)) job.count.evaluates = true
  if (hasSubscriptCommand(parts === undefined ? node.value : literalText(parts))) job.count.hidden = true
  if (parts === undefined) return { source, parts: bareText(source, node.value) }
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
function reparsedWord(text: string, job: Job): WordTree {
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

function braceless(node: Word, job: Job): readonly PartTree[] {
  job.count.words += 1
  return (node.parts ?? []).flatMap((each) => part(each, false, job))
}

/** An unquoted word; an escape at its beginning takes the meaning from a tilde. */
function bareText(source: string, value: string): readonly PartTree[] {
  return value === '' ? [] : [{ kind: 'text', text: value, quoted: source.startsWith('\\') }]
}

function part(node: WordPart, quoted: boolean, job: Job): readonly PartTree[] {
  switch (node.type) {
    case 'Literal':
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
      return [parameter(node, quoted, job)]
    case 'CommandExpansion':
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
  job: Job,
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
  if (operation === undefined) return { ...base, operator: undefined, operands: [] }
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
      return { ...base, operator: operation.operator, operands }
    }
    default:
      return { ...base, operator: '?other', operands: [] }
  }
}

/** The words of an arithmetic expression, for the commands inside them. */
function arithmetic(node: ArithmeticExpression | undefined, job: Job): readonly WordTree[] {
  if (node === undefined) return []
  job.count.evaluates = true
  const inner = deeper(job)
  if (inner === undefined) return []
  switch (node.type) {
    case 'ArithmeticWord':
      mustBePlain(node.value, job)
      return [{ source: node.value, parts: (node.parts ?? []).flatMap((each) => part(each, true, inner)) }]
    case 'ArithmeticCommandExpansion': {
      const body = nestedScript(node, inner)
      return [
        {
          source: node.text,
          parts: [{ kind: 'commands', how: '$(…)', source: node.text, quoted: true, body }],
        },
      ]
    }
    case 'ArithmeticUnary':
      return arithmetic(node.operand, inner)
    case 'ArithmeticGroup':
      return arithmetic(node.expression, inner)
    case 'ArithmeticBinary':
      return [node.left, node.right].flatMap((each) => arithmetic(each, inner))
    case 'ArithmeticTernary':
      return [node.test, node.consequent, node.alternate].flatMap((each) => arithmetic(each, inner))
  }
}

function testWords(node: TestExpression, job: Job): readonly WordTree[] {
  job.count.evaluates = true
  const inner = deeper(job)
  if (inner === undefined) return []
  switch (node.type) {
    case 'TestUnary':
      return [word(node.operand, inner)]
    case 'TestBinary':
      return [word(node.left, inner), word(node.right, inner)]
    case 'TestLogical':
      return node.operands.flatMap((each) => testWords(each, inner))
    case 'TestNot':
      return testWords(node.operand, inner)
    case 'TestGroup':
      return testWords(node.expression, inner)
  }
}
