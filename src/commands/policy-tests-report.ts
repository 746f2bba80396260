import type { Finding } from '../core/decision.ts'
import type { JsonObject } from '../core/json.ts'
import type { CaseResult } from '../tools/policy-tests/run-case.ts'
import type { Colours } from './caller.ts'
import type { TestReport } from './policy-tests.ts'
import { problemLine } from './problem-line.ts'
import { visible } from './visible.ts'

type Print = (line: string) => void

/**
 * The report for people: each case, and for a failed case what differs, which hooks decided, and how to
 * investigate.
 */
export function printReport(
  colours: Colours,
  report: TestReport,
  near: (path: string) => string,
  print: Print,
): void {
  const { results, silent, problems } = report
  let file = ''
  for (const result of results) {
    if (result.file !== file) print(colours.bold(visible(near(result.file))))
    file = result.file
    printCase(colours, result, near, print)
  }
  const failed = results.filter(({ ok }) => !ok).length
  const passed = `${results.length - failed} passed`
  if (results.length === 0) print(colours.red('there are no cases in these files'))
  else print(failed === 0 ? colours.green(passed) : `${passed}, ${colours.red(`${failed} failed`)}`)
  if (silent.length > 0) {
    const names = silent.slice(0, SILENT_MAX).map(({ id, origin }) => {
      const line = origin.line === undefined ? '' : `:${origin.line}`
      return `${visible(id)} (${visible(near(origin.file))}${line})`
    })
    const more = silent.length > SILENT_MAX ? `, and ${silent.length - SILENT_MAX} more` : ''
    print(`${colours.yellow('not exercised by any case:')} ${names.join(', ')}${more}`)
  } else if (results.length > 0)
    print(colours.dim('every rule and hook of the project was used by some case'))
  for (const problem of problems) print(`${colours.yellow('configuration')} ${problemLine(problem, near)}`)
}

const SILENT_MAX = 10

function printCase(colours: Colours, result: CaseResult, near: (path: string) => string, print: Print): void {
  const mark = result.ok ? colours.green('✓') : colours.red('✗')
  print(`  ${mark} ${visible(result.name)}`)
  if (result.ok) return
  for (const difference of result.differences) print(`      ${visible(difference)}`)
  for (const finding of result.spoke) print(`      ${colours.dim(spokeLine(finding))}`)
  print(`      ${colours.dim(`at ${visible(near(result.file))}:${result.line}`)}`)
  const closer = explainCommand(result)
  if (closer !== undefined) print(`      ${colours.dim(closer)}`)
}

function spokeLine({ effect, hook, guard, reason, notices, failed }: Finding): string {
  const why = reason ?? notices?.join(' ') ?? ''
  return visible(`${failed === undefined ? effect : 'failed'} ${guard ?? hook}: ${why}`, 300)
}

/** The `explain` command for the same call. Undefined if its options cannot express the call. */
function explainCommand({ config }: CaseResult): string | undefined {
  if (config === undefined || typeof config.event === 'object') return undefined
  const { command, tool, input, event, actor, files, before, env } = config
  if ((files ?? before ?? env) !== undefined) return undefined
  const name = command === undefined ? tool : 'Bash'
  const args = JSON.stringify(command === undefined ? (input ?? {}) : { command })
  const skills = typeof actor?.skill === 'string' ? [actor.skill] : (actor?.skill ?? [])
  const words = [
    'holdpoint explain',
    ...(event === undefined ? [] : [`--event ${event}`]),
    ...(name === undefined ? [] : [`--tool ${quoted(name)}`]),
    `--args ${quoted(args)}`,
    ...skills.map((skill) => `--skill ${quoted(skill)}`),
    ...(actor?.agentType === undefined ? [] : [`--agent-type ${quoted(actor.agentType)}`]),
  ]
  return visible(words.join(' '), 1_000)
}

function quoted(word: string): string {
  return /^[\w./:-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}

/** The report for programs. */
export function reportJson({ results, silent, problems }: TestReport): JsonObject {
  const cases = results.map(({ file, line, name, ok, expected, actual, differences, spoke }) => ({
    file,
    line,
    name,
    ok,
    expected: expected ?? null,
    actual: actual ?? null,
    by: spoke.map(({ guard, hook }) => guard ?? hook),
    differences,
  }))
  const failed = results.filter(({ ok }) => !ok).length
  const value = { passed: results.length - failed, failed, cases, unexercised: silent, problems }
  return JSON.parse(JSON.stringify(value)) as JsonObject
}
