/** The YAML at the head of a Markdown file. */
export interface Head {
  /** With an empty line in the place of the opening one, so that lines count as in the file. */
  readonly yaml: string
  /** False: no line ends it, so it may be a rule (`---`) at the top of a page. */
  readonly isClosed: boolean
}

/** Undefined: the file does not begin with a `---` line. */
export function headOf(text: string): Head | undefined {
  const opening = /^\uFEFF?---[ \t]*\r?\n/.exec(text)
  if (opening === null) return undefined
  const rest = text.slice(opening[0].length)
  const closing = /(?:^|\r?\n)---/.exec(rest)
  return { yaml: `\n${closing === null ? rest : rest.slice(0, closing.index)}`, isClosed: closing !== null }
}

/** Whether somebody wrote a `hooks` key, however broken the rest is. One too many is the safe mistake. */
export function namesHooks(yaml: string): boolean {
  return /^[ \t]*(?:[{?][ \t]*)*['"]?hooks['"]?[ \t]*:/m.test(yaml)
}

/**
 * The blocks `name` and `hooks`, every other line empty. Descriptions are often not quite YAML (`description: Use
 * when: ...`), and agents read such files all the same.
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
