import { source } from '../../config/sources/holdpoint-yaml/source.ts'
import type { Answer, Failure } from '../../core/decision.ts'
import type { Event } from '../../core/event.ts'
import type { Facts } from '../../core/facts.ts'
import type { Hook } from '../../core/hook.ts'
import type { JsonObject } from '../../core/json.ts'
import type { HookEntry } from '../../core/layer.ts'
import { create } from '../../handlers/rule/handler.ts'
import { actorOf, frozenFacts } from './events.ts'
import { hookOf } from './hooks.ts'

/** Rules as users write them, for tests: YAML in, hooks out. Throws if anything is wrong with it. */
export function rulesOf(yaml: string): readonly HookEntry[] {
  const file = { path: '/srv/project/.holdpoint/config.yaml', root: '/srv/project' } as const
  const layer = source.parse(`version: 1\nrules:\n${yaml}`, { ...file, rank: 'project', trusted: true })
  if (!layer.ok) throw new Error(layer.problem.message)
  const problem = layer.value.problems.find(({ severity }) => severity !== 'warning')
  if (problem !== undefined) throw new Error(problem.message)
  return layer.value.hooks
}

/** One rule, in flow style, as a hook. */
export function ruleOf(yaml: string, more: Partial<Hook> = {}): Hook {
  const [entry] = rulesOf(`  - { id: rule, ${yaml} }\n`)
  if (entry === undefined) throw new Error('no rule')
  const { id = '', match, actor, run, origin, rewrites = false } = entry
  return hookOf({ id, match, actor, run, origin, rewrites, ...more })
}

export interface RuleOptions {
  readonly facts?: Parameters<typeof frozenFacts>[0]
  readonly memory?: JsonObject | undefined
}

/** The answer of a rule to one event, whatever its matcher says. */
export async function runRule(
  hook: Hook,
  event: Event,
  around: RuleOptions = {},
): Promise<Answer | Failure | null> {
  const runner = await create().prepare(hook)
  if (typeof runner !== 'function') return runner
  const facts: Facts = frozenFacts(around.facts ?? {})
  const memory = 'memory' in around ? around.memory : {}
  const signal = new AbortController().signal
  return runner({ event, actor: actorOf(event), facts, memory, timeoutMs: 1_000, signal })
}

/** Whether conditions match: a deny applies on yes and maybe, a warning only on yes. */
export async function truthOf(when: string, event: Event, around: RuleOptions = {}): Promise<string> {
  const denies = await runRule(ruleOf(`on: ${event.kind}, when: ${when}, deny: no`), event, around)
  const warns = await runRule(ruleOf(`on: ${event.kind}, when: ${when}, warn: careful`), event, around)
  if (denies === null) return warns === null ? 'no' : 'warned without a deny'
  if ('failure' in denies) return denies.failure
  return warns === null ? 'maybe' : 'yes'
}
