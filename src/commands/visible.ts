import { INVISIBLE } from '../core/invisible.ts'

/**
 * Shows untrusted text on one line of a terminal: control characters are escaped, so the text cannot hide
 * anything. Text that is cut off is counted, because an attacker would hide something there.
 */
export function visible(text: string, charactersMax = 1_000): string {
  const more = text.length - charactersMax
  const shown = more > 0 ? `${text.slice(0, charactersMax)}... (${more} more characters)` : text
  return shown.replaceAll(
    INVISIBLE,
    (sign) => `\\u${(sign.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  )
}

/** Text of several lines, such as a list of what is missing: each line is shown as it is. */
export function visibleLines(text: string, indent = ''): string {
  return text
    .split('\n')
    .map((line) => visible(line, LINE_MAX))
    .join(`\n${indent}`)
}

/** Longer than any text in the journal. */
const LINE_MAX = 10_000

/** The same for JSON that is printed: the text means the same, and a terminal sees only plain characters. */
export function visibleJson(json: string): string {
  return json.replaceAll(INVISIBLE, (sign) =>
    sign === '\n'
      ? sign
      : [...Array(sign.length).keys()]
          .map((at) => `\\u${sign.charCodeAt(at).toString(16).padStart(4, '0')}`)
          .join(''),
  )
}
