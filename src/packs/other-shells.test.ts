import { describe, expect, it } from 'vitest'
import type { Layer } from '../config.ts'
import { createEngine } from '../engine.ts'
import { evaluate } from '../evaluate.ts'
import type { JsonObject } from '../json.ts'
import { buildPlan } from '../plan.ts'
import { actorOf, frozenFacts, toolCall } from '../testing/events.ts'
import { PACKS } from './index.ts'

const names = ['safety', 'secrets'] as const
const loaded = await Promise.all(names.map(async (name) => [name, await PACKS[name]?.()] as const))
const packs = new Map(loaded.flatMap(([name, pack]) => (pack === undefined ? [] : [[name, pack] as const])))
const layer: Layer = {
  ...{ rank: 'user', file: 'user.yaml', trusted: true, hooks: [], settings: {}, problems: [] },
  packs: names.map((pack) => ({ pack, options: {}, origin: { file: 'user.yaml' } })),
}
const engine = await createEngine(buildPlan([layer], packs))

async function effectOf(tool: string, input: JsonObject) {
  const event = toolCall(tool, input)
  const around = { actor: actorOf(event), facts: frozenFacts(), memory: {}, budgetMs: 5_000, now: () => 0 }
  return (await evaluate(engine, event, around)).effect
}

describe('guards of shell commands', () => {
  it.each([
    ['execute_command', { command: 'git push --force' }],
    ['bash', { command: 'cat .env' }],
    ['run_shell_command', { command: 'rm -rf ~', description: 'tidy up' }],
    ['shell', { command: ['bash', '-lc', 'git reset --hard'] }],
    ['exec_command', { cmd: 'git clean -fdx' }],
    ['mcp__desktop__execute_command', { command: 'rm -rf /' }],
    ['mcp__a__b__run_command', { command: 'git push -f' }],
  ])('hold for %s too: %j', async (tool, input) => {
    expect(await effectOf(tool, input)).toBe('deny')
  })

  it.each([
    ['execute_command', { command: 'git status' }],
    ['shell', { command: ['echo', '$(rm -rf /)'] }],
    ['terminal', { action: 'open' }],
    ['mcp__desktop__show_command', { command: 'rm -rf /' }],
    ['describe', { command: 'git push --force' }],
  ])('leave %s alone: %j', async (tool, input) => {
    expect(await effectOf(tool, input)).toBe('pass')
  })
})
