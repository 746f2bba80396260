import { bad, good, type Result } from '../errors.ts'
import { mask } from '../redact/mask.ts'
import type { Masker } from '../redact/redact.ts'
import { compileLinear } from './linear-regex.ts'
import type { RegexEngine } from './pattern.ts'
import { regexCost } from './regex-cost.ts'

/**
 * Regexes come from files that other people wrote, so the cost of each is
 * estimated before it is compiled, and it is compiled before it is accepted.
 */
export const linearEngine: RegexEngine = {
  compile(source) {
    const regex = compileLinear(source)
    return (word) => regex.test(word)
  },
}

/** Masks the matches of a regex. It runs over whole texts, so only the linear engine is allowed. */
export function linearMasker(source: string): Masker {
  const regex = compileLinear(source)
  return (text) => regex.matcher(text).replaceAll(mask('custom'))
}

export function isLinear(source: string): boolean {
  return regexCost(source).size <= SIZE_MAX && !QUOTED.test(source) && linearFault(source) === undefined
}

/**
 * Which engine may run this regex: the linear one if possible. JavaScript's engine for syntax that only it supports
 * (look-around, back-references), if the worst case is cheap. Otherwise a problem that says what and where.
 */
export function checkRegex(
  source: string,
  reading: 'own' | 'javascript' = 'own',
): Result<'linear' | 'backtracking'> {
  const cost = regexCost(source)
  if (cost.size > SIZE_MAX) return refused(source, 'repeats too much: it would be too large to run')
  // The two engines read `\Q` differently, and it hides text from the estimate.
  if (QUOTED.test(source)) return refused(source, 'uses `\\Q`; escape each character with `\\` instead')

  const linear = linearFault(source)
  const javascript = javascriptFault(source)
  if (
    linear === undefined &&
    (reading === 'own' || (javascript === undefined && !READ_DIFFERENTLY.test(source)))
  ) {
    return good('linear')
  }
  if (javascript !== undefined) return refused(source, `is not a valid regex: ${linear ?? javascript}`)
  if (cost.steps > STEPS_MAX) {
    return refused(
      source,
      'uses look-around or a back-reference together with repeats that could take forever; simplify it',
    )
  }
  return good('backtracking')
}

/** About ten milliseconds to compile, and less than a second on the longest word that is tried. */
const SIZE_MAX = 5_000
/** Well below a tenth of a second. */
const STEPS_MAX = 5_000_000

const QUOTED = /\\Q/

/** Valid in both engines with different meanings: anchors, classes and escapes that only the linear one knows. */
const READ_DIFFERENTLY = /\\[AzapPC]|\\x\{|\\[0-7]{2}|\[\^?\]|\[\[:|\[\^\[:|[\ud800-\udfff]/

/** Why the linear engine cannot run it, with the place; undefined when it can. */
function linearFault(source: string): string | undefined {
  try {
    compileLinear(source)
    return undefined
  } catch (error) {
    const fault = error as { readonly error?: unknown; readonly input?: unknown }
    if (typeof fault.error !== 'string') return 'it cannot be read'
    return `${fault.error}${placeOf(source, fault.input)}`
  }
}

function javascriptFault(source: string): string | undefined {
  try {
    new RegExp(source)
    return undefined
  } catch (error) {
    // "Invalid regular expression: /SOURCE/: Invalid group": only the end is new.
    const message = error instanceof Error ? error.message : ''
    return message.slice(message.lastIndexOf(': ') + 2).toLowerCase()
  }
}

/** The engine reports the fragment, not its position. The position is added if the fragment occurs only once. */
function placeOf(source: string, fragment: unknown): string {
  if (typeof fragment !== 'string' || fragment === '') return ''
  if (fragment === source) return `, at character ${(unbalanced(source) ?? 0) + 1}`
  const at = source.indexOf(fragment)
  const once = at >= 0 && source.indexOf(fragment, at + 1) < 0
  return ` at \`${fragment.slice(0, 40)}\`${once ? `, character ${at + 1}` : ''}`
}

/** The index of the first unmatched `)`, or of the last unmatched `(`. */
function unbalanced(source: string): number | undefined {
  const open: number[] = []
  let inClass = false
  for (let at = 0; at < source.length; at += 1) {
    const character = source[at]
    if (character === '\\') at += 1
    else if (inClass) inClass = character !== ']'
    else if (character === '[') inClass = true
    else if (character === '(') open.push(at)
    else if (character === ')' && open.pop() === undefined) return at
  }
  return open.at(-1)
}

function refused(source: string, why: string): Result<never> {
  const shown = source.length > 60 ? `${source.slice(0, 60)}...` : source
  return bad('CONFIG_MATCHER', `The pattern \`${shown}\` ${why}.`)
}
