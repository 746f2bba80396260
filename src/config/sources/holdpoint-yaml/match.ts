import type { EventKind } from '../../../core/event.ts'
import type { ActorScope, Matcher, Pattern } from '../../../core/hook.ts'
import type { Path } from '../locate.ts'
import { whyNever } from './never-matches.ts'
import type { YamlReader } from './reading.ts'
import type { HookConfig } from './schema.ts'

/** `match` and `actor`, which rules and hooks have in common. Undefined: a pattern is wrong, and was reported. */
export function readMatch(
  match: HookConfig['match'],
  path: Path,
  reading: YamlReader,
  on: readonly EventKind[],
): Matcher | undefined {
  if (match === undefined) return {}
  if (typeof match === 'string') return readPatterns({ subject: match }, () => path, reading, on)
  const { agentName, ...rest } = match
  if (agentName === undefined) return readPatterns(rest, (key) => [...path, key], reading, on)
  if (rest.agentType !== undefined) {
    const message = '`agentName` is another name for `agentType`; use only one of them.'
    reading.problems.add('CONFIG_KEY', [...path, 'agentName'], message, { part: 'key' })
    return undefined
  }
  const nameOf = (key: string) => (key === 'agentType' ? 'agentName' : key)
  return readPatterns({ ...rest, agentType: agentName }, (key) => [...path, nameOf(key)], reading, on)
}

export function readActor(
  actor: HookConfig['actor'],
  path: Path,
  reading: YamlReader,
): ActorScope | undefined {
  if (actor === undefined) return {}
  const { agentType, ...rest } = actor
  const patterns = readPatterns(
    agentType === undefined ? {} : { agentType },
    (key) => [...path, key],
    reading,
  )
  return patterns && { ...rest, ...patterns }
}

/** Undefined if a pattern is wrong. Every wrong one is reported. A pattern that matches everything is removed. */
function readPatterns<Key extends string>(
  texts: Readonly<Partial<Record<Key, string>>>,
  pathOf: (key: string) => Path,
  { readMatcher, problems }: YamlReader,
  on: readonly EventKind[] = [],
): Partial<Record<Key, Pattern>> | undefined {
  const patterns: [string, Pattern][] = []
  let isGood = true
  for (const [key, text] of Object.entries<string | undefined>(texts)) {
    if (text === undefined) continue
    const matcher = readMatcher(text, 'auto')
    if (!matcher.ok) {
      problems.add('CONFIG_MATCHER', pathOf(key), matcher.problem.message)
      isGood = false
      continue
    }
    const { pattern, warning } = matcher.value
    if (warning !== undefined) problems.add('CONFIG_MATCHER', pathOf(key), warning, { severity: 'warning' })
    if (pattern === undefined) continue
    const never = warning === undefined && on.length > 0 ? whyNever(key, text, pattern, on) : undefined
    if (never !== undefined) problems.add('CONFIG_MATCHER', pathOf(key), never, { severity: 'warning' })
    patterns.push([key, pattern])
  }
  return isGood ? (Object.fromEntries(patterns) as Partial<Record<Key, Pattern>>) : undefined
}
