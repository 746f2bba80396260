import type { LintFinding } from './check.ts'

/** Comments that silence a rule: on the line of the finding, or on a line of their own above it. */
const COMMENT = /#\s*holdpoint-lint-ignore(?<rest>[^\n]*)/
const RULES = /^\s+(?<rules>[\w-]+(?:\s*,\s*[\w-]+)*)\s*:\s*(?<reason>\S.*)$/

/**
 * Without the findings that a comment silences (`# holdpoint-lint-ignore no-on-failure: fails loudly anyway`).
 * A comment without a rule or a reason silences nothing, and one that silences nothing is a finding itself.
 */
export function withoutSilenced(
  findings: readonly LintFinding[],
  textOf: (file: string) => string | undefined,
  files: readonly string[],
): readonly LintFinding[] {
  return files.reduce((left, file) => silenceIn(file, textOf(file) ?? '', left), findings)
}

function silenceIn(file: string, text: string, findings: readonly LintFinding[]): readonly LintFinding[] {
  const lines = text.split('\n')
  let left = findings
  const own: LintFinding[] = []
  for (const [index, line] of lines.entries()) {
    const rest = COMMENT.exec(line)?.groups?.rest
    if (rest === undefined) continue
    const { rules = '', reason } = RULES.exec(rest)?.groups ?? {}
    const isAlone = line.trimStart().startsWith('#')
    const target = isAlone ? nextLine(lines, index) : index + 1
    const named = new Set(rules.split(',').map((rule) => rule.trim()))
    const isSilenced = (finding: LintFinding) =>
      finding.file === file && finding.line === target && named.has(finding.rule)
    const at = { file, line: index + 1, column: line.indexOf('#') + 1 }
    if (reason === undefined) own.push(withoutReason(at))
    else if (!left.some(isSilenced)) own.push(unused(at, rules))
    else left = left.filter((finding) => !isSilenced(finding))
  }
  return [...left, ...own]
}

/** The next line with something on it, counted from one. */
function nextLine(lines: readonly string[], index: number): number {
  const next = lines.findIndex((line, at) => at > index && !/^\s*(?:#.*)?$/.test(line))
  return next + 1
}

type At = Pick<LintFinding, 'file' | 'line' | 'column'>

function withoutReason(at: At): LintFinding {
  return {
    ...at,
    rule: 'ignore-without-reason',
    severity: 'warning',
    what: 'This comment silences nothing: it names no rule, or gives no reason.',
    why: 'Readers must be able to see why a finding does not count.',
    instead: 'Write `# holdpoint-lint-ignore rule-id: the reason`.',
  }
}

function unused(at: At, rules: string): LintFinding {
  return {
    ...at,
    rule: 'ignore-unused',
    severity: 'warning',
    what: `There is no finding of ${rules} here.`,
    why: 'A comment that silences nothing hides the next mistake.',
    instead: 'Remove the comment.',
  }
}
