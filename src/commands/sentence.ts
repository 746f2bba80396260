/**
 * The first sentence of a text, on one line, without its full stop. A full stop ends a sentence only before a capital
 * letter or at the end, and never inside quoted code or parentheses: `rm -rf . && ls` is one piece.
 */
export function firstSentence(text: string): string {
  const flat = text.replaceAll(/\s+/g, ' ').trim()
  let isCode = false
  let depth = 0
  for (let at = 0; at < flat.length; at += 1) {
    if (flat[at] === '`') isCode = !isCode
    if (isCode) continue
    if (flat[at] === '(') depth += 1
    if (flat[at] === ')') depth = Math.max(0, depth - 1)
    if (flat[at] !== '.' || depth > 0) continue
    const rest = flat.slice(at + 1)
    if (rest === '' || /^ [\p{Lu}`"(]/u.test(rest)) return flat.slice(0, at)
  }
  return flat
}
