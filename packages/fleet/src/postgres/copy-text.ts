/** Values as `COPY … FROM STDIN` reads them. It is several times faster than INSERT. */

/** What has a meaning in COPY. JavaScript's replace with a function is slow, so texts without it are not touched. */
const SPECIAL = /[\\\n\r\t]/
const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }

export function copyText(text: string): string {
  return SPECIAL.test(text) ? text.replace(/[\\\n\r\t]/g, (character) => ESCAPES[character] ?? '') : text
}

/** From hexadecimal text. */
export function copyBytes(hex: string): string {
  return `\\\\x${hex}`
}

export function copyTexts(texts: readonly string[]): string {
  if (texts.length === 0) return '{}'
  return copyText(`{${texts.map((text) => `"${text.replace(/["\\]/g, '\\$&')}"`).join(',')}}`)
}
