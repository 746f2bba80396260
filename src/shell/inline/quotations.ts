import { textPiece } from '../words.ts'
import type { Outcome } from './outcome.ts'

const RUNS =
  /\b(system|exec\w*|cmd|run|spawn\w*|shell\w*|sh|popen|process|launch\w*|callCommand|getRuntime)\b|\.!|os:cmd/i
const QUOTED = /"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|`([^`]*)`/g
const QUOTED_MAX = 32

/**
 * A language we cannot read: where its code speaks of running something, each text it quotes may be a command, and all
 * of them together its words. In Tcl the commands are not even quoted.
 */
export function readQuotations(code: string): readonly Outcome[] {
  const plain = [...code.matchAll(/(?:^|[;\n[{])\s*(?:exec|system)\s+([^;\n\]}"']+)/g)].map(
    ([, words = '']) => words,
  )
  if (!RUNS.test(code)) return []
  const texts = [...code.matchAll(QUOTED)].slice(0, QUOTED_MAX).map(([, double, single, back]) => {
    return double?.replace(/\\(.)/g, '$1') ?? single ?? back ?? ''
  })
  const together = texts.filter((text) => !/\s/.test(text)).join(' ')
  return [...plain, ...texts, together]
    .filter((text) => text.trim() !== '')
    .map((text) => ({ kind: 'code', forms: [[textPiece(text)]], guessed: true }))
}
