// @ts-expect-error: the package has no types; the parts that are used are declared below.
import parser from 'mvdan-sh'
import { expect, test } from 'vitest'
import { parse } from '../../src/shell/grammar/parse.ts'
import type { AssignmentTree, RedirectTree, Tree, WordTree } from '../../src/shell/grammar/tree.ts'
import { inputs } from './inputs.ts'

/** The few parts of the other parser that are used. */
interface Other {
  readonly syntax: {
    NewParser(): { Parse(text: string, name: string): OtherNode }
    NodeType(node: OtherNode): string
    Walk(node: OtherNode, visit: (node: OtherNode | null) => boolean): void
  }
}
interface OtherNode {
  readonly Args?: readonly OtherNode[]
  readonly Variant?: { readonly Value: string }
  Pos(): { Offset(): number }
  End(): { Offset(): number }
}

const { syntax } = parser as Other

/** The names of all commands as they are written, at any depth; undefined if the other parser cannot read the text. */
function namesByOther(text: string): readonly string[] | undefined {
  const bytes = Buffer.from(text)
  const names: string[] = []
  try {
    const file = syntax.NewParser().Parse(text, '')
    syntax.Walk(file, (node) => {
      const kind = node === null ? '' : syntax.NodeType(node)
      const [name] = node?.Args ?? []
      if (kind === 'CallExpr' && name !== undefined) names.push(written(bytes, name))
      if (kind === 'DeclClause') names.push(node?.Variant?.Value ?? '')
      if (kind === 'LetClause') names.push('let')
      return true
    })
  } catch {
    return undefined
  }
  return names.sort()
}

/** Inside backquotes the other parser keeps the backslash before a nested one, so a backslash at the end is ignored. */
function written(bytes: Buffer, name: OtherNode): string {
  return bytes.subarray(name.Pos().Offset(), name.End().Offset()).toString().replace(/\\+$/, '')
}

/** Read twice, as bash and as zsh would: `zsh.test.ts` compares those with zsh itself. */
const FORCED = />[>&]?!/

function namesByUs(text: string): readonly string[] | undefined {
  if (FORCED.test(text)) return undefined
  const parsed = parse(text)
  return parsed.ok ? namesIn(parsed.tree).sort() : undefined
}

function namesIn(tree: Tree): string[] {
  switch (tree.kind) {
    case 'simple': {
      const [name] = tree.words
      const inside = [
        ...tree.words.flatMap(inWord),
        ...tree.assignments.flatMap(inAssignment),
        ...tree.redirects.flatMap(inRedirect),
      ]
      return name === undefined ? inside : [name.source.replace(/\\+$/, ''), ...inside]
    }
    case 'sequence':
      return tree.steps.flatMap(namesIn)
    case 'andOr':
      return tree.steps.flatMap((step) => namesIn(step.body))
    case 'pipeline':
      return tree.stages.flatMap(namesIn)
    case 'choice':
      return [tree.test, ...tree.options].flatMap(namesIn)
    case 'loop':
      return [...[tree.test, tree.body].flatMap(namesIn), ...(tree.each?.words ?? []).flatMap(inWord)]
    case 'redirected':
      return [...namesIn(tree.body), ...tree.redirects.flatMap(inRedirect)]
    case 'words':
      return tree.words.flatMap(inWord)
    default:
      return namesIn(tree.body)
  }
}

function inWord(word: WordTree): string[] {
  const assigned = word.assignment === undefined ? [] : inAssignment(word.assignment)
  const parts = word.parts.flatMap((part) => {
    if (part.kind === 'commands') return namesIn(part.body)
    if (part.kind === 'variable')
      return [...part.operands, ...(part.index === undefined ? [] : [part.index])].flatMap(inWord)
    return part.kind === 'text' ? [] : part.nested.flatMap(inWord)
  })
  return [...assigned, ...parts]
}

function inAssignment({ index, value }: AssignmentTree): string[] {
  const values = 'elements' in value ? value.elements : [value]
  return [...(index === undefined ? [] : inWord(index)), ...values.flatMap(inWord)]
}

function inRedirect({ target }: RedirectTree): string[] {
  return inWord(target)
}

const given = await inputs(1_200)

/** `a<(b)` is one word in bash and two words for us. The same commands run, only the name of the first one differs. */
const SUBSTITUTION_IN_WORD = /[^\s|&;()<>][<>]\(/

/** Texts that both parsers can read and that they read differently. */
function differences(texts: readonly string[]): { both: number; different: string[] } {
  let both = 0
  const different = texts.flatMap((text) => {
    if (SUBSTITUTION_IN_WORD.test(text)) return []
    const ours = namesByUs(text)
    const theirs = namesByOther(text)
    if (ours === undefined || theirs === undefined) return []
    both += 1
    const same = ours.length === theirs.length && ours.every((name, at) => name === theirs[at])
    return same ? [] : [`${JSON.stringify(text)}: ${ours.join(' ')} / ${theirs.join(' ')}`]
  })
  return { both, different }
}

test('a second parser finds the same commands in every example', () => {
  const { both, different } = differences(given.examples)
  expect(both).toBeGreaterThan(given.examples.length * 0.9)
  expect(different).toEqual([])
})

test('a second parser finds the same commands in broken examples', () => {
  const { both, different } = differences(given.mutated)
  expect(both).toBeGreaterThan(400)
  expect(different).toEqual([])
})
