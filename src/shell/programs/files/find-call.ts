import { FOUND, PICKED } from '../../words/found.ts'
import { mayMatch } from '../../words/patterns.ts'
import {
  concatForms,
  exactText,
  exactWord,
  FORMS_MAX,
  type Form,
  textPiece,
  unknownWord,
  type Word,
} from '../../words/words.ts'
import { EVERYTHING, intersectPicks, type Picks, picksOf, unitePicks } from './find-picks.ts'

/** A call of `find`: where it looks, and what it does with what it finds. */
export interface FindCall {
  /** Never empty: without any, `find` looks in the folder it runs in. */
  readonly roots: readonly Word[]
  readonly actions: readonly FindAction[]
  /** What it prints, where it is told to or told nothing else. */
  readonly prints: Picks | undefined
  /** Files it writes lists to (`-fprint`). */
  readonly lists: readonly Word[]
}

export interface FindAction {
  /** `-delete`, `-exec`, … */
  readonly name: string
  /** The command of `-exec` and its kin. */
  readonly words: readonly Word[]
  /** What of all that is found comes to this action. */
  readonly picks: Picks
}

export function readFind(args: readonly Word[]): FindCall {
  const start = args.findIndex(isExpression)
  const before = start < 0 ? args : args.slice(0, start)
  const named = before.filter((word) => !/^-[HLPODEXdfsx]/.test(exactText(word) ?? ''))
  const listed = args.some((word) => exactText(word) === '-files0-from')
  const roots = listed ? [unknownWord('-files0-from')] : named.length === 0 ? [exactWord('.')] : named
  return { ...readExpression(args.slice(before.length)), roots }
}

/** The expression, or a parenthesis in it: the tests since the last `-o`, and the alternatives before that. */
interface Level {
  chain: Picks
  before: Picks | undefined
  readonly negated: boolean
}

function readExpression(args: readonly Word[]): Omit<FindCall, 'roots'> {
  const actions: FindAction[] = []
  const lists: Word[] = []
  const levels: Level[] = [newLevel(false)]
  let prints: Picks | undefined
  let negated = false
  for (let at = 0; at < args.length; at += 1) {
    const text = expressionText(args[at])
    const level = levels.at(-1) ?? newLevel(false)
    const next = args[at + 1]
    const reached = () => levels.map(({ chain }) => chain).reduce(intersectPicks)
    if (text === '!' || text === '-not') {
      negated = !negated
      continue
    }
    if (text === '(') levels.push(newLevel(negated))
    else if (text === ')') closeLevel(levels)
    else if (text === '-o' || text === '-or' || text === ',') {
      level.before = text === ',' ? undefined : unitePicks(level.before, level.chain)
      level.chain = EVERYTHING
    } else if (EXECUTES.has(text)) {
      const end = endOfCommand(args, at + 1)
      actions.push({ name: text, words: args.slice(at + 1, end), picks: reached() })
      at = end
    } else if (text === '-delete') actions.push({ name: text, words: [], picks: reached() })
    else if (PRINTS.test(text)) {
      prints = unitePicks(prints, reached())
      if (text.startsWith('-f') && next !== undefined) lists.push(next)
      at += text === '-fprintf' ? 2 : text === '-printf' || text.startsWith('-f') ? 1 : 0
    } else {
      if (!negated) level.chain = intersectPicks(level.chain, picksOf(text, next))
      if (WITH_VALUE.test(text)) at += 1
    }
    negated = false
  }
  while (levels.length > 1) closeLevel(levels)
  const whole = unitePicks(levels[0]?.before, levels[0]?.chain ?? EVERYTHING)
  return { actions, lists, prints: prints ?? (actions.length === 0 ? whole : undefined) }
}

function newLevel(negated: boolean): Level {
  return { chain: EVERYTHING, before: undefined, negated }
}

function closeLevel(levels: Level[]): void {
  const inner = levels.length > 1 ? levels.pop() : undefined
  const outer = levels.at(-1)
  if (inner === undefined || outer === undefined || inner.negated) return
  outer.chain = intersectPicks(outer.chain, unitePicks(inner.before, inner.chain))
}

/** A word known only in part (`-del$X`) is taken for `-delete` where it may be that. */
function expressionText(word: Word | undefined): string {
  const text = exactText(word)
  if (text !== undefined || word === undefined) return text ?? ''
  return word.forms.some((form) => form[0]?.kind === 'text' && mayMatch(form, '-delete')) ? '-delete' : ''
}

/** What `{}` of an action, or a line that is printed, stands for: below a root, with the names asked for. */
export function foundPaths(call: FindCall, action?: FindAction): Word {
  const [first = EVERYTHING, ...others] = action === undefined ? outputs(call) : [action.picks]
  const picks = others.reduce(unitePicks, first)
  const tails: readonly Form[] = picks.names?.map((name) => [
    { kind: 'unknown', text: FOUND },
    textPiece('/'),
    ...name,
  ]) ?? [[{ kind: 'unknown', text: picks.narrowed ? PICKED : FOUND }]]
  const folders = picks.folder === undefined ? call.roots : [exactWord(picks.folder)]
  const roots = folders.flatMap((root) => root.forms).map(asFolder)
  const forms = roots.flatMap((root) => tails.map((tail) => concatForms(root, tail)))
  return forms.length > FORMS_MAX ? unknownWord(FOUND) : { source: FOUND, forms, splits: true }
}

/** With the slash that stands before whatever is below it. */
function asFolder(root: Form): Form {
  const last = root.at(-1)
  return last?.kind === 'text' && last.text.endsWith('/') ? root : concatForms(root, [textPiece('/')])
}

function outputs(call: FindCall): readonly Picks[] {
  return call.prints === undefined ? call.actions.map(({ picks }) => picks) : [call.prints]
}

const EXECUTES = new Set(['-exec', '-execdir', '-ok', '-okdir'])
const PRINTS = /^-(f?print0?|f?printf|f?ls)$/
const WITH_VALUE =
  /^-(i?name|i?path|i?wholename|i?regex|i?lname|x?type|size|[amc](time|min)|a?newer\w*|(max|min)depth|perm|user|group|[ug]id|links|inum|samefile|fstype|regextype|used|context|files0-from)$/

/** Options of `find` itself, which stand before the folders; those in bundles are of BSD: `find -xs /`, `find -f /`. */
const OWN_OPTION = /^-([EHLPXdsx]+|f|O\d?|D)$/

function isExpression(word: Word): boolean {
  const text = exactText(word)
  if (text === undefined) {
    return word.forms.every((form) => form[0]?.kind === 'text' && form[0].text.startsWith('-'))
  }
  return /^[(!),]$/.test(text) || (text.startsWith('-') && !OWN_OPTION.test(text))
}

/** The place of the `;`, or of the `+` after `{}`, that ends the command. */
function endOfCommand(args: readonly Word[], from: number): number {
  for (let at = from; at < args.length; at += 1) {
    const text = exactText(args[at])
    if (text === ';' || (text === '+' && exactText(args[at - 1]) === FOUND)) return at
  }
  return args.length
}
