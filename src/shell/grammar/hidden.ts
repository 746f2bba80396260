import type { Word, WordPart } from 'unbash'
import { wordSet } from '../../core/word-list.ts'
import { type ParseState, refuseText } from './parse-state.ts'

/**
 * Arithmetic and subscripts are expanded once more, whatever quotes stand around what is in them: `$(('$(rm x)'))` runs
 * it, and so does `let 'a[$(rm x)]'`. Nobody writes that to be understood.
 */
export const HIDES = 'a quoted text in it is read as a command once more'
const QUOTED_COMMAND = /'[^']*(?:\$\(|`)/
/** Commands that take a text for the name of a variable, or for a number. */
const EVALUATORS = wordSet(
  'let declare typeset local readonly export read mapfile readarray printf test [ unset wait getopts',
)

/** For the text of an index, a slice or a number. */
export function mustBePlain(text: string | undefined, job: ParseState): void {
  if (text !== undefined && QUOTED_COMMAND.test(text)) refuseText(job, HIDES)
}

/** Notes of a word whether it takes texts for names, and whether it holds a command where one would run it. */
export function noteHidden({ value, parts }: Word, job: ParseState): void {
  if (EVALUATORS.has(value)) job.count.evaluates = true
  if (hasSubscriptCommand(parts === undefined ? value : literalText(parts))) job.count.hidden = true
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
