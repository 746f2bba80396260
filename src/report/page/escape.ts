/** A stranger's text inside a page: no tag, no attribute, no entity, and nothing that turns the line around. */
export function escaped(text: string): string {
  return text.replace(INVISIBLE, '\ufffd').replace(/[&<>"'`]/g, (sign) => `&#${sign.codePointAt(0)};`)
}

/** Control characters, directions, hidden spaces and half characters, none of which a page may hold or anybody sees. */
const INVISIBLE =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

/** Cut to about so many characters; the whole of it stands in the table. */
export function cut(text: string, charactersMax: number): string {
  const signs = [...text]
  return signs.length > charactersMax ? `${signs.slice(0, charactersMax - 1).join('')}…` : text
}
