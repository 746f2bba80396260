import { bad, good, type Result } from '../errors.ts'

/**
 * Globs over one word, as Python's fnmatch reads them: `*`, `?`, `[seq]`, `[!seq]`, case-sensitive, the whole word.
 * There is no escape character; `[*]` is a literal star. Implemented here because a glob as a regex can take
 * exponential time, and because globs are tested on every hook call.
 */
export type GlobToken =
  | { readonly kind: 'star' }
  | { readonly kind: 'any' }
  | { readonly kind: 'one'; readonly character: string }
  | {
      readonly kind: 'set'
      readonly negated: boolean
      readonly ranges: readonly (readonly [string, string])[]
    }

export function parseGlob(text: string): Result<readonly GlobToken[]> {
  const characters = Array.from(text)
  const tokens: GlobToken[] = []
  let at = 0
  while (at < characters.length) {
    const character = characters[at] ?? ''
    if (character === '[') {
      const end = endOfSet(characters, at)
      if (end === undefined) return broken(text, at, 'has a `[` without its `]`')
      const set = readSet(characters.slice(at + 1, end))
      if (!set.ok) return broken(text, at, `has the backward range \`${set.problem.message}\``)
      tokens.push(set.value)
      at = end + 1
      continue
    }
    // Two stars in a row mean one.
    if (character !== '*') tokens.push(character === '?' ? { kind: 'any' } : { kind: 'one', character })
    else if (tokens.at(-1)?.kind !== 'star') tokens.push({ kind: 'star' })
    at += 1
  }
  return good(tokens)
}

/**
 * Remembers only the last star: if a later part does not match, that star takes one more character. An earlier
 * star never has to be tried again, so the work is at most (word × tokens).
 */
export function globMatcher(tokens: readonly GlobToken[]): (word: string) => boolean {
  return (word) => {
    const characters = Array.from(word)
    let at = 0
    let next = 0
    let star = -1
    let takenByStar = 0
    while (at < characters.length) {
      const token = tokens[next]
      if (token?.kind === 'star') {
        star = next
        takenByStar = at
        next += 1
      } else if (token !== undefined && fits(token, characters[at] ?? '')) {
        at += 1
        next += 1
      } else if (star >= 0) {
        takenByStar += 1
        at = takenByStar
        next = star + 1
      } else {
        return false
      }
    }
    while (tokens[next]?.kind === 'star') next += 1
    return next === tokens.length
  }
}

/** The index of the closing bracket. A bracket at the start (`[]]`, `[!]]`) is a member, not the end. */
function endOfSet(characters: readonly string[], start: number): number | undefined {
  const first = characters[start + 1] === '!' ? start + 2 : start + 1
  const end = characters.indexOf(']', first + 1)
  return end < 0 ? undefined : end
}

function readSet(inside: readonly string[]): Result<GlobToken> {
  const negated = inside[0] === '!'
  const ranges: [string, string][] = []
  let at = negated ? 1 : 0
  while (at < inside.length) {
    const low = inside[at] ?? ''
    const high = inside[at + 1] === '-' ? inside[at + 2] : undefined
    if (high === undefined) {
      ranges.push([low, low])
      at += 1
      continue
    }
    if (codeOf(low) > codeOf(high)) return bad('CONFIG_MATCHER', `${low}-${high}`)
    ranges.push([low, high])
    at += 3
  }
  return good<GlobToken>({ kind: 'set', negated, ranges })
}

function fits(token: GlobToken, character: string): boolean {
  switch (token.kind) {
    case 'one':
      return token.character === character
    case 'set': {
      const code = codeOf(character)
      return token.negated !== token.ranges.some(([low, high]) => codeOf(low) <= code && code <= codeOf(high))
    }
    default:
      return true
  }
}

function codeOf(character: string): number {
  return character.codePointAt(0) ?? 0
}

function broken(text: string, at: number, what: string): Result<never> {
  return bad('CONFIG_MATCHER', `The glob \`${text}\` ${what}, at character ${at + 1}.`)
}
