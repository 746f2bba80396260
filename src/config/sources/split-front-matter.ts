/** The YAML front matter of a Markdown file. */
export interface Frontmatter {
  /** With an empty first line instead of the opening one, so that line numbers match the file. */
  readonly yaml: string
  /** False: no line ends it, so it may be a horizontal rule (`---`) at the top of a page. */
  readonly isClosed: boolean
}

/** Undefined: the file does not begin with a `---` line. */
export function frontmatterOf(text: string): Frontmatter | undefined {
  const opening = /^\uFEFF?---[ \t]*\r?\n/.exec(text)
  if (opening === null) return undefined
  const rest = text.slice(opening[0].length)
  const closing = /(?:^|\r?\n)---/.exec(rest)
  return { yaml: `\n${closing === null ? rest : rest.slice(0, closing.index)}`, isClosed: closing !== null }
}

/** Whether there is a `hooks` key, even if the rest is broken. A false positive is the safe error. */
export function namesHooks(yaml: string): boolean {
  return /^[ \t]*(?:[{?][ \t]*)*['"]?hooks['"]?[ \t]*:/m.test(yaml)
}

/**
 * The blocks `name` and `hooks`, with every other line empty. Descriptions are often not valid YAML (`description: Use
 * when: ...`), and agents accept such files.
 */
export function ownBlocks(yaml: string): string {
  let isOwn = false
  const lines = yaml.split('\n').map((line) => {
    const key = /^(['"]?)([^\s'"#][^:]*?)\1[ \t]*:(?=\s|$)/.exec(line)?.[2]
    if (key !== undefined) isOwn = key === 'name' || key === 'hooks'
    return isOwn ? line : ''
  })
  return lines.join('\n')
}
