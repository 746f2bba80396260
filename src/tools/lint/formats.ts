import type { LintFinding } from './check.ts'

/** Findings in the formats of other programs. */

/** SARIF 2.1.0, as code scanning services read it. Paths in the project are relative to it. */
export function sarif(findings: readonly LintFinding[], project: string, version: string): string {
  const rules = new Map(findings.map((finding) => [finding.rule, finding]))
  const ids = [...rules.keys()]
  const value = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'holdpoint',
            version,
            rules: [...rules.values()].map(({ rule, why, instead }) => ({
              id: rule,
              shortDescription: { text: why === '' ? rule : why },
              help: { text: instead === '' ? rule : instead },
            })),
          },
        },
        results: findings.map(({ rule, severity, file, line, column, what }) => ({
          ruleId: rule,
          ruleIndex: ids.indexOf(rule),
          level: severity,
          message: { text: what },
          locations: [
            {
              physicalLocation: {
                artifactLocation: artifactOf(file, project),
                region: { startLine: line, startColumn: column },
              },
            },
          ],
        })),
      },
    ],
  }
  return `${JSON.stringify(value, null, 2)}\n`
}

function artifactOf(file: string, project: string): { readonly uri: string; readonly uriBaseId?: string } {
  const inside = relativeTo(project, file)
  return inside === undefined
    ? { uri: `file://${encodeURI(file)}` }
    : { uri: encodeURI(inside), uriBaseId: '%SRCROOT%' }
}

function relativeTo(project: string, file: string): string | undefined {
  return file.startsWith(`${project}/`) ? file.slice(project.length + 1) : undefined
}

/** Workflow commands of GitHub Actions: each finding becomes an annotation. */
export function githubLines(findings: readonly LintFinding[], project: string): string {
  return findings
    .map(({ rule, severity, file, line, column, what, instead }) => {
      const path = property(relativeTo(project, file) ?? file)
      const title = property(`holdpoint ${rule}`)
      const text = data(instead === '' ? what : `${what} Instead: ${instead}`)
      return `::${severity} file=${path},line=${line},col=${column},title=${title}::${text}\n`
    })
    .join('')
}

function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
