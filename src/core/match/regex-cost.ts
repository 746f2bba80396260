import { BACKTRACKING_WORD_MAX_CHARACTERS } from './pattern.ts'

/**
 * Estimates the cost of a regex from its text, before it is compiled or run. The estimate may be too high, so a
 * harmless pattern may be rejected, but it is never too low. It does not validate: text that is not a
 * regex gets a number too.
 */
export interface RegexCost {
  /** The number of instructions after every counted repeat is expanded: what the linear engine must build. */
  readonly size: number
  /** Steps of a backtracking search over the longest allowed word. Can be Infinity. */
  readonly steps: number
}

export function regexCost(source: string): RegexCost {
  const reader: Reader = { source, at: 0 }
  let whole = readAlternatives(reader)
  // A stray `)` ends the parse early; the rest still counts.
  while (reader.at < source.length) {
    reader.at += 1
    whole = sequence(whole, readAlternatives(reader))
  }
  return { size: whole.size, steps: whole.steps * (WORD + 1) }
}

/** One part of a regex: in how many ways it can match from one position, and the steps to try all of them. */
interface Piece {
  readonly size: number
  readonly ways: number
  readonly steps: number
}

interface Reader {
  readonly source: string
  at: number
}

const WORD = BACKTRACKING_WORD_MAX_CHARACTERS
const NOTHING: Piece = { size: 0, ways: 1, steps: 0 }
const CHARACTER: Piece = { size: 1, ways: 1, steps: 1 }
/** `\pL` is hundreds of ranges to build. */
const SCRIPT: Piece = { size: 20, ways: 1, steps: 1 }
/** A back-reference compares up to a whole word. */
const REFERENCE: Piece = { size: 1, ways: 1, steps: WORD }

function readAlternatives(reader: Reader): Piece {
  let whole = readSequence(reader)
  while (reader.source[reader.at] === '|') {
    reader.at += 1
    const other = readSequence(reader)
    whole = {
      size: whole.size + other.size + 1,
      ways: whole.ways + other.ways,
      steps: whole.steps + other.steps + 1,
    }
  }
  return whole
}

function readSequence(reader: Reader): Piece {
  let whole = NOTHING
  while (reader.at < reader.source.length && !'|)'.includes(reader.source[reader.at] ?? '')) {
    whole = sequence(whole, readRepeats(reader, readAtom(reader)))
  }
  return whole
}

function sequence(first: Piece, second: Piece): Piece {
  return {
    size: first.size + second.size,
    ways: first.ways * second.ways,
    // Every way through the first part tries the second part again.
    steps: first.steps + product(first.ways, second.steps),
  }
}

function readAtom(reader: Reader): Piece {
  const { source } = reader
  switch (source[reader.at]) {
    case '(':
      return readGroup(reader)
    case '[': {
      const start = reader.at
      reader.at = endOfClass(source, start)
      const scripts = source.slice(start, reader.at).match(/\\p/gi)?.length ?? 0
      return { ...CHARACTER, size: 1 + scripts * SCRIPT.size }
    }
    case '\\': {
      const escaped = source[reader.at + 1] ?? ''
      reader.at += 2
      if (/[pP]/.test(escaped)) return SCRIPT
      return /[1-9k]/.test(escaped) ? REFERENCE : CHARACTER
    }
    default:
      reader.at += 1
      return CHARACTER
  }
}

function readGroup(reader: Reader): Piece {
  const { source } = reader
  const opening = /^\(\?(?:<?[=!])?/.exec(source.slice(reader.at, reader.at + 4))?.[0] ?? '('
  reader.at += opening.length
  const inside = readAlternatives(reader)
  if (source[reader.at] === ')') reader.at += 1
  // The match of a look-around is not tried in other ways.
  const isLook = opening.length > 2
  return { size: inside.size + 2, ways: isLook ? 1 : inside.ways, steps: inside.steps + 2 }
}

function readRepeats(reader: Reader, atom: Piece): Piece {
  let piece = atom
  for (;;) {
    const found = /^(?:[*+?]|\{(\d+)(,?)(\d*)\})/.exec(reader.source.slice(reader.at, reader.at + 24))
    if (found === null) return piece
    reader.at += found[0].length
    piece = repeated(piece, timesMin(found), timesMax(found))
  }
}

function timesMin(found: RegExpExecArray): number {
  return found[1] === undefined ? Number(found[0] === '+') : Number(found[1])
}

function timesMax(found: RegExpExecArray): number {
  if (found[1] === undefined) return found[0] === '?' ? 1 : Number.POSITIVE_INFINITY
  if (found[2] === '') return Number(found[1])
  return found[3] === '' ? Number.POSITIVE_INFINITY : Number(found[3])
}

function repeated(piece: Piece, min: number, max: number): Piece {
  const written = Number.isFinite(max) ? Math.max(max, 1) : Math.max(min, 1)
  const turns = Math.min(max, Math.max(WORD, min))
  const size = product(piece.size, written) + 1
  if (piece.ways === 1) {
    return { size, ways: Math.max(turns - min + 1, 1), steps: product(piece.steps, turns) + 1 }
  }
  // Each repetition multiplies the number of ways: this is where backtracking becomes exponential.
  const ways = piece.ways ** turns * (turns + 1)
  return { size, ways, steps: product(ways, piece.steps) + 1 }
}

/** As JavaScript reads a class: the first `]` that is not escaped ends it. */
function endOfClass(source: string, start: number): number {
  let at = start + 1
  while (at < source.length && source[at] !== ']') at += source[at] === '\\' ? 2 : 1
  return at + 1
}

/** 0 × Infinity is NaN in JavaScript, and NaN would pass a limit check. */
function product(left: number, right: number): number {
  return left === 0 || right === 0 ? 0 : left * right
}
