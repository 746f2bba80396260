import { mayMatch } from '../words/patterns.ts'
import { concatForms, exactForm, type Form, textPiece } from '../words/words.ts'

/** What `${x%.txt}`, `${x/a/b}`, `${x:1:2}` and `${x^^}` make of a value; undefined where that is not worked out. */
export function changedForm(operator: string, value: Form, operands: readonly Form[]): Form | undefined {
  const [first = [], second = []] = operands
  if (/^[#%]/.test(operator)) return trimmed(operator, value, first)
  const text = exactForm(value)
  if (text === undefined || operands.some((each) => each.some((piece) => piece.kind === 'unknown')))
    return undefined
  const changed = changedText(operator, text, first, second, operands.length)
  return changed === undefined ? undefined : changed === '' ? [] : [textPiece(changed)]
}

function changedText(
  operator: string,
  text: string,
  first: Form,
  second: Form,
  count: number,
): string | undefined {
  switch (operator) {
    case '/':
    case '//':
    case '/#':
    case '/%':
      return replaced(operator, text, exactForm(first), exactForm(second))
    case ':':
      return sliced(text, exactForm(first), count > 1 ? exactForm(second) : undefined, count > 1)
    case '^':
    case ',':
      return count > 0 ? undefined : change(operator, text.slice(0, 1)) + text.slice(1)
    case '^^':
    case ',,':
      return count > 0 ? undefined : change(operator, text)
    case '@':
      return {
        U: text.toUpperCase(),
        L: text.toLowerCase(),
        u: change('^', text.slice(0, 1)) + text.slice(1),
      }[exactForm(first) ?? '']
    default:
      return undefined
  }
}

function change(operator: string, text: string): string {
  return operator.startsWith('^') ? text.toUpperCase() : text.toLowerCase()
}

function replaced(
  operator: string,
  text: string,
  from: string | undefined,
  to: string | undefined,
): string | undefined {
  if (from === undefined || to === undefined || from === '') return undefined
  if (operator === '//') return text.replaceAll(from, () => to)
  if (operator === '/#') return text.startsWith(from) ? to + text.slice(from.length) : text
  if (operator === '/%') return text.endsWith(from) ? text.slice(0, -from.length) + to : text
  return text.replace(from, () => to)
}

function sliced(
  text: string,
  offset: string | undefined,
  length: string | undefined,
  hasLength: boolean,
): string | undefined {
  const start = Number((offset ?? '').trim() || Number.NaN)
  const count = Number((length ?? '').trim() || Number.NaN)
  if (!Number.isInteger(start) || (hasLength && !Number.isInteger(count))) return undefined
  const from = start < 0 ? Math.max(0, text.length + start) : start
  if (!hasLength) return text.slice(from)
  return count < 0 ? text.slice(from, text.length + count) : text.slice(from, from + count)
}

const TRIMMED_MAX = 512

/** `%` and `#` cut the shortest end or beginning that fits, doubled the longest. */
function trimmed(operator: string, value: Form, pattern: Form): Form | undefined {
  const fromEnd = operator.startsWith('%')
  const cut = exactForm(pattern)
  const text = exactForm(value)
  if (cut !== undefined && text === undefined) return trimmedEdge(value, cut, fromEnd)
  const odd = pattern.some((piece) => piece.kind === 'unknown' || /[?*+@!]\(/.test(piece.text))
  if (text === undefined || odd || text.length > TRIMMED_MAX) return undefined
  const lengths = Array.from({ length: text.length + 1 }, (_, at) => at)
  if (operator.length === 2) lengths.reverse()
  const length = lengths.find((each) => {
    const part = fromEnd ? text.slice(text.length - each) : text.slice(0, each)
    return cut === undefined ? mayMatch(pattern, part) : part === cut
  })
  const rest = fromEnd ? text.slice(0, text.length - (length ?? 0)) : text.slice(length ?? 0)
  return rest === '' ? [] : [textPiece(rest)]
}

/** `*.txt` without `.txt` at its end is still a pattern. */
function trimmedEdge(value: Form, cut: string, fromEnd: boolean): Form | undefined {
  const edge = fromEnd ? value.at(-1) : value[0]
  if (edge?.kind !== 'text' || !(fromEnd ? edge.text.endsWith(cut) : edge.text.startsWith(cut)))
    return undefined
  const rest = textPiece(
    fromEnd ? edge.text.slice(0, edge.text.length - cut.length) : edge.text.slice(cut.length),
  )
  return fromEnd ? concatForms(value.slice(0, -1), [rest]) : concatForms([rest], value.slice(1))
}
