import type { LintFinding } from './check.ts'

/**
 * The text with every finding corrected that has exactly one right answer. Undefined: nothing can be corrected.
 * A replacement is made only where the old word stands at the place of the finding.
 */
export function applyFixes(text: string, findings: readonly LintFinding[]): string | undefined {
  const lines = text.split('\n')
  let count = 0
  // From the end of a line to its start, so that earlier columns stay right.
  const sorted = findings.toSorted((a, b) => b.line - a.line || b.column - a.column)
  for (const { line, column, replace } of sorted) {
    const written = lines[line - 1]
    if (replace === undefined || written === undefined) continue
    const start = startOf(written, column - 1, replace.old)
    if (start === undefined) continue
    lines[line - 1] = written.slice(0, start) + replace.with + written.slice(start + replace.old.length)
    count += 1
  }
  return count === 0 ? undefined : lines.join('\n')
}

/** The old word itself, or in quotes. */
function startOf(line: string, at: number, old: string): number | undefined {
  if (line.startsWith(old, at)) return at
  const quote = line[at]
  return (quote === '"' || quote === "'") && line.startsWith(`${old}${quote}`, at + 1) ? at + 1 : undefined
}
