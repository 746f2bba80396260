import type { HookEntry } from '../config.ts'
import type { Answer, Failure } from '../decision.ts'
import type { Event } from '../event.ts'
import type { Facts } from '../facts.ts'
import { create } from '../handlers/rule/handler.ts'
import type { Hook } from '../hook.ts'
import type { JsonObject } from '../json.ts'
import { source } from '../sources/holdpoint-yaml/source.ts'
import { actorOf, frozenFacts } from './events.ts'
import { hookOf } from './hooks.ts'

/** Rules as people write them, for tests: YAML in, hooks out. Throws when anything is wrong with it. */
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

export interface Around {
  readonly facts?: Parameters<typeof frozenFacts>[0]
  readonly memory?: JsonObject | undefined
}

/** What a rule answers to one event, whatever its matcher says. */
export async function runRule(
  hook: Hook,
  event: Event,
  around: Around = {},
): Promise<Answer | Failure | null> {
  const runner = await create().prepare(hook)
  if (typeof runner !== 'function') return runner
  const facts: Facts = frozenFacts(around.facts ?? {})
  const memory = 'memory' in around ? around.memory : {}
  const signal = new AbortController().signal
  return runner({ event, actor: actorOf(event), facts, memory, timeoutMs: 1_000, signal })
}

/** Whether conditions hold: a deny speaks on yes and maybe, a warning on yes alone. */
export async function truthOf(when: string, event: Event, around: Around = {}): Promise<string> {
  const denies = await runRule(ruleOf(`on: ${event.kind}, when: ${when}, deny: no`), event, around)
  const warns = await runRule(ruleOf(`on: ${event.kind}, when: ${when}, warn: careful`), event, around)
  if (denies === null) return warns === null ? 'no' : 'warned without a deny'
  if ('failure' in denies) return denies.failure
  return warns === null ? 'maybe' : 'yes'
}
