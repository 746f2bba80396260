import type { Form } from './words.ts'

/**
 * Does a form that holds patterns or unknowns match a text? Over-approximates where it cannot be exact (extended
 * patterns, odd brackets): a guard that asks "may this be .env?" must not hear no by mistake. Linear in practice:
 * one backtrack point, no regular expressions made from input.
 */
export function mayMatch(form: Form, text: string): boolean {
  const [only] = form
  if (form.length === 1 && only?.kind === 'text') return only.text === text
  return fitsEnds(form, text) && walk(form.flatMap(tokensOf), text)
}

/** What is written out at either end must be there: nearly every text fails this, and nothing is made to find it out. */
function fitsEnds(form: Form, text: string): boolean {
  const first = form[0]
  const last = form.at(-1)
  if (first?.kind === 'text' && !text.startsWith(first.text)) return false
  return last?.kind !== 'text' || text.endsWith(last.text)
}

/** The same for a file name, where a leading dot is not matched by a pattern. */
export function mayMatchName(form: Form, name: string): boolean {
  if (form[0]?.kind === 'glob' && name.startsWith('.') && /^[*?[](?!\()/.test(form[0].text)) return false
  return mayMatch(form, name)
}

/** What follows the last slash that is written out. */
export function lastPart(form: Form): Form {
  const at = form.findLastIndex((piece) => piece.kind === 'text' && piece.text.includes('/'))
  const piece = form[at]
  if (piece === undefined) return form
  const rest = piece.text.slice(piece.text.lastIndexOf('/') + 1)
  return rest === '' ? form.slice(at + 1) : [{ kind: 'text', text: rest }, ...form.slice(at + 1)]
}

/** `[abc]`, `[!a-z]`, `[]x]`, `[[:alpha:]_]`. */
export const BRACKET = /\[[!^]?\]?(?:\[[:.=]\w+[:.=]\]|[^\]/])*\]/

type Token =
  | { readonly kind: 'any' }
  | { readonly kind: 'one'; readonly accepts: (character: string) => boolean }

function tokensOf(piece: Form[number]): readonly Token[] {
  if (piece.kind === 'unknown') return [{ kind: 'any' }]
  if (piece.kind === 'text') return [...piece.text].map(literal)
  const tokens: Token[] = []
  for (let at = 0; at < piece.text.length; ) {
    const character = piece.text[at] ?? ''
    const set = character === '[' ? setAt(piece.text, at) : undefined
    if (piece.text[at + 1] === '(' && '?*+@!'.includes(character)) return [...tokens, { kind: 'any' }]
    if (character === '*') tokens.push({ kind: 'any' })
    else if (character === '?') tokens.push({ kind: 'one', accepts: () => true })
    else if (set !== undefined) tokens.push(bracket(set.slice(1, -1)))
    else tokens.push(literal(character))
    at += set?.length ?? 1
  }
  return tokens
}

/** The bracket expression that begins at `at`. */
function setAt(text: string, at: number): string | undefined {
  const found = BRACKET.exec(text.slice(at))
  return found?.index === 0 ? found[0] : undefined
}

function literal(character: string): Token {
  return { kind: 'one', accepts: (other) => other === character }
}

function bracket(body: string): Token {
  const negated = body.startsWith('!') || body.startsWith('^')
  const inner = (negated ? body.slice(1) : body).replace(/["'\\]/g, '')
  if (inner.includes('[') || inner.includes('$') || inner.includes('`'))
    return { kind: 'one', accepts: () => true }
  return { kind: 'one', accepts: (character) => inSet(inner, character) !== negated }
}

function inSet(set: string, character: string): boolean {
  for (let at = 0; at < set.length; at += 1) {
    const low = set[at] ?? ''
    const high = set[at + 2]
    if (set[at + 1] === '-' && high !== undefined) {
      if (character >= low && character <= high) return true
      at += 2
    } else if (character === low) return true
  }
  return false
}

function walk(tokens: readonly Token[], text: string): boolean {
  const characters = [...text]
  let token = 0
  let at = 0
  let retryToken = -1
  let retryAt = 0
  while (at < characters.length) {
    const current = tokens[token]
    if (current?.kind === 'any') {
      retryToken = token
      retryAt = at
      token += 1
    } else if (current?.kind === 'one' && current.accepts(characters[at] ?? '')) {
      token += 1
      at += 1
    } else if (retryToken >= 0) {
      token = retryToken + 1
      retryAt += 1
      at = retryAt
    } else return false
  }
  return tokens.slice(token).every((rest) => rest.kind === 'any')
}
