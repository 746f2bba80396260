/**
 * A stranger's text on one line of a terminal: it moves no cursor, turns no line around and hides nothing. What is cut
 * off is counted, because that is where something would be hidden.
 */
export function visible(text: string, charactersMax = 1_000): string {
  const more = text.length - charactersMax
  const shown = more > 0 ? `${text.slice(0, charactersMax)}... (${more} more characters)` : text
  return shown.replaceAll(
    INVISIBLE,
    (sign) => `\\u${(sign.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  )
}

/** Control characters, directions, zero widths, fillers, tags. A tab is harmless. */
const INVISIBLE =
  /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\u{e0000}-\u{e0fff}]/gu
