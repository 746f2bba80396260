import { textPiece } from '../words/words.ts'
import type { CodeOutcome } from './outcome.ts'

const RUNS =
  /\b(system|exec\w*|cmd|run|spawn\w*|shell\w*|sh|popen|process|launch\w*|callCommand|getRuntime)\b|\.!|os:cmd/i
const QUOTED = /"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|`([^`]*)`/g
const QUOTED_MAX = 32

function quotedTexts(code: string): readonly string[] {
  return [...code.matchAll(QUOTED)].slice(0, QUOTED_MAX).map(([, double, single, back]) => {
    return double?.replace(/\\(.)/g, '$1') ?? single ?? back ?? ''
  })
}

/** The texts of several words that a language we can read quotes, and what these quote in turn. */
export function readCommandTexts(code: string): readonly CodeOutcome[] {
  const texts = quotedTexts(code).filter((text) => /^\s*[\w./-]+\s+\S/.test(text))
  const inner = texts.flatMap(quotedTexts)
  return [...texts, ...inner]
    .filter((text) => /\s/.test(text.trim()))
    .map((text) => ({ kind: 'code', forms: [[textPiece(text)]], guessed: true }))
}

/**
 * A language we cannot read: where its code speaks of running something, each text it quotes may be a command, and all
 * of them together its words. In Tcl the commands are not even quoted.
 */
export function readQuotations(code: string): readonly CodeOutcome[] {
  const plain = [...code.matchAll(/(?:^|[;\n[{])\s*(?:exec|system)\s+([^;\n\]}"']+)/g)].map(
    ([, words = '']) => words,
  )
  if (!RUNS.test(code)) return []
  const texts = quotedTexts(code)
  const together = texts.filter((text) => !/\s/.test(text)).join(' ')
  return [...plain, ...texts, together]
    .filter((text) => text.trim() !== '')
    .map((text) => ({ kind: 'code', forms: [[textPiece(text)]], guessed: true }))
}
