/** Characters that are two cells wide in a terminal. */
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{1f300}-\u{1faff}]|[\u{20000}-\u{3fffd}]/gu

/** The width of a text in terminal cells. `cellsOf('日本')` is 4. */
export function cellsOf(text: string): number {
  return [...text].length + (text.match(WIDE)?.length ?? 0)
}
