import { describe, expect, it } from 'vitest'
import { createEngine } from '../app/create-engine.ts'
import { buildPlan } from '../handlers/plan.ts'
import { actorOf, bash, frozenFacts } from '../library/testing/events.ts'
import type { Decision, Effect } from './decision.ts'
import { evaluate } from './engine/evaluate.ts'
import type { Engine } from './engine/run-hooks.ts'
import {
  FAILURE_PRESETS,
  type FailurePreset,
  PRESET_NAMES,
  readOnFailure,
  type WrittenOnFailure,
} from './failure-presets.ts'
import { FAILURE_KINDS, type FailureKind } from './hook.ts'
import type { Layer } from './layer.ts'

/** One hook with this `onFailure`, run through plan and engine. */
async function engineWith(onFailure: WrittenOnFailure): Promise<Engine> {
  const hooks: Layer['hooks'] = [
    {
      id: 'hook',
      on: ['PreToolUse'],
      match: {},
      actor: {},
      run: { type: 'callable', name: 'hook' },
      onFailure: readOnFailure(onFailure),
      origin: { file: 'test' },
    },
  ]
  const layer: Layer = {
    rank: 'user',
    file: 'test',
    trusted: true,
    packs: [],
    hooks,
    settings: {},
    problems: [],
  }
  return createEngine(buildPlan([layer], new Map()))
}

/** The result of a hook that fails like this every time, and how often it was tried. */
async function fail(onFailure: WrittenOnFailure, kind: FailureKind) {
  const engine = await engineWith(onFailure)
  let runs = 0
  const runner = () => {
    runs += 1
    return { failure: kind, message: 'broke' }
  }
  const decision = await judge({ ...engine, runners: [runner] })
  return { decision, runs }
}

function judge(engine: Engine): Decision | Promise<Decision> {
  const event = bash('ls')
  const around = { actor: actorOf(event), facts: frozenFacts(), memory: {}, budgetMs: 1_000 }
  return evaluate(engine, event, { ...around, now: () => 0 })
}

type Outcome = readonly [effect: Effect, runs: number, cites?: string]

/** Every kind of failure under every preset: the effect, and the number of runs. */
const TABLE: Readonly<Record<FailurePreset, Readonly<Record<FailureKind, Outcome>>>> = {
  mux: {
    timeout: ['deny', 1],
    crash: ['deny', 1],
    invalidOutput: ['deny', 1],
    import: ['deny', 1],
    parse: ['deny', 1],
    validation: ['deny', 1],
    state: ['deny', 1],
    untrusted: ['deny', 1],
  },
  scratchpad: {
    timeout: ['pass', 1],
    crash: ['pass', 1],
    invalidOutput: ['pass', 1],
    import: ['pass', 1],
    parse: ['pass', 1],
    validation: ['pass', 1],
    state: ['pass', 1],
    untrusted: ['pass', 1],
  },
  massgen: {
    timeout: ['pass', 1, ' (R-004-27)'],
    crash: ['pass', 1, ' (R-004-29)'],
    invalidOutput: ['pass', 1],
    import: ['deny', 1, ' (R-004-28)'],
    parse: ['pass', 1],
    validation: ['pass', 1],
    state: ['pass', 1],
    untrusted: ['pass', 1],
  },
  collective: {
    timeout: ['pass', 1, ' (R-002-78)'],
    crash: ['pass', 2, ' (R-002-77)'],
    invalidOutput: ['pass', 2],
    import: ['pass', 2],
    parse: ['pass', 1, ' (R-002-75)'],
    validation: ['deny', 1, ' (R-002-76)'],
    state: ['pass', 1],
    untrusted: ['pass', 1],
  },
}

describe.each(PRESET_NAMES)('onFailure: %s', (preset) => {
  const cases = FAILURE_KINDS.map((kind) => [kind, TABLE[preset][kind][2] ?? ''] as const)
  it.each(cases)('%s%s', async (kind) => {
    const [effect, tries] = TABLE[preset][kind]
    const { decision, runs } = await fail(preset, kind)
    expect([decision.effect, runs]).toEqual([effect, tries])
    // Whatever the effect is, the failure is shown and recorded.
    expect(decision.failed).toEqual([
      { hook: 'hook', failure: { failure: kind, message: 'broke' }, became: effect },
    ])
    const told = effect === 'pass' ? decision.notices : decision.reasons.map(({ text }) => text)
    const said =
      kind === 'untrusted'
        ? 'did not run, because it is not trusted (broke)'
        : `could not answer (${kind}: broke)`
    expect(told.join(' ')).toContain(`hook ${said}`)
  })

  it('does not change the findings of a working hook', async () => {
    const engine = await engineWith(preset)
    const decision = await judge({ ...engine, runners: [() => ({ effect: 'deny', reason: 'violation' })] })
    expect(decision).toMatchObject({ effect: 'deny', failed: [], reasons: [{ text: 'violation' }] })
  })

  it('can be overridden for single kinds of failure', async () => {
    for (const kind of FAILURE_KINDS) {
      const other = TABLE[preset][kind][0] === 'deny' ? 'ask' : 'deny'
      const { decision } = await fail({ preset, [kind]: other }, kind)
      expect(decision.effect).toBe(other)
      const rest = FAILURE_KINDS.find((each) => each !== kind) ?? kind
      expect((await fail({ preset, [kind]: other }, rest)).decision.effect).toBe(TABLE[preset][rest][0])
    }
  })
})

describe('onFailure in the configuration', () => {
  it('collective: if the second attempt works, it is the answer (R-002-77)', async () => {
    const engine = await engineWith('collective')
    let runs = 0
    const runner = () => {
      runs += 1
      if (runs === 1) throw new Error('once')
      return { effect: 'deny', reason: 'found' } as const
    }
    expect(await judge({ ...engine, runners: [runner] })).toMatchObject({ effect: 'deny', failed: [] })
    expect(runs).toBe(2)
  })

  it.each([
    ['one word', 'ask', Object.fromEntries(FAILURE_KINDS.map((kind) => [kind, 'ask']))],
    [
      'one retry',
      { retry: 2, then: 'deny' },
      Object.fromEntries(FAILURE_KINDS.map((kind) => [kind, { retry: 2, then: 'deny' }])),
    ],
    ['single kinds', { timeout: 'pass' }, { timeout: 'pass' }],
    ['nothing', {}, {}],
    ['a preset', 'massgen', FAILURE_PRESETS.massgen],
  ] as const)('%s', (_name, written, read) => {
    expect(readOnFailure(written)).toEqual(read)
  })

  it('applies its own preset to each hook', async () => {
    const engine = await engineWith('mux')
    const [hook] = engine.hooks
    if (hook === undefined) throw new Error('no hook')
    const two: Engine = {
      match: () => [0, 1],
      hooks: [hook, { ...hook, id: 'open', onFailure: FAILURE_PRESETS.scratchpad }],
      runners: [() => ({ failure: 'crash', message: 'a' }), () => ({ failure: 'crash', message: 'b' })],
    }
    const decision = await judge(two)
    expect(decision.failed.map(({ became }) => became)).toEqual(['deny', 'pass'])
    expect(decision.effect).toBe('deny')
  })
})
