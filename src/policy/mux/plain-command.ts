import { parse } from '../../shell/grammar/parse.ts'
import type { PartTree, Tree, WordTree } from '../../shell/grammar/tree.ts'
import { gate } from '../../shell/words/gate.ts'

/** One program and its words without any other shell feature, or the reason why the text is more than that. */
export type PlainCommand =
  | { readonly kind: 'plain'; readonly words: readonly PlainWord[] }
  | { readonly kind: 'more'; readonly why: string }

/** Undefined: known only at run time (a pattern, a variable). */
export type PlainWord = string | undefined

/**
 * An orchestrator runs one command at a time. All other shell features in one line (chains, redirections,
 * substitutions, background jobs, variables) are refused here, so that the whitelist can be a simple list.
 */
export function plainCommand(text: string, { home, cwd }: { home: string; cwd: string }): PlainCommand {
  const refused = gate(text)
  if (refused !== undefined) return more(refused)
  const parsed = parse(text)
  if (!parsed.ok) return more(parsed.why)
  const { tree } = parsed
  if (tree.kind !== 'simple') return more(nameOf(tree))
  if (tree.assignments.length > 0) return more('it sets a variable')
  if (tree.redirects.length > 0) return more('it redirects input or output')
  if (tree.words.length === 0) return more('it runs nothing')
  if (tree.words.some(({ assignment }) => assignment !== undefined)) return more('it sets a variable')
  if (tree.words.some(runsCommand)) return more('it substitutes the output of a command, or may do so')
  const trees = tree.words.flatMap((word) => word.alternatives ?? [word])
  const known: Known = new Map([
    ['HOME', home],
    ['PWD', cwd],
  ])
  return { kind: 'plain', words: trees.map((word) => textOf(word, known)) }
}

type Known = ReadonlyMap<string, string>

function more(why: string): PlainCommand {
  return { kind: 'more', why }
}

function nameOf(tree: Exclude<Tree, { kind: 'simple' }>): string {
  switch (tree.kind) {
    case 'subshell':
      return tree.how === '&' ? 'it runs in the background' : 'it opens a subshell'
    case 'redirected':
      return 'it redirects input or output'
    case 'loop':
      return 'it is a loop'
    case 'sequence':
      return tree.steps.length === 0 ? 'it runs nothing' : 'it is more than one command'
    case 'andOr':
    case 'pipeline':
      return 'it is more than one command'
    default:
      return 'it is more than a program with its arguments'
  }
}

/**
 * Whether a command is substituted into the word, at any depth, or may be. Arithmetic, subscripts and indirection
 * evaluate text as code, quoted or not. In zsh, parentheses after a pattern may be code too.
 */
function runsCommand({ parts, alternatives = [] }: WordTree): boolean {
  return alternatives.some(runsCommand) || parts.some(hasCommand)
}

const PLAIN_OPERATOR = /^(?::?[-+]|##?|%%?)$/

function hasCommand(part: PartTree): boolean {
  switch (part.kind) {
    case 'commands':
      return true
    case 'variable':
      // `${x@P}` expands the value as a prompt, which can run commands.
      if (part.operator !== undefined && !PLAIN_OPERATOR.test(part.operator)) return true
      return part.prefix === '!' || part.index !== undefined || part.operands.some(runsCommand)
    case 'glob':
      return part.text.includes('(') || part.nested.some(runsCommand)
    case 'unknown':
      return part.source.startsWith('$') || part.nested.some(runsCommand)
    default:
      return false
  }
}

function textOf(word: WordTree, known: Known): PlainWord {
  let text = ''
  for (const [index, part] of word.parts.entries()) {
    const piece = pieceOf(part, index === 0, known)
    if (piece === undefined) return undefined
    text += piece
  }
  return text
}

function pieceOf(part: PartTree, isFirst: boolean, known: Known): string | undefined {
  if (part.kind === 'text') {
    const isTilde = isFirst && !part.quoted && part.text.startsWith('~')
    if (!isTilde) return part.text
    return /^~(?:\/|$)/.test(part.text) ? `${known.get('HOME')}${part.text.slice(1)}` : undefined
  }
  if (part.kind !== 'variable' || part.prefix !== undefined || part.operator !== undefined) return undefined
  const value = known.get(part.name)
  // Without quotes, a space in the value would make two words.
  return value === undefined || (!part.quoted && /[\s*?[\\]/.test(value)) ? undefined : value
}
