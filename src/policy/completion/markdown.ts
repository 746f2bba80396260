/** Reads just enough Markdown to find prose: lines that are not code, and headings. */

/** The lines outside fenced code and comments. A removed line becomes empty. */
export function proseLines(text: string): readonly string[] {
  let fence: string | undefined
  let inComment = false
  const unmarked = text.startsWith('\uFEFF') ? text.slice(1) : text
  return unmarked.split(/\r\n|\r|\n/).map((line) => {
    if (fence !== undefined) {
      if (closes(line, fence)) fence = undefined
      return ''
    }
    if (inComment) {
      inComment = !line.includes('-->')
      return ''
    }
    fence = FENCE.exec(line)?.[1]
    if (fence !== undefined) return ''
    const comment = line.lastIndexOf('<!--')
    inComment = comment >= 0 && !line.includes('-->', comment)
    return /^\s*<!--/.test(line) ? '' : line
  })
}

/** The headings that the text does not have. `**a label**` at the start of a line also counts as a heading. */
export function missingHeadings(text: string, headings: readonly string[]): readonly string[] {
  const lines = proseLines(text)
  const found = lines.flatMap((line, index) => headingIn(line, lines[index + 1] ?? '')).map(folded)
  return headings.filter((heading) => {
    const wanted = folded(heading)
    return !found.some((each) => each.startsWith(wanted) && ENDED.test(each.slice(wanted.length)))
  })
}

/** A backtick fence has no backtick after it; otherwise it would be inline code. */
const FENCE = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/

function closes(line: string, fence: string): boolean {
  const text = line.trim()
  const sign = fence.charAt(0)
  return /^ {0,3}\S/.test(line) && text.length >= fence.length && text === sign.repeat(text.length)
}

function headingIn(line: string, next: string): readonly string[] {
  // With more indentation it is code.
  if (!/^ {0,3}\S/.test(line)) return []
  const text = line.trim()
  const atx = /^#{1,6}(?:\s+|$)/.exec(text)?.[0]
  if (atx !== undefined) return [text.slice(atx.length).replace(/\s#+$/, '')]
  const bold = /^(\*\*|__)(?=\S)/.exec(text)?.[0]
  if (bold !== undefined) {
    const end = text.indexOf(bold, bold.length)
    return end < 0 ? [] : [text.slice(bold.length, end)]
  }
  return /^ {0,3}(?:=+|-+)\s*$/.test(next) ? [text] : []
}

/** The text of a heading, without emphasis and number. */
function folded(heading: string): string {
  return heading
    .replace(/[*_`]/g, '')
    .trim()
    .replace(/^\d+[.)]\s+/, '')
    .replace(/\s+/g, ' ')
    .toLowerCase()
}

/** After the words of a heading only punctuation may follow: "Unresolved: none", but not "What I didn't do". */
const ENDED = /^\s*(?:$|[^\s\p{L}\p{N}'’])/u
