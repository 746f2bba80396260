import type {
  AndOr,
  Assignment,
  CommandNode,
  CompoundList,
  ParsedScript,
  PipelineNode,
  Redirection,
  Statement,
  Word,
} from 'unbash'
import { arithmetic, testWords } from './expressions.ts'
import { mustBePlain } from './hidden.ts'
import { deeper, type ParseState, refuseText } from './parse-state.ts'
import type { AssignmentTree, RedirectTree, SimpleTree, Tree, WordTree } from './tree.ts'
import { part, reparsedWord, textWord, word } from './words.ts'

const NOTHING: Tree = { kind: 'sequence', steps: [] }

export function script(parsed: ParsedScript | undefined, job: ParseState): Tree {
  if (parsed === undefined) {
    refuseText(job, 'a substitution in it could not be read')
    return NOTHING
  }
  const error = parsed.errors?.[0]
  if (error !== undefined) refuseText(job, `it is not valid shell: ${error.message}`)
  return statements(parsed.commands, job)
}

/** A script inside a word. Back-quotes with escapes have a decoded text of their own. */
export function nestedScript(part: { script: ParsedScript | undefined; pos: number }, job: ParseState): Tree {
  const inner = deeper(job)
  if (inner === undefined) return NOTHING
  const own = part.script?.source
  if (own === undefined) return script(part.script, inner)
  return script(part.script, { ...inner, source: own, fixedStart: job.fixedStart ?? part.pos })
}

function list(node: CompoundList, job: ParseState): Tree {
  const inner = deeper(job)
  if (inner === undefined) return NOTHING
  const last = node.commands.at(-1)
  if (last !== undefined && SECOND_SEPARATOR.test(job.source.slice(last.end, last.end + SEPARATORS_MAX)))
    refuseText(job, 'it has a `;` with no command before it')
  return statements(node.commands, inner)
}

/** The parser takes `while a; do b; ; done`, which bash refuses. A line that begins with `;` may be of a document. */
const SECOND_SEPARATOR = /^[ \t]*;[ \t]+;(?![;&])/
const SEPARATORS_MAX = 100

function statements(nodes: readonly Statement[], job: ParseState): Tree {
  const steps = nodes.map((node): Tree => {
    const body = andOr(node.command, job)
    return node.background === true ? { kind: 'subshell', how: '&', body } : body
  })
  return steps.length === 1 && steps[0] !== undefined ? steps[0] : { kind: 'sequence', steps }
}

function andOr(node: PipelineNode | AndOr, job: ParseState): Tree {
  if (node.type !== 'AndOr') return pipeline(node, job)
  const steps = node.commands.map((each, index) => ({
    operator: node.operators[index - 1] ?? ('&&' as const),
    body: pipeline(each, job),
  }))
  return { kind: 'andOr', steps }
}

function pipeline(node: PipelineNode, job: ParseState): Tree {
  if (node.type !== 'Pipeline') return command(node, job)
  const stages = node.commands.map((stage) => command(stage, job))
  return stages.length === 1 && stages[0] !== undefined ? stages[0] : { kind: 'pipeline', stages }
}

