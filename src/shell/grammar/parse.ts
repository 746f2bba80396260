import { parse as parseBash } from 'unbash'
import { SIZE_MAX, tooLong } from '../words/gate.ts'
import { script } from './commands.ts'
import { HIDES } from './hidden.ts'
import { type ParseState, refuseText } from './parse-state.ts'
import type { Tree } from './tree.ts'

/** Unclosed braces cost the library quadratic time: 30,000 of them took 7 s. */
const BRACES_MAX = 2_000

export type Parsed = { readonly ok: true; readonly tree: Tree } | { readonly ok: false; readonly why: string }

/**
 * A text to a tree. Only this file and src/shell/grammar, whose files call each other as the grammar does, know the
 * library that reads it. It parses substitutions lazily, and they carry their own errors: everything is converted, at
 * every depth, and one error anywhere makes the whole text unjudgeable.
 */
export function parse(text: string): Parsed {
  const count = { words: 0, quoted: 0, hidden: false, evaluates: false, why: undefined }
  const job: ParseState = { source: text, fixedStart: undefined, depth: 0, count }
  if (hasTooManyBraces(text)) {
    return { ok: false, why: `it has more than ${BRACES_MAX} braces` }
  }
  let tree: Tree
  try {
    tree = script(parseBash(text), job)
  } catch {
    return { ok: false, why: 'the parser could not read it' }
  }
  const outside = text.length - job.count.quoted
  if (outside > SIZE_MAX) refuseText(job, tooLong(outside))
  if (job.count.hidden && job.count.evaluates) refuseText(job, HIDES)
  return job.count.why === undefined ? { ok: true, tree } : { ok: false, why: job.count.why }
}

function hasTooManyBraces(text: string): boolean {
  let count = 0
  for (let at = text.indexOf('{'); at !== -1; at = text.indexOf('{', at + 1)) {
    count += 1
    if (count >= BRACES_MAX) return true
  }
  return false
}
