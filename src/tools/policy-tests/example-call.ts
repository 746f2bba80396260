import type { Hook, Pattern } from '../../core/hook.ts'
import type { JsonObject } from '../../core/json.ts'
import type { RuleCondition, TextTest } from '../../core/rule.ts'
import { ruleRunOf } from '../../core/rule.ts'
import { leavesOf } from './conditions.ts'
import type { CallConfig } from './schema.ts'

/** Calls that a rule is probably about, made from its own patterns. A guess: whoever uses one must try it. */
export function callsFor({ match, run }: Hook): readonly CallConfig[] {
  const rule = ruleRunOf(run)
  if (rule === undefined) return []
  const leaves = leavesOf(rule.when).map(({ condition }) => condition)
  const commands = leaves.flatMap(commandOf)
  const path = leaves.flatMap((leaf) => (leaf.kind === 'path' ? leaf.globs.map(textOf) : []))[0]
  const input: JsonObject = Object.fromEntries(leaves.flatMap(fieldOf))
  const tool = match.subject === undefined ? undefined : firstText(match.subject)
  const file = path === undefined ? {} : { file_path: path }
  return [
    ...(commands.length === 0 ? [] : [{ command: commands.join(' && ') }]),
    ...commands.map((command) => ({ command })),
    ...(path === undefined ? [] : [{ command: `cat ${path}` }, { command: `touch ${path}` }]),
    ...[tool ?? 'Write'].map((name) => ({ tool: name, input: { content: 'x', ...file, ...input } })),
    ...(tool === 'Bash' || tool === undefined ? [{ command: 'true' }] : []),
  ]
}

function commandOf(condition: RuleCondition): readonly string[] {
  if (condition.kind !== 'shell') return []
  const { command, subcommand, flag, argument } = condition
  const words = [command ?? [], subcommand ?? [], flag ?? [], argument ?? []].map(
    (tests: readonly TextTest[]) => tests[0] && firstText(tests[0].pattern),
  )
  const [program = 'true', ...rest] = words
  return [[program, ...rest.filter((word) => word !== undefined)].join(' ')]
}

function fieldOf(condition: RuleCondition): readonly (readonly [string, string | number | boolean])[] {
  if (condition.kind !== 'input' || condition.field.includes('.')) return []
  const [test] = condition.tests
  if (test?.kind === 'text')
    return [[condition.field, (test.any[0] && firstText(test.any[0].pattern)) ?? 'x']]
  if (test?.kind === 'equals') {
    const { value } = test
    return typeof value === 'object' ? [] : [[condition.field, value]]
  }
  return test?.kind === 'longerThan' ? [[condition.field, 'x'.repeat(Math.min(test.size + 1, 10_000))]] : []
}

function firstText(pattern: Pattern): string | undefined {
  if (pattern.kind === 'names') return pattern.names[0]
  if (pattern.kind === 'glob') return pattern.globs[0] === undefined ? undefined : textOf(pattern.globs[0])
  return pattern.kind === 'regex' ? pattern.source.replaceAll(/[\\^$.*+?()[\]{}|]/g, '') : undefined
}

/** A text that a glob holds: stars become a letter. */
function textOf(glob: string): string {
  return glob.replaceAll('**/', '').replaceAll(/\*+/g, 'x').replaceAll('?', 'x')
}