function command(node: CommandNode | CompoundList, job: ParseState): Tree {
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
      if (!/^for\s*\(\(/.test(job.source.slice(node.pos, node.end)))
        refuseText(job, 'it breaks off at `for (`')
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

function ifTree(
  node: { clause: CompoundList; then: CompoundList },
  rest: Tree | undefined,
  job: ParseState,
): Tree {
  const options = [list(node.then, job), ...(rest === undefined ? [] : [rest])]
  return { kind: 'choice', how: 'if', test: list(node.clause, job), options, total: rest !== undefined }
}

function wordsTree(words: readonly WordTree[], assigns: boolean): Tree {
  return { kind: 'words', words, assigns }
}

type SimpleNode = Extract<CommandNode, { type: 'Command' }>

/** As bash would read it, and, where zsh takes it for something else, as zsh would. */
function simple(node: SimpleNode, job: ParseState): Tree {
  const asBash = simpleOf(node, NO_FORCED, job)
  const forced = forcedIn(node, job)
  if (forced.redirects.length === 0) return asBash
  const options = [asBash, simpleOf(node, forced, job)]
  return { kind: 'choice', how: 'if', test: NOTHING, options, total: true }
}

/** Redirections of zsh, and the words that are no words then. */
interface Forced {
  readonly redirects: readonly RedirectTree[]
  readonly taken: ReadonlySet<Word | Assignment | Redirection>
}

const NO_FORCED: Forced = { redirects: [], taken: new Set() }

function simpleOf(node: SimpleNode, { redirects: forced, taken }: Forced, job: ParseState): SimpleTree {
  const words = node.name === undefined || taken.has(node.name) ? [] : [word(node.name, job)]
  // The library drops a lone bracket after a name, where the shell reports an error.
  if (node.name !== undefined && OPEN_BRACKET.test(job.source.slice(node.name.end, node.name.end + 80))) {
    refuseText(job, 'it is not valid shell: a bracket is opened after the name of a command')
  }
  const assignments: AssignmentTree[] = []
  const redirects: RedirectTree[] = [...forced]
  for (const part of [...node.prefix, ...node.suffix]) {
    if (taken.has(part)) continue
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

function assignment(node: Assignment, job: ParseState): AssignmentTree {
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

function redirection(node: Redirection, job: ParseState): RedirectTree {
  const descriptor = node.descriptor?.type === 'FileDescriptor' ? node.descriptor.value : undefined
  if (node.type !== 'HereDoc') {
    if (node.target === undefined) refuseText(job, 'a redirection in it has no target')
    const target = node.target === undefined ? textWord('') : word(node.target, job)
    return { operator: node.operator, descriptor, target }
  }
  const body = node.operator === '<<-' ? node.body.text.replace(/^\t+/gm, '') : node.body.text
  if (node.delimiter !== undefined && !END_MARK.test(node.delimiter.text))
    refuseText(job, 'a here-document in it has no proper end mark')
  if (node.delimiter?.quoted === true) {
    job.count.quoted += node.body.text.length
    return { operator: node.operator, descriptor, target: textWord(body) }
  }
  const parts = node.body.parts?.flatMap((each) => part(each, true, job))
  const target =
    parts === undefined ? textWord(body.replace(/\\([$`\\]|\n)/g, unescaped)) : { source: body, parts }
  return { operator: node.operator, descriptor, target }
}

/** `>! file`: zsh writes over a file that it would keep, where bash writes to a file called `!`. */
function forcedIn(node: SimpleNode, job: ParseState): Forced {
  const ordered = [...node.prefix, ...(node.name === undefined ? [] : [node.name]), ...node.suffix]
  const redirects: RedirectTree[] = []
  const taken = new Set<Word | Assignment | Redirection>()
  for (const [at, part] of ordered.entries()) {
    if (!('operator' in part) || part.type === 'HereDoc' || part.target?.text.startsWith('!') !== true)
      continue
    const { operator, target } = part
    if (!/^\d*&?>[>&]?!/.test(job.source.slice(part.pos, part.end))) continue
    const next = target.text === '!' ? ordered[at + 1] : undefined
    if (target.text === '!' && next?.type !== 'Word') continue
    const meant = next?.type === 'Word' ? word(next, job) : reparsedWord(target.text.slice(1), job)
    redirects.push({ operator, descriptor: undefined, target: meant })
    taken.add(part)
    if (next !== undefined) taken.add(next)
  }
  return { redirects, taken }
}

/** One line, and every quote in it closed. */
const END_MARK = /^(?:[^\n'"\\]|\\.|'[^\n']*'|"(?:[^\n"\\]|\\.)*")*$/

function unescaped(_all: string, character: string): string {
  return character === '\n' ? '' : character
}
