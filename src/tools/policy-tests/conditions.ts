import type { RuleCondition, TextTest } from '../../core/rule.ts'

/** One condition of a rule that is not made of others, and where it stands. */
export interface ConditionLeaf {
  /** Steps from the top: positions in `all` and `any`, and into `not`. */
  readonly place: readonly number[]
  readonly condition: RuleCondition
  /** In words, as a person wrote it. */
  readonly text: string
}

export function leavesOf(condition: RuleCondition, place: readonly number[] = []): readonly ConditionLeaf[] {
  if (condition.kind === 'all' || condition.kind === 'any') {
    return condition.of.flatMap((each, index) => leavesOf(each, [...place, index]))
  }
  if (condition.kind === 'not') return leavesOf(condition.of, [...place, 0])
  return [{ place, condition, text: wordsOf(condition) }]
}

/** The same condition with the one at this place changed. */
export function withLeaf(
  condition: RuleCondition,
  [first, ...rest]: readonly number[],
  change: (leaf: RuleCondition) => RuleCondition,
): RuleCondition {
  if (first === undefined) return change(condition)
  if (condition.kind === 'not') return { kind: 'not', of: withLeaf(condition.of, rest, change) }
  if (condition.kind !== 'all' && condition.kind !== 'any') return condition
  return {
    kind: condition.kind,
    of: condition.of.map((each, index) => (index === first ? withLeaf(each, rest, change) : each)),
  }
}

/** Always holds. */
export const ALWAYS: RuleCondition = { kind: 'all', of: [] }

function wordsOf(condition: RuleCondition): string {
  switch (condition.kind) {
    case 'shell': {
      const parts = (['command', 'subcommand', 'flag', 'argument'] as const).flatMap((key) => {
        const tests = condition[key]
        return tests === undefined ? [] : [`${key}: ${textsOf(tests)}`]
      })
      return `shell: { ${parts.join(', ')} }`
    }
    case 'path':
      return `${condition.outside === true ? 'outside' : 'path'}: ${condition.globs.join(' | ')}`
    case 'input':
      return `input: ${condition.field}`
    case 'branch':
    case 'permissionMode':
      return `${condition.kind}: ${textsOf(condition.text)}`
    case 'cwd':
      return `cwd: ${condition.globs.join(' | ')}`
    case 'seen':
      return 'seen'
    default:
      return condition.kind
  }
}

function textsOf(tests: readonly TextTest[]): string {
  return tests.map(({ pattern }) => patternText(pattern)).join(' | ')
}

function patternText(pattern: TextTest['pattern']): string {
  if (pattern.kind === 'names') return pattern.names.join(' | ')
  if (pattern.kind === 'glob') return pattern.globs.join(' | ')
  return pattern.kind === 'regex' ? `/${pattern.source}/` : 'nothing'
}
