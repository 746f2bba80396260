import { parseConfig } from '../config/read-layer.ts'
import { printable } from '../config/sources/problems.ts'
import { ERRORS, HoldpointError } from '../core/errors.ts'
import { VERSION } from '../core/version.ts'
import { findProject } from '../system/project.ts'
import { writeSettings } from '../system/settings-file.ts'
import { applyFixes } from '../tools/lint/apply-fixes.ts'
import type { LintFinding } from '../tools/lint/check.ts'
import { githubLines, sarif } from '../tools/lint/formats.ts'
import { lintClaude } from '../tools/lint/lint.ts'
import { withoutSilenced } from '../tools/lint/silence.ts'
import { type Caller, homeNamed } from './caller.ts'
import { diskFacts } from './lint-disk.ts'
import { lintInForce, lintNamed, readText } from './lint-files.ts'
import { fitted, plural, screenWidth } from './screen.ts'

interface LintOptions {
  readonly json?: boolean
  readonly format?: LintFormat
  readonly fix?: boolean
  readonly maxWarnings?: string
  readonly home?: string
}

type LintFormat = 'text' | 'json' | 'github' | 'sarif'

/**
 * Checks hook configurations, Holdpoint's own and Claude Code's, and prints what is wrong. Runs nothing, and
 * changes nothing without `--fix`.
 */
export async function lint(caller: Caller, files: readonly string[], options: LintOptions): Promise<void> {
  const home = homeNamed(caller, options.home)
  const project = findProject(caller.cwd)
  const maxWarnings = warningsAllowed(options.maxWarnings)
  const look = async () => {
    const found =
      files.length > 0 ? await lintNamed(caller, files, home, project) : await lintInForce(home, project)
    return withoutSilenced(found.findings, (file) => textOf(file, project), found.files)
  }
  const first = await look()
  const fixed = options.fix === true ? await fixFiles(caller, first, project) : []
  for (const file of fixed) caller.stderr.write(`corrected ${printable(file)}\n`)
  if (fixed.length > 0) {
    caller.stderr.write('Files that you trusted have changed: run `holdpoint trust` to trust them again.\n')
  }
  const findings = fixed.length === 0 ? first : await look()
  const errors = findings.filter(({ severity }) => severity === 'error').length
  const counts = { errors, warnings: findings.length - errors }
  caller.stdout.write(printed(caller, findings, counts, project, options))
  if (errors === 0 && counts.warnings > maxWarnings) {
    caller.stderr.write(`holdpoint: ${counts.warnings} warnings; --max-warnings allows ${maxWarnings}.\n`)
  }
  if (errors > 0 || counts.warnings > maxWarnings) caller.exitCode = 1
}

function warningsAllowed(written: string | undefined): number {
  if (written === undefined) return Number.POSITIVE_INFINITY
  if (/^\d{1,9}$/.test(written)) return Number(written)
  throw new HoldpointError({
    code: 'OPTION_INVALID',
    key: '--max-warnings',
    message: `\`${printable(written)}\` is not a whole number.`,
  })
}

interface Counts {
  readonly errors: number
  readonly warnings: number
}

function printed(
  caller: Caller,
  findings: readonly LintFinding[],
  counts: Counts,
  project: string,
  options: LintOptions,
): string {
  switch (options.json === true ? 'json' : (options.format ?? 'text')) {
    case 'json':
      return `${JSON.stringify({ version: 1, ...counts, findings }, null, 2)}\n`
    case 'sarif':
      return sarif(findings, project, VERSION)
    case 'github':
      return githubLines(findings, project)
    default:
      return report(caller, findings, counts)
  }
}

function textOf(file: string, project: string): string | undefined {
  const text = readText({ path: file, rank: 'project', named: false }, project)
  return text?.ok === true ? text.value : undefined
}

/** Corrects what has one right answer. A file that is not better afterwards stays as it was. */
async function fixFiles(
  caller: Caller,
  findings: readonly LintFinding[],
  project: string,
): Promise<readonly string[]> {
  const files = new Set(findings.filter(({ replace }) => replace !== undefined).map(({ file }) => file))
  const fixed: string[] = []
  for (const file of files) {
    const text = textOf(file, project)
    const own = findings.filter((finding) => finding.file === file)
    const corrected = text === undefined ? undefined : applyFixes(text, own)
    if (text === undefined || corrected === undefined) continue
    if ((await errorsOf(caller, file, corrected, project)) >= (await errorsOf(caller, file, text, project)))
      continue
    const written = writeSettings(file, text, corrected)
    if (!written.ok) throw new HoldpointError(written.problem)
    fixed.push(file)
  }
  return fixed
}

/** How much is wrong with a text, in the words of its reader. Cannot be read at all: infinitely much. */
async function errorsOf(caller: Caller, path: string, text: string, project: string): Promise<number> {
  if (path.endsWith('.json')) {
    const found = lintClaude([{ path, text }], diskFacts(project, caller.userHome))
    return found.some(({ rule }) => rule in ERRORS) ? Number.POSITIVE_INFINITY : found.length
  }
  const layer = await parseConfig(text, { path, rank: 'project', trusted: false, root: project })
  return layer.ok ? layer.value.problems.length : Number.POSITIVE_INFINITY
}

/** The reason and the fix are printed once for each rule. */
function report(
  caller: Caller,
  findings: readonly LintFinding[],
  { errors, warnings }: { readonly errors: number; readonly warnings: number },
): string {
  const told = new Set<string>()
  const blocks = findings.map(({ rule, severity, file, line, column, what, why, instead }) => {
    const colour = severity === 'error' ? caller.colours.red : caller.colours.yellow
    const head = `${printable(file)}:${line}:${column} ${colour(severity)} ${caller.colours.bold(rule)} ${what}`
    const more = [why, instead === '' ? '' : `Instead: ${instead}`].filter((text) => text !== '')
    const isNew = (text: string) => !told.has(`${rule} ${text}`)
    const shown = more.filter(isNew)
    for (const text of shown) told.add(`${rule} ${text}`)
    return [head, ...shown.map((text) => `  ${text}`)]
      .map((text) => fitted(text, screenWidth(caller.stdout)))
      .join('\n')
  })
  const fixable = findings.filter(({ replace }) => replace !== undefined).length
  const hint = fixable === 0 ? '' : ` \`holdpoint lint --fix\` corrects ${fixable}.`
  const sum =
    findings.length === 0
      ? 'No problems found.'
      : `${plural(errors, 'error')}, ${plural(warnings, 'warning')}.${hint}`
  return `${[...blocks, sum].join('\n')}\n`
}
