import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { createEngine } from '../../app/create-engine.ts'
import { source } from '../../config/sources/holdpoint-yaml/source.ts'
import type { Decision } from '../../core/decision.ts'
import { decide } from '../../core/engine/decide.ts'
import type { DecideContext } from '../../core/engine/decide-context.ts'
import { good } from '../../core/errors.ts'
import { EVENT_KINDS, type Event, type EventKind } from '../../core/event.ts'
import type { JsonObject } from '../../core/json.ts'
import type { HookEntry } from '../../core/layer.ts'
import { eventOf, frozenFacts } from '../../library/testing/events.ts'
import { createMemoryState } from '../../storage/state/memory-state.ts'
import { buildPlan } from '../plan.ts'

/** The examples of the guide: each file is read, and its lines are decided in order, in one session. */
const GUIDE = readFileSync(new URL('../../../docs/guide/rules.md', import.meta.url), 'utf8')
const EXAMPLES = [...GUIDE.matchAll(/```yaml\n(.*?)```\n\n```text\n(.*?)```/gs)].map(
  ([, yaml = '', lines = '']) => ({
    id: /id: (\S+)/.exec(yaml)?.[1] ?? '',
    yaml,
    lines: lines.trim().split('\n'),
  }),
)

it('every file in the guide has examples', () => {
  expect(EXAMPLES.length).toBe([...GUIDE.matchAll(/```yaml/g)].length)
  expect(EXAMPLES.length).toBeGreaterThan(7)
})

describe.each(EXAMPLES)('$id', ({ yaml, lines }) => {
  it('does what the guide says', async () => {
    const layer = source.parse(yaml, {
      path: 'config.yaml',
      rank: 'project',
      trusted: true,
      root: '/srv/project',
    })
    if (!layer.ok) throw new Error(layer.problem.message)
    expect(layer.value.problems).toEqual([])
    const state = createMemoryState()
    const effects: string[] = []
    for (const [index, line] of lines.entries()) {
      effects.push(`${line.split(' -> ')[0]} -> ${await decideLine(line, index, layer.value.hooks, state)}`)
    }
    expect(effects).toEqual(lines)
  })
})

async function decideLine(
  line: string,
  index: number,
  hooks: readonly HookEntry[],
  state: DecideContext['state'],
): Promise<string> {
  const [, settings = '', words = '', json = ''] = /^(?:\[(.*?)\] )?(.*?) (\{.*\}) -> \w+$/.exec(line) ?? []
  const set = new Map(settings.split(' ').map((each) => each.split('=') as [string, string]))
  const event = eventFor(words.split(' '), JSON.parse(json) as JsonObject, index, set)
  const layer = {
    rank: 'project',
    file: 'config.yaml',
    trusted: true,
    packs: [],
    settings: {},
    problems: [],
  } as const
  const engine = await createEngine(buildPlan([{ ...layer, hooks }], new Map()))
  const cwd = set.get('cwd') ?? '/srv/project'
  const { decision } = await decide(event, {
    engine,
    state,
    facts: frozenFacts({ cwd, branch: () => set.get('branch') }),
    can: { deny: true, ask: true, allow: true, rewrite: true, context: true, output: true },
    deliversTwice: false,
    stopBlocksMax: 3,
    skills: [],
    now: () => 0,
    newId: () => `id-${index}`,
    hash: (text) => text,
    applyFiles: () => good(undefined),
  })
  return nameOf(decision)
}

function eventFor(
  words: readonly string[],
  json: JsonObject,
  index: number,
  set: ReadonlyMap<string, string>,
): Event {
  const kind = EVENT_KINDS.find((each) => each === words[0]) ?? 'PreToolUse'
  const name = words.find((word) => !EVENT_KINDS.includes(word as EventKind))
  const tool = name === undefined ? json : { tool: { name, input: json, useId: `use-${index}` }, output: '' }
  const agent = set.get('agent')
  return eventOf(kind, {
    ...tool,
    ...(set.has('mode') ? { permissionMode: set.get('mode') } : {}),
    ...(agent === undefined ? {} : { agentId: agent }),
  })
}

function nameOf(decision: Decision): string {
  if (decision.effect !== 'pass') return decision.effect
  if (decision.rewrite !== undefined) return 'rewrite'
  if (decision.context.length > 0) return 'context'
  return decision.notices.length > 0 ? 'warn' : 'pass'
}
