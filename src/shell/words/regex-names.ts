import { BRACKET, lastPart } from './patterns.ts'
import { concatForms, type Form, type Piece, textPiece } from './words.ts'

/**
 * The file names a regular expression lets through, as patterns: `\.env$` is `*.env`. None for one that is not read
 * here, or that says too little of a name to mean one; `shorter`: where less is enough.
 */
export function namesMatching(expression: string, shorter = false): readonly Form[] {
  return alternatives(expression).flatMap((each) => {
    const form = nameMatching(each)
    const anchors = (each.startsWith('^') ? 1 : 0) + (each.endsWith('$') ? 1 : 0)
    const least = [shorter ? WRITTEN_LEAST - 1 : WRITTEN_LEAST, WRITTEN_LEAST - 1, 1][anchors] ?? 1
    return form === undefined || written(form) < least ? [] : [form]
  })
}

/** `env` is in many names; `.env`, `env$`, `^x$` and `id_rsa` are meant. */
const WRITTEN_LEAST = 4

function written(form: Form): number {
  // A dot that is no escape is mostly meant as one.
  return form.reduce((sum, { kind, text }) => sum + (kind === 'text' || text === '?' ? text.length : 0), 0)
}

const ALTERNATIVES_MAX = 8

/** `a|b`, `x(a|b)y`; a backslash before the signs is how the older kind writes them. */
function alternatives(expression: string): readonly string[] {
  const plain = expression.replace(/\\([(|)])/g, '$1')
  const [, before = '', inner, after = ''] = /^([^()|]*)\(([^()]*)\)([^()|]*)$/.exec(plain) ?? []
  const all = inner === undefined ? plain.split('|') : inner.split('|').map((each) => before + each + after)
  return all.slice(0, ALTERNATIVES_MAX)
}

const ANY: Piece = { kind: 'glob', text: '*' }

function nameMatching(expression: string): Form | undefined {
  const from = expression.startsWith('^') ? 1 : 0
  const to = /(?<!\\)\$$/.test(expression) ? expression.length - 1 : expression.length
  const pieces: Piece[] = from === 1 ? [] : [ANY]
  for (let at = from; at < to; at += 1) {
    const sign = expression[at] ?? ''
    const next = expression[at + 1] ?? ''
    const set = sign === '[' ? BRACKET.exec(expression.slice(at)) : null
    if (sign === '\\' && /[bBx<>]/.test(next)) at += 1
    else if (sign === '\\' && /\W/.test(next)) {
      pieces.push(textPiece(next))
      at += 1
    } else if (sign === '.' && /[*+]/.test(next)) {
      pieces.push(ANY)
      at += 1
    } else if (sign === '.') pieces.push({ kind: 'glob', text: '?' })
    else if (set?.index === 0) {
      pieces.push({ kind: 'glob', text: set[0] })
      at += set[0].length - 1
    } else if (/[\\*+?{}()[\]|^$]/.test(sign)) return undefined
    else pieces.push(textPiece(sign))
  }
  if (to === expression.length) pieces.push(ANY)
  return lastPart(concatForms(pieces))
}
