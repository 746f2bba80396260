import { RE2JS } from 're2js'
import { bad, good, type Result } from './errors.ts'
import type { RegexEngine } from './pattern.ts'
import type { Masker } from './redact.ts'
import { mask } from './redact-mask.ts'
import { regexCost } from './regex-cost.ts'

/**
 * The only file that knows the regex engine. Regexes come from files other people wrote, so every one is measured
 * before it is compiled, and compiled before it is believed.
 */
export const linearEngine: RegexEngine = {
  compile(source) {
    const regex = RE2JS.compile(source)
    return (word) => regex.test(word)
  },
}

/** Hides what a regex matches. Runs over whole texts, so only the linear engine will do. */
export function linearMasker(source: string): Masker {
  const regex = RE2JS.compile(source)
  return (text) => regex.matcher(text).replaceAll(mask('custom'))
}

export function isLinear(source: string): boolean {
  return regexCost(source).size <= SIZE_MAX && !QUOTED.test(source) && linearFault(source) === undefined
}

/**
 * Which engine may run this regex. The linear one wherever it can; JavaScript's for what only that one reads
 * (look-around, back-references) as long as the worst word is cheap; otherwise a problem that says what and where.
 */
export function checkRegex(
  source: string,
  reading: 'own' | 'javascript' = 'own',
): Result<'linear' | 'backtracking'> {
  const cost = regexCost(source)
  if (cost.size > SIZE_MAX) return refused(source, 'repeats too much: it would be too large to run')
  // The two engines read it differently, and what it hides from the estimate is not worth a second estimate.
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

/** Valid for both engines, with different meanings: anchors, classes and escapes only the linear one knows. */
const READ_DIFFERENTLY = /\\[AzapPC]|\\x\{|\\[0-7]{2}|\[\^?\]|\[\[:|\[\^\[:|[\ud800-\udfff]/

/** Why the linear engine cannot run it, with the place; undefined when it can. */
function linearFault(source: string): string | undefined {
  try {
    RE2JS.compile(source)
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
    // "Invalid regular expression: /SOURCE/: Invalid group": the end is the news.
    const message = error instanceof Error ? error.message : ''
    return message.slice(message.lastIndexOf(': ') + 2).toLowerCase()
  }
}

/** The engine names the fragment, not its place; the place is said only where the fragment occurs once. */
function placeOf(source: string, fragment: unknown): string {
  if (typeof fragment !== 'string' || fragment === '') return ''
  if (fragment === source) return `, at character ${(unbalanced(source) ?? 0) + 1}`
  const at = source.indexOf(fragment)
  const once = at >= 0 && source.indexOf(fragment, at + 1) < 0
  return ` at \`${fragment.slice(0, 40)}\`${once ? `, character ${at + 1}` : ''}`
}

/** The index of the first `)` that closes nothing, or of the last `(` nothing closes. */
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
