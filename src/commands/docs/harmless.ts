/**
 * Removes control characters, and characters that are invisible or change the direction of a line. Tabs and
 * newlines stay. The pages are Holdpoint's own, but a terminal executes any control sequence, so none is
 * printed.
 */
export function withoutControls(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n').replaceAll(CONTROLS, '')
}

const CONTROLS =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e0fff}]/gu
