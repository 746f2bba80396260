import { textPiece } from '../words/words.ts'
import type { CodeOutcome } from './outcome.ts'

/** The commands that a sed script runs: `1e code`, and `s/a/b/e`, which runs whatever the line has become. */
export function readSed(script: string): readonly CodeOutcome[] {
  const outcomes: CodeOutcome[] = []
  let at = 0
  while (at < script.length) {
    at = afterAddress(script, at)
    const command = script[at] ?? ''
    at += 1
    if (command === 'e') {
      const code = restOfLine(script, at)
      // Hardly anyone knows that sed can run commands, so that it does is said in any case.
      outcomes.push({ kind: 'opaque' })
      if (code.trim() !== '') outcomes.push({ kind: 'code', forms: [[textPiece(code.trim())]] })
      at += code.length
    } else if (command === 's' || command === 'y') {
      const delimiter = script[at] ?? ''
      const replacement = afterPattern(script, at + 1, delimiter)
      at = afterPart(script, replacement, delimiter)
      const flags = /^[a-zA-Z0-9]*/.exec(script.slice(at, at + 64))?.[0] ?? ''
      if (command === 's' && /^[^w]*e/.test(flags)) {
        const code = script.slice(replacement, at - 1).replace(/\\(.)/g, '$1')
        outcomes.push({ kind: 'opaque' }, { kind: 'code', forms: [[textPiece(code)]] })
      }
      at += /w/.test(flags) ? restOfLine(script, at).length : flags.length
    } else if (/[rR]/.test(command)) {
      const file = restOfLine(script, at)
      if (file.trim() !== '') outcomes.push(shownFile(file.trim()))
      at += file.length
    } else if (/[aicwW:]/.test(command)) at += restOfLine(script, at).length
    else if (/[btTqQlL]/.test(command)) at += /^[^;\n}]*/.exec(script.slice(at))?.[0].length ?? 0
  }
  return outcomes
}

/** `r file` prints the file. */
function shownFile(text: string): CodeOutcome {
  return { kind: 'file', access: 'read', form: [textPiece(text)], recursive: false }
}

/** Past blanks, separators and an address: `1,5!`, `$`, `/pattern/I`, `\%pattern%`. */
function afterAddress(script: string, from: number): number {
  let at = from
  while (at < script.length) {
    const character = script[at] ?? ''
    if (/[\s;{},!$~+\d]/.test(character)) at += 1
    else if (character === '/') at = afterFlags(script, afterPattern(script, at + 1, '/'))
    else if (character === '\\') at = afterFlags(script, afterPattern(script, at + 2, script[at + 1] ?? ''))
    else break
  }
  return at
}

function afterFlags(script: string, at: number): number {
  return /[IM]/.test(script[at] ?? '') ? at + 1 : at
}

/** The place after the delimiter that ends a pattern: one that is not escaped and not in brackets. */
function afterPattern(script: string, from: number, delimiter: string): number {
  for (let at = from; at < script.length; at += 1) {
    if (script[at] === '\\') at += 1
    else if (script[at] === '[') {
      const end = script.indexOf(']', at + (script[at + 1] === '^' ? 3 : 2))
      if (end > 0) at = end
    } else if (script[at] === delimiter) return at + 1
  }
  return script.length
}

function afterPart(script: string, from: number, delimiter: string): number {
  for (let at = from; at < script.length; at += 1) {
    if (script[at] === '\\') at += 1
    else if (script[at] === delimiter) return at + 1
  }
  return script.length
}

function restOfLine(script: string, at: number): string {
  const end = script.indexOf('\n', at)
  return script.slice(at, end < 0 ? undefined : end)
}
