import type { Engine } from './evaluate.ts'
import type { HandlerTools } from './handlers/handler.ts'
import { HANDLERS } from './handlers/index.ts'
import { createMatcher } from './match.ts'
import type { Guard } from './packs/guard.ts'
import { PACKS } from './packs/index.ts'
import type { RegexEngine } from './pattern.ts'
import type { Plan } from './plan.ts'
import type { Masker } from './redact.ts'

/** Makes a plan ready to run: loads the packs and handlers it names, and nothing else. */
export async function createEngine(
  plan: Plan,
  surroundings: Partial<Omit<HandlerTools, 'guard'>> = {},
): Promise<Engine> {
  const guards = await loadGuards(plan)
  const tools: HandlerTools = {
    callable: () => undefined,
    searchPath: (callers) => callers,
    ...surroundings,
    guard: (id) => guards.get(id),
  }
  const types = [...new Set(plan.hooks.map((hook) => hook.run.type))]
  const handlers = new Map(
    await Promise.all(
      types.map(async (type) => {
        const member = Object.hasOwn(HANDLERS, type) ? await HANDLERS[type]?.() : undefined
        return [type, member?.create(tools)] as const
      }),
    ),
  )
  const runners = await Promise.all(
    plan.hooks.map(async (hook) => {
      const handler = handlers.get(hook.run.type)
      if (handler === undefined)
        return { failure: 'import', message: `no handler runs "${hook.run.type}"` } as const
      try {
        return await handler.prepare(hook)
      } catch (error) {
        return { failure: 'import', message: error instanceof Error ? error.message : String(error) } as const
      }
    }),
  )
  return { hooks: plan.hooks, match: createMatcher(plan, await regexEngine(plan)), runners }
}

async function loadGuards(plan: Plan): Promise<ReadonlyMap<string, Guard>> {
  const names = new Set(
    plan.hooks.flatMap((hook) => (hook.run.type === 'guard' ? [String(hook.run.pack)] : [])),
  )
  const packs = await Promise.all(
    [...names].map((name) => (Object.hasOwn(PACKS, name) ? PACKS[name]?.() : undefined)),
  )
  return new Map(packs.flatMap((pack) => pack?.guards ?? []).map((guard) => [guard.id, guard]))
}

/** The user's own patterns of what must not be written down. */
export async function maskersOf(plan: Plan): Promise<readonly Masker[]> {
  if (plan.settings.redact.length === 0) return []
  const { linearMasker } = await import('./regex.ts')
  return plan.settings.redact.map(linearMasker)
}

/** The linear-time engine is large; most plans have no regular expression at all. */
async function regexEngine(plan: Plan): Promise<RegexEngine> {
  const patterns = plan.hooks.flatMap((hook) => [...Object.values(hook.match), hook.actor.agentType])
  const needed = patterns.some((pattern) => pattern?.is === 'regex' && pattern.engine === 'linear')
  if (needed) return (await import('./regex.ts')).linearEngine
  return { compile: () => () => false }
}
