import { concatForms, exactText, type Form, patternForm, type Word } from './words.ts'

/** A call of `find`: where it looks, what it keeps, what it does with what it finds. */
export interface FindCall {
  readonly roots: readonly Word[]
  readonly tests: readonly FindTest[]
  readonly actions: readonly FindAction[]
  /** `-o` or `,`: a test may hold for only some of what is found. */
  readonly hasAlternatives: boolean
}

interface FindTest {
  readonly name: string
  readonly value: Word | undefined
  readonly negated: boolean
}

interface FindAction {
  /** `-delete`, `-exec`, … */
  readonly name: string
  /** The command of `-exec` and its kin. */
  readonly words: readonly Word[]
}

export function readFind(args: readonly Word[]): FindCall {
  const start = args.findIndex((word) => isExpression(exactText(word)))
  const before = start < 0 ? args : args.slice(0, start)
  const roots = before.filter((word) => !/^-[HLPOD]/.test(exactText(word) ?? ''))
  const tests: FindTest[] = []
  const actions: FindAction[] = []
  let hasAlternatives = false
  let negated = false
  for (let at = before.length; at < args.length; at += 1) {
    const text = exactText(args[at]) ?? ''
    if (text === '!' || text === '-not') {
      negated = !negated
      continue
    }
    if (text === '-o' || text === '-or' || text === ',') hasAlternatives = true
    else if (EXECUTES.has(text)) {
      const end = endOfCommand(args, at + 1)
      actions.push({ name: text, words: args.slice(at + 1, end) })
      at = end
    } else if (text === '-delete') actions.push({ name: text, words: [] })
    else if (WITH_VALUE.test(text)) {
      tests.push({ name: text, value: args[at + 1], negated })
      at += text === '-fprintf' ? 2 : 1
    } else if (text.startsWith('-')) tests.push({ name: text, value: undefined, negated })
    negated = false
  }
  return { roots, tests, actions, hasAlternatives }
}

/** What `{}` stands for: somewhere below a root, with the name asked for. */
export function foundPaths(call: FindCall): Word {
  const roots =
    call.roots.length === 0
      ? [[{ kind: 'text', text: '.' } as const]]
      : call.roots.flatMap((root) => root.forms)
  const names = call.hasAlternatives
    ? []
    : call.tests.filter((test) => test.name === '-name' && !test.negated)
  const name = exactText(names[0]?.value)
  const below: Form = [{ kind: 'unknown', text: '{}' }]
  const tail: Form =
    name === undefined ? below : concatForms(below, [{ kind: 'text', text: '/' }], patternForm(name))
  return { source: '{}', forms: roots.map((root) => concatForms(root, tail)), splits: true }
}

const EXECUTES = new Set(['-exec', '-execdir', '-ok', '-okdir'])

const WITH_VALUE =
  /^-(i?name|i?path|i?wholename|i?regex|i?lname|x?type|size|[amc](time|min)|a?newer\w*|(max|min)depth|perm|user|group|[ug]id|links|inum|samefile|fstype|regextype|used|context|f?printf?|fprint0|fls|files0-from)$/

function isExpression(text: string | undefined): boolean {
  if (text === undefined) return false
  return (
    text === '(' || text === '!' || text === ')' || (text.startsWith('-') && !/^-([HLP]|O\d?|D)$/.test(text))
  )
}

/** The place of the `;`, or of the `+` after `{}`, that ends the command. */
function endOfCommand(args: readonly Word[], from: number): number {
  for (let at = from; at < args.length; at += 1) {
    const text = exactText(args[at])
    if (text === ';' || (text === '+' && exactText(args[at - 1]) === '{}')) return at
  }
  return args.length
}
