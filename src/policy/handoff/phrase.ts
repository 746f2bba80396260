import { wordSet } from '../../core/word-list.ts'
import { proseLines } from '../completion/markdown.ts'

/** The agent that receives the work, and the task. */
export interface Directive {
  readonly to: string
  /** The rest of the sentence; empty if there is none. */
  readonly task: string
}

/** Only this much of a message is searched. */
const TEXT_CHARACTERS_MAX = 200_000

/**
 * The last handoff that an agent asks for, or undefined. The text is normalised first. Code, quotations, questions,
 * negations and conditions are not handoffs.
 */
export function findDirective(text: string, routeForms = false): Directive | undefined {
  const lines = proseLines(text.slice(-TEXT_CHARACTERS_MAX)).map(asProse)
  const paragraphs = lines.join('\n').split(/\n[^\S\n]*\n|\n(?=[^\S\n]*(?:[-*+]|\d{1,3}[.)]|#{1,6})\s)/)
  const found = paragraphs.flatMap((paragraph) => [
    ...directivesIn(withoutMarks(normalise(paragraph))),
    ...(routeForms ? routesIn(normalise(paragraph)) : []),
  ])
  return found.at(-1)
}

/** Quoted and indented lines are not the agent's own words. */
function asProse(line: string): string {
  return /^ {0,3}>|^(?: {4}|\t)/.test(line) ? '' : line
}

/** Different dashes, spaces and quotes that look the same become the same character. */
export function normalise(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[\u00ad\u200b-\u200f\u2060-\u2064\ufeff]/g, '')
    .replace(/[\u2010-\u2015\u2043\u2212\ufe58\ufe63\uff0d]/g, '-')
    .replace(/[\u2018\u2019\u02bc]/g, "'")
    .replace(/[\u201c\u201d\u201e\u00ab\u00bb]/g, '"')
    .replace(/\s+/g, ' ')
}

/** Removes marks around a name (`name`, "name", @name, **name**) and emphasis. */
function withoutMarks(text: string): string {
  return text
    .replace(/\bthe ["'`*_@]{1,4}([\w-]{1,64})["'`*_]{0,4}(?= sub-?agents?\b)/gi, 'the $1')
    .replace(/`[^`]*`|\*+|(?<!\w)_{1,3}(?=\w)|(?<=\w)_{1,3}(?!\w)/g, (mark) =>
      mark.startsWith('`') ? mark : '',
    )
}

/**
 * Quotations are not the agent's own words. Each is replaced by one neutral word of the same length; the end of the
 * sentence is kept.
 */
function withoutQuotes(text: string): string {
  const dumb = (quoted: string) =>
    /[.!?].$/.test(quoted) ? `${'~'.repeat(quoted.length - 1)}.` : '~'.repeat(quoted.length)
  return text
    .replace(/`[^`]*`/g, dumb)
    .replace(/"[^"]*"/g, dumb)
    .replace(/(?<![\w])'[^']*'(?!\w)/g, dumb)
}

const PHRASE = /\buse the ([\p{L}\p{N}][\p{L}\p{N}_-]{0,63}) sub-?agent to\b/giu

/** The last handoff counts. Only this many are examined. */
const PHRASES_MAX = 100
const SENTENCE_CHARACTERS_MAX = 500

function directivesIn(whole: string): readonly Directive[] {
  const text = withoutQuotes(whole)
  return [...text.matchAll(PHRASE)].slice(-PHRASES_MAX).flatMap((match) => {
    const [phrase, name = ''] = match
    const before = text.slice(Math.max(0, match.index - SENTENCE_CHARACTERS_MAX), match.index)
    const sentence = before.slice(endOfLast(before, /[.!?;:](?=\s)/g))
    const start = match.index + phrase.length
    const { length, sign } = endOf(text.slice(start, start + 2 * TASK_CHARACTERS_MAX))
    if (sign === '?' || isUndone(sentence) || NO_NAMES.has(name.toLowerCase())) return []
    return [{ to: name, task: whole.slice(start, start + length).trim() }]
  })
}

/** Words that can stand in the place of a name but are not names. */
const NO_NAMES = wordSet(`
  same next following appropriate right correct other new above below relevant proper best specialized
  specialised dedicated previous x name
`)

const NEGATION =
  /(?:\b(?:not|never|cannot|avoid|nobody|without|instead of|rather than|no need to|no longer|no one should|refuse to)|n't)(?: [\w~]+){0,3} $/i
/** Descriptions, not requests: "we use the X subagent to", "how to use the X subagent to". */
const REPORTED =
  /\b(?:i|we|they|he|she|it|who|which|that|agents?|did|how to|when to|tried to|failed to|wanted to|used to) (?:(?:also|often|usually|always|already) )?$/i
const CONDITION = /^\W*(?:if|unless|in case|should you|whether)\b/i

function isUndone(sentence: string): boolean {
  return NEGATION.test(sentence) || REPORTED.test(sentence) || CONDITION.test(sentence)
}

/** The text after the last character that ends a sentence. */
function endOfLast(text: string, pattern: RegExp): number {
  const last = [...text.matchAll(pattern)].at(-1)
  return last === undefined ? 0 : last.index + 1
}

const TASK_CHARACTERS_MAX = 500

/** How much of the rest belongs to the same sentence, and what ends it. */
function endOf(rest: string): { readonly length: number; readonly sign: string } {
  const end = /[.!?](?=\s|$)/.exec(rest)
  return { length: Math.min(end?.index ?? rest.length, TASK_CHARACTERS_MAX), sign: end?.[0] ?? '' }
}

const ROUTE = /^\W{0,4}(?:ROUTE|HANDOFF) TO: ?@?`?([A-Za-z0-9][\w-]{0,63})`?/

function routesIn(text: string): readonly Directive[] {
  const name = ROUTE.exec(text.trim())?.[1]
  return name === undefined ? [] : [{ to: name, task: '' }]
}
