/** Untrusted text inside a page: no tag, attribute or entity, and nothing that changes the text direction. */
export function escaped(text: string): string {
  return text.replace(INVISIBLE, '\ufffd').replace(/[&<>"'`]/g, (sign) => `&#${sign.codePointAt(0)};`)
}

/**
 * Control characters, text directions, hidden spaces and unpaired surrogates: not allowed in a page, or
 * invisible.
 */
const INVISIBLE =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

/** Cut to about this many characters; the table has the full text. */
export function cut(text: string, charactersMax: number): string {
  const signs = [...text]
  return signs.length > charactersMax ? `${signs.slice(0, charactersMax - 1).join('')}…` : text
}
