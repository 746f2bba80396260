import { describe, expect, it } from 'vitest'
import { bash, eventOf, frozenFacts, toolCall } from '../../library/testing/events.ts'
import { type CallableHook, engineOf, onFailureOf } from '../../library/testing/hooks.ts'
import { createMemoryState } from '../../storage/state/memory-state.ts'
import { deadlinesOf } from '../deadlines.ts'
import { bad, good } from '../errors.ts'
import type { Event } from '../event.ts'
import type { Abilities } from '../host.ts'
import { emptySession } from '../state/fold.ts'
import type { StateStore } from '../state/state.ts'
import { decide } from './decide.ts'
import type { DecideContext } from './decide-context.ts'
import type { ImpliedCall } from './implied-calls.ts'

const ALL: Abilities = { deny: true, ask: true, allow: true, rewrite: true, context: true, output: true }
const STOP: Abilities = { ...ALL, ask: false, allow: false, rewrite: false, context: false, output: false }

let ids = 0
async function contextOf(
  hooks: readonly CallableHook[],
  more: Partial<DecideContext> = {},
): Promise<DecideContext> {
  const { engine } = await engineOf(hooks)
  return {
    engine,
    state: createMemoryState(),
    facts: frozenFacts(),
    can: ALL,
    deliversTwice: false,
    stopBlocksMax: 3,
    skills: [],
    now: () => performance.now(),
    newId: () => `id-${(ids += 1)}`,
    hash: (text) => text,
    applyFiles: () => good(undefined),
    ...more,
  }
}

const use = (useId: string, more: object = {}) =>
  bash('ls', { tool: { name: 'Bash', input: { command: 'ls' }, useId }, ...more })
/** Two deliveries of it are two calls. */
const nameless = () => bash('ls', { tool: { name: 'Bash', input: { command: 'ls' } } })
const commandOf = (event: Event) => (event.kind === 'PreToolUse' ? event.tool.input.command : undefined)
const TEXT = { text: 'mind', to: 'self' } as const
/** Passes the first call, then denies. */
const once: CallableHook = {
  run: (_event, call) =>
    call.memory?.seen === true
      ? { effect: 'deny', reason: 'only once' }
      : { effect: 'pass', remember: [{ op: 'set', key: 'seen', value: true }] },
}
const broken: StateStore = {
  read: () => bad('STATE_UNREADABLE', 'gone'),
  commit: () => bad('STATE_UNWRITABLE', 'gone'),
}

describe('memory of hooks', () => {
  it('is available at the next event of the same actor, and to no other actor', async () => {
    const context = await contextOf([once])
    const effects = []
    for (const event of [use('1'), use('2'), use('3', { agentId: 'sub' }), use('4', { session: 'other' })]) {
      effects.push((await decide(event, context)).decision.effect)
    }
    expect(effects).toEqual(['pass', 'deny', 'pass', 'pass'])
  })

  it('does not give the answer for one host to another that has a session of the same id', async () => {
    const asking: CallableHook = {
      run: () => ({ effect: 'ask', reason: 'sure?', remember: [{ op: 'set', key: 'asked', value: true }] }),
    }
    const context = await contextOf([asking])
    expect((await decide(use('1', { host: 'copilot' }), context)).decision.effect).toBe('ask')
    const other = { ...context, can: { ...ALL, ask: false } }
    expect(await decide(use('1', { host: 'droid' }), other)).toMatchObject({
      repeated: false,
      decision: { effect: 'deny' },
    })
    expect((await decide(use('1', { host: 'copilot' }), context)).repeated).toBe(true)
  })

  it('is not kept when the call was denied, unless it counts denials', async () => {
    const counting: CallableHook = {
      run: (_event, call) => ({
        effect: 'deny',
        reason: `${String(call.memory?.denied ?? 0)} ${String(call.memory?.passed ?? 0)}`,
        remember: [{ op: 'count', key: 'passed', by: 1 }],
        rememberDenied: [{ op: 'count', key: 'denied', by: 1 }],
      }),
    }
    const context = await contextOf([counting])
    await decide(use('1'), context)
    expect((await decide(use('2'), context)).decision.reasons[0]?.text).toBe('1 0')
  })

  it('counts an event that is delivered twice only once, and the second delivery gets the same answer', async () => {
    const context = await contextOf([once])
    const first = await decide(use('1'), context)
    const second = await decide(use('1'), context)
    expect(second).toMatchObject({ repeated: true, decision: { effect: 'pass' } })
    expect(first.repeated).toBe(false)
    expect((await decide(use('2'), context)).decision.effect).toBe('deny')
  })

  it('counts events without an id once within two seconds if the host delivers twice, but never a stop', async () => {
    let nowMs = 1_000_000
    const facts = frozenFacts({ now: () => new Date(nowMs) })
    const event = toolCall('Bash', { command: 'ls' }, { tool: { name: 'Bash', input: { command: 'ls' } } })
    const context = await contextOf([once], { deliversTwice: true, facts })
    expect((await decide(event, context)).decision.effect).toBe('pass')
    nowMs += 1_500
    expect((await decide(event, context)).repeated).toBe(true)
    nowMs += 10_000
    expect((await decide(event, context)).decision.effect).toBe('deny')
    expect((await decide(event, await contextOf([once], { facts }))).repeated).toBe(false)
  })

  it('K-29: a denial that two hooks of the host report is shown once and counted once', async () => {
    const denies: CallableHook = {
      run: () => ({
        effect: 'deny',
        reason: 'no',
        context: [{ text: 'how', to: 'self' }],
        notices: ['told'],
      }),
    }
    const state = createMemoryState()
    const ask = async (entry: string, more: Partial<DecideContext> = {}) =>
      decide(use('1'), await contextOf([denies], { state, entry, deliversTwice: true, ...more }))
    const first = await ask('')
    expect(first).toMatchObject({ repeated: false, decision: { context: [{ text: 'how' }] } })
    const other = await ask('mux')
    expect(other).toMatchObject({ repeated: true, decision: { effect: 'deny', context: [], notices: [] } })
    expect(other.decision.reasons[0]?.text).toBe('no')
    // The same entry again: its first answer may not have arrived.
    expect(await ask('')).toMatchObject({ repeated: true, decision: { context: [{ text: 'how' }] } })
    const later = frozenFacts({ now: () => new Date('2026-01-15T12:10:00Z') })
    expect((await ask('', { facts: later })).repeated).toBe(false)
  })

  it('K-29: a denial that two hooks report at the same moment is counted once', async () => {
    const slow: CallableHook = { run: async () => ({ effect: 'deny', reason: 'no' }) }
    const state = createMemoryState()
    const contexts = [
      await contextOf([slow], { state, deliversTwice: true }),
      await contextOf([slow], { state, entry: 'mux', deliversTwice: true }),
    ]
    const decided = await Promise.all(contexts.map((context) => decide(use('1'), context)))
    expect(decided.map(({ repeated }) => repeated).sort()).toEqual([false, true])
    expect(decided.map(({ decision }) => decision.effect)).toEqual(['deny', 'deny'])
  })

  it('stays a denial if nothing can be recorded', async () => {
    const denies: CallableHook = { run: () => ({ effect: 'deny', reason: 'no' }) }
    const context = await contextOf([denies], { state: broken, deliversTwice: true })
    expect(await decide(use('1'), context)).toMatchObject({ repeated: false, decision: { effect: 'deny' } })
  })

  it('lets exactly one of two simultaneous calls through', async () => {
    const slow: CallableHook = {
      ...once,
      run: async (event, call) => (await Promise.resolve(), once.run(event, call)),
    }
    const context = await contextOf([slow])
    const decided = await Promise.all(['1', '2', '3', '4'].map((id) => decide(use(id), context)))
    expect(decided.map((each) => each.decision.effect).sort()).toEqual(['deny', 'deny', 'deny', 'pass'])
  })

  it('that cannot be stored is a failure of only that hook, handled by its policy', async () => {
    const policies = ['deny', 'ask', 'pass'] as const
    for (const policy of policies) {
      const context = await contextOf([{ ...once, onFailure: { ...onFailureOf('deny'), state: policy } }], {
        state: broken,
      })
      const { decision } = await decide(use('1'), context)
      expect(decision).toMatchObject({
        effect: policy,
        failed: [{ failure: { failure: 'state' }, became: policy }],
      })
    }
  })

  it('that cannot be stored never weakens the finding of the hook', async () => {
    const patch = [{ op: 'set', key: 'x', value: 1 }]
    for (const effect of ['deny', 'ask'] as const) {
      const finder: CallableHook = {
        run: () => ({ effect, reason: 'found it', remember: patch, rememberDenied: patch }),
        onFailure: 'pass',
      }
      const { decision } = await decide(use('1'), await contextOf([finder], { state: broken }))
      expect(decision).toMatchObject({ effect, reasons: [{ text: 'found it' }] })
    }
  })

  it('is not changed by a dry run', async () => {
    const { applyFiles: _applyFiles, ...rehearsal } = await contextOf([once])
    expect((await decide(use('1'), rehearsal)).decision.effect).toBe('pass')
    expect((await decide(use('2'), rehearsal)).decision.effect).toBe('pass')
  })
})

describe('skills and agents', () => {
  const scoped: CallableHook = {
    run: () => ({ effect: 'deny', reason: 'only while mux' }),
    actor: { skill: 'mux' },
  }
  const skill = (more: object = {}) =>
    eventOf('PostToolUse', {
      tool: { name: 'Skill', input: { skill: 'mux' }, useId: 'k' },
      output: {},
      ...more,
    })
  const effects = async (context: DecideContext, ...events: Event[]) => {
    const all = []
    for (const event of events) all.push((await decide(event, context)).decision.effect)
    return all
  }

  it('a skill applies to the actor that loaded it, and to no other (R-000-06)', async () => {
    const context = await contextOf([scoped])
    expect(await effects(context, use('1'), skill(), use('2'), use('3', { agentId: 'sub' }))).toEqual([
      'pass',
      'pass',
      'deny',
      'pass',
    ])
  })

  it('a typed slash command starts a skill too, with or without a plugin name', async () => {
    const slash = eventOf('UserPromptExpansion', {
      expansion: 'slash_command',
      command: 'team:mux',
      args: '',
      prompt: '/team:mux',
    })
    expect(await effects(await contextOf([scoped]), slash, use('1'))).toEqual(['pass', 'deny'])
  })

  it('a skill survives resume and compaction, and ends with /clear', async () => {
    const start = (source: string) => eventOf('SessionStart', { source })
    const context = await contextOf([scoped])
    expect(
      await effects(
        context,
        skill(),
        start('resume'),
        use('1'),
        start('compact'),
        use('2'),
        start('clear'),
        use('3'),
      ),
    ).toEqual(['pass', 'pass', 'deny', 'pass', 'deny', 'pass', 'pass'])
  })

  it("a sub-agent's skills end when it finishes, not when its stop is blocked (R-000-03)", async () => {
    const who = { agentId: 'a1', agentType: 'worker' }
    const stop = eventOf('SubagentStop', { ...who, stopHookActive: false })
    const holding = await contextOf([
      scoped,
      { on: 'SubagentStop', run: () => ({ effect: 'deny', reason: 'not yet' }) },
    ])
    expect(await effects(holding, skill(who), stop, use('1', who))).toEqual(['pass', 'deny', 'deny'])
    expect(await effects(await contextOf([scoped]), skill(who), stop, use('1', who))).toEqual([
      'pass',
      'pass',
      'pass',
    ])
  })

  it('a skill whose start cannot be recorded is reported at once, because its rules would be off', async () => {
    const { decision } = await decide(
      skill(),
      await contextOf([scoped], { state: { ...createMemoryState(), commit: broken.commit } }),
    )
    expect(decision).toMatchObject({ effect: 'deny', reasons: [{ text: expect.stringContaining('mux') }] })
  })

  it('if the state cannot be read, the scope is unknown and the scoped hook runs', async () => {
    expect((await decide(use('1'), await contextOf([scoped], { state: broken }))).decision.effect).toBe(
      'deny',
    )
  })

  it('an event without a session is decided without memory, and scoped hooks run', async () => {
    expect((await decide(use('1', { session: '' }), await contextOf([scoped]))).decision.effect).toBe('deny')
  })
})

describe('text for another actor', () => {
  const tell = (to: 'parent' | 'main'): CallableHook => ({
    on: 'SubagentStop',
    run: () => ({ effect: 'pass', context: [{ text: 'the tests pass', to }] }),
  })
  const contexts = async (event: Event, context: DecideContext) =>
    (await decide(event, context)).decision.context
      .filter((each) => each.to === 'self')
      .map((each) => each.text)

  it('waits in its inbox and is delivered once, at the next event that accepts context', async () => {
    const context = await contextOf([tell('main')])
    await decide(eventOf('SubagentStop', { agentId: 'a1', agentType: 'worker', stopHookActive: false }), {
      ...context,
      can: STOP,
    })
    expect(await contexts(use('1', { agentId: 'a2' }), context)).toEqual([])
    expect(await contexts(eventOf('Stop', { stopHookActive: false }), { ...context, can: STOP })).toEqual([])
    expect(await contexts(use('2'), context)).toEqual(['the tests pass'])
    expect(await contexts(use('3'), context)).toEqual([])
  })

  it('reaches the parent that started the agent', async () => {
    const context = await contextOf([tell('parent')])
    const spawn = toolCall(
      'Agent',
      { subagent_type: 'worker' },
      {
        agentId: 'lead',
        agentType: 'lead',
        tool: { name: 'Agent', input: { subagent_type: 'worker' }, useId: 's' },
      },
    )
    await decide(spawn, context)
    await decide(eventOf('SubagentStart', { agentId: 'a1', agentType: 'worker' }), context)
    await decide(eventOf('SubagentStop', { agentId: 'a1', agentType: 'worker', stopHookActive: false }), {
      ...context,
      can: STOP,
    })
    expect(await contexts(use('1'), context)).toEqual([])
    expect(await contexts(use('2', { agentId: 'lead', agentType: 'lead' }), context)).toEqual([
      'the tests pass',
    ])
  })
})

describe('a hook that blocks stopping', () => {
  it('blocks only so often on a host that does not mark stops', async () => {
    const context = await contextOf([gate], { can: STOP, stopBlocksMax: 2, stopsUnmarked: true })
    const effects = []
    for (let at = 0; at < 4; at += 1) effects.push((await decide(stop(false), context)).decision.effect)
    expect(effects).toEqual(['deny', 'deny', 'pass', 'deny'])
  })

  const gate: CallableHook = { on: 'Stop', run: () => ({ effect: 'deny', reason: 'write your notes' }) }
  const stop = (stopHookActive: boolean) => eventOf('Stop', { stopHookActive })

  it('blocks as often as allowed, then allows the stop and notifies the user; a new turn starts again', async () => {
    const context = await contextOf([gate], { can: STOP, stopBlocksMax: 2 })
    const decided = []
    for (const active of [false, true, true, false])
      decided.push((await decide(stop(active), context)).decision)
    expect(decided.map((decision) => decision.effect)).toEqual(['deny', 'deny', 'pass', 'deny'])
    expect(decided[2]?.notices.join()).toContain('write your notes')
  })

  it('counts an ask, and a failure that became one, like any other block', async () => {
    const asking: CallableHook = { on: 'Stop', run: () => ({ effect: 'ask', reason: 'sure?' }) }
    const context = await contextOf([asking], { can: STOP, stopBlocksMax: 2 })
    const effects = []
    for (const active of [false, true, true])
      effects.push((await decide(stop(active), context)).decision.effect)
    expect(effects).toEqual(['deny', 'deny', 'pass'])
  })

  it('never blocks an agent forever when blocks cannot be counted', async () => {
    const context = await contextOf([gate], { can: STOP, state: broken })
    expect((await decide(stop(false), context)).decision.effect).toBe('deny')
    expect((await decide(stop(true), context)).decision.effect).toBe('pass')
    const unwritable = { ...context, state: { ...createMemoryState(), commit: broken.commit } }
    expect((await decide(stop(true), unwritable)).decision.effect).toBe('pass')
  })
})

describe('files that a hook asks for', () => {
  const writer: CallableHook = { run: () => ({ effect: 'pass', files: [{ path: 'notes.md', text: 'x' }] }) }

  it('are written, unless the call was denied', async () => {
    const written: string[] = []
    const applyFiles: DecideContext['applyFiles'] = (files) => (
      written.push(...files.map((file) => file.path)), good(undefined)
    )
    await decide(use('1'), await contextOf([writer], { applyFiles }))
    await decide(use('2'), await contextOf([writer, { run: () => ({ effect: 'deny' }) }], { applyFiles }))
    expect(written).toEqual(['notes.md'])
  })

  it('that cannot be written are no failure of hooks that asked for none', async () => {
    const context = await contextOf([{ ...writer, onFailure: 'pass' }, { run: () => ({ effect: 'ask' }) }], {
      applyFiles: () => bad('FILE_OUTSIDE', 'outside'),
    })
    const { decision } = await decide(use('1'), context)
    expect(decision.failed.map(({ hook }) => hook)).toEqual(['hook-0'])
    expect([decision.effect, decision.because]).toEqual(['ask', ['hook-1']])
  })

  it('count as a failure of that hook if they cannot be written', async () => {
    const context = await contextOf([{ ...writer, onFailure: 'ask' }], {
      applyFiles: () => bad('FILE_OUTSIDE', 'outside'),
    })
    expect((await decide(use('1'), context)).decision).toMatchObject({
      effect: 'ask',
      failed: [{ failure: { message: 'outside' } }],
    })
  })
})

describe('calls that follow from an event', () => {
  const says = 'A command of the skill'
  const guard: CallableHook = {
    run: (event) => (commandOf(event) === 'rm' ? { effect: 'deny', reason: 'No rm.', guard: 'g' } : null),
  }
  const asking: CallableHook = {
    run: (event) => (commandOf(event) === 'mv' ? { effect: 'ask', notices: ['n'], context: [TEXT] } : null),
  }
  const implying = async (calls: readonly ImpliedCall[] | undefined, first = 'ls') => {
    const seen: string[] = []
    const watching: CallableHook = { run: (event) => (seen.push(String(commandOf(event))), null) }
    const context = await contextOf([guard, asking, watching], {
      ...(calls === undefined ? {} : { implied: () => calls }),
    })
    const { decision } = await decide(bash(first), context)
    return { decision, seen }
  }

  it.each<[string, readonly ImpliedCall[] | undefined, object, readonly string[]]>([
    ['nobody looks for any', undefined, { effect: 'pass' }, ['ls']],
    ['there are none', [], { effect: 'pass' }, ['ls']],
    ['they pass', [{ says, event: bash('cat') }], { effect: 'pass', findings: [] }, ['ls', 'cat']],
    [
      'one is denied',
      [
        { says, event: bash('cat') },
        { says, event: bash('rm') },
      ],
      { effect: 'deny', reasons: [{ text: `${says}. No rm.`, guard: 'g' }], because: ['hook-0'] },
      ['ls', 'cat', 'rm'],
    ],
    [
      'one is asked about, without words',
      [{ says, event: bash('mv') }],
      { effect: 'ask', reasons: [{ text: `${says}.` }], notices: [], context: [] },
      ['ls', 'mv'],
    ],
    [
      'one cannot be checked',
      [{ says, event: undefined }],
      { effect: 'deny', reasons: [{ text: `${says}.` }], because: ['holdpoint/instructions'] },
      ['ls'],
    ],
  ])('are checked by the same hooks: %s', async (_what, calls, decision, seen) => {
    const found = await implying(calls)
    expect(found.decision).toMatchObject(decision)
    expect(found.seen).toEqual(seen)
  })

  it('are not looked for if the event itself is denied', async () => {
    const { decision, seen } = await implying([{ says, event: bash('cat') }], 'rm')
    expect([decision.effect, seen]).toEqual(['deny', ['rm']])
  })

  it('are in no trace, which is about the event', async () => {
    const traced: number[] = []
    const context = await contextOf([guard], {
      implied: () => [{ says, event: bash('rm') }],
      trace: (hookIndex) => traced.push(hookIndex),
    })
    expect((await decide(bash('ls'), context)).decision.effect).toBe('deny')
    expect(traced).toEqual([0])
  })

  it('cost no promise if there are none', async () => {
    const context = await contextOf([guard], { implied: () => [] })
    expect(decide(bash('ls'), context)).not.toBeInstanceOf(Promise)
  })

  it('keep what their finding says: its guard and its detail', async () => {
    const telling: CallableHook = {
      run: () => ({ effect: 'deny', reason: 'No.', guard: 'g', detail: { via: ['env'] } }),
    }
    const context = await contextOf(
      [{ ...telling, match: { toolName: { kind: 'names', names: ['Read'] } } }],
      {
        implied: () => [{ says, event: toolCall('Read', {}) }],
      },
    )
    expect((await decide(bash('ls'), context)).decision.findings).toEqual([
      {
        ...{ hook: 'hook-0', hookIndex: 0, effect: 'deny', guard: 'g' },
        reason: `${says}. No.`,
        detail: { via: ['env'] },
      },
    ])
  })

  it('may be found later', async () => {
    const context = await contextOf([guard], { implied: async () => [{ says, event: bash('rm') }] })
    expect((await decide(bash('ls'), context)).decision.effect).toBe('deny')
  })

  it('that fail stop the event from which they follow', async () => {
    const failing: CallableHook = {
      run: (event) => {
        if (commandOf(event) === 'rm') throw new Error('broken')
        return null
      },
    }
    const context = await contextOf([failing], { implied: () => [{ says, event: bash('rm') }] })
    expect((await decide(bash('ls'), context)).decision).toMatchObject({
      effect: 'deny',
      failed: [{ hook: 'hook-0', failure: { failure: 'crash' } }],
    })
  })
})

describe('what hooks see', () => {
  it('of the other agents of the session: all of them, in order', async () => {
    let agents: unknown
    const looking: CallableHook = { run: (_event, call) => ((agents = call.agents?.()), null) }
    const context = await contextOf([looking, { ...looking }])
    await decide(use('1'), context)
    expect(agents).toEqual([])
    await decide(eventOf('SubagentStart', { agentId: 'a1', agentType: 'writer' }), context)
    await decide(eventOf('SubagentStop', { agentId: 'a1', agentType: 'writer' }), context)
    await decide(eventOf('SubagentStart', { agentId: 'a2' }), context)
    const output = { agentId: 'a2', agentType: 'reader' }
    await decide(eventOf('PostToolUse', { tool: { name: 'Agent', input: {} }, output }), context)
    await decide(use('2'), context)
    expect(agents).toEqual([
      { id: 'a1', type: 'writer', ended: true, memory: {} },
      { id: 'a2', type: 'reader', parent: 'main', ended: false, memory: {} },
      { id: 'main', ended: false, memory: {} },
    ])
    await decide(use('3'), { ...context, state: broken })
    expect(agents).toBeUndefined()
  })

  it('of their time: what the caller gives, or the share of the event', async () => {
    const given: number[] = []
    const looking: CallableHook = {
      timeoutMs: 1e9,
      run: (_event, call) => (given.push(call.timeoutMs), null),
    }
    const context = await contextOf([looking], { now: () => 0 })
    await decide(use('1'), context)
    await decide(use('2'), { ...context, budgetMs: 50 })
    expect(given).toEqual([deadlinesOf('PreToolUse').engineMs, 50])
  })

  it('of the memory: none without a session, an empty one at its begin', async () => {
    const seen: unknown[] = []
    const looking: CallableHook = { run: (_event, call) => (seen.push(call.memory), null) }
    const context = await contextOf([looking])
    await decide(use('1'), context)
    await decide(use('2', { session: '' }), context)
    await decide(use('3'), { ...context, state: broken })
    expect(seen).toEqual([{}, undefined, undefined])
  })
})

describe('an event that is decided again', () => {
  it('is given up after many others were faster, and then the memory is lost', async () => {
    let commits = 0
    const state = createMemoryState()
    const busy: StateStore = {
      read: state.read,
      commit: (session, commit) => {
        commits += 1
        const { ok, ...rest } = state.commit(session, { ...commit, nonce: `other-${commits}` })
        if (!ok || !('value' in rest)) throw new Error('not stored')
        return good({ applied: false, state: rest.value.state })
      },
    }
    let runs = 0
    const counting: CallableHook = {
      run: () => ((runs += 1), { effect: 'pass', remember: [{ op: 'count', key: 'n', by: 1 }] }),
    }
    const { decision } = await decide(nameless(), await contextOf([counting], { state: busy }))
    expect(decision).toMatchObject({ effect: 'deny', failed: [{ failure: { failure: 'state' } }] })
    expect([runs, commits]).toEqual([65, 65])
  })

  it('is not decided again because its denial was recorded by another delivery that is forgotten', async () => {
    let commits = 0
    const state = createMemoryState()
    const forgetful: StateStore = {
      read: state.read,
      commit: () => ((commits += 1), good({ applied: false, state: emptySession() })),
    }
    const denies: CallableHook = { run: () => ({ effect: 'deny', reason: 'no' }) }
    const context = await contextOf([denies], { state: forgetful, deliversTwice: true })
    expect((await decide(use('1'), context)).decision.effect).toBe('deny')
    expect(commits).toBe(2)
    expect((await decide(use('1', { session: '' }), context)).decision.effect).toBe('deny')
    expect(commits).toBe(2)
  })
})

describe('a stop', () => {
  const gate: CallableHook = { on: 'Stop', run: () => ({ effect: 'deny', reason: 'notes' }) }
  const stop = (stopHookActive: boolean) => eventOf('Stop', { stopHookActive })

  it('that was allowed starts the count again, and one that never was blocked writes nothing', async () => {
    let denies = true
    const sometimes: CallableHook = {
      on: 'Stop',
      run: () => (denies ? { effect: 'deny', reason: 'x' } : null),
    }
    const state = createMemoryState()
    const context = await contextOf([sometimes], { state, can: STOP, stopBlocksMax: 2 })
    const effect = async (active: boolean) => (await decide(stop(active), context)).decision.effect
    expect([await effect(false), await effect(true)]).toEqual(['deny', 'deny'])
    denies = false
    expect(await effect(true)).toBe('pass')
    const versionOf = () => {
      const read = state.read('session-1')
      return read.ok ? read.value.actors.get('main')?.version : undefined
    }
    const version = versionOf()
    expect([await effect(true), versionOf()]).toEqual(['pass', version])
    denies = true
    expect([await effect(true), await effect(true), await effect(true)]).toEqual(['deny', 'deny', 'pass'])
  })

  it('says why it was allowed, and which conditions are not met', async () => {
    const context = await contextOf([gate, gate], { can: STOP, stopBlocksMax: 1 })
    await decide(stop(false), context)
    const { decision } = await decide(stop(true), context)
    expect(decision).toMatchObject({ effect: 'pass', reasons: [], because: [] })
    expect(decision.notices).toEqual([
      'Stop allowed after 1 blocked attempts. These conditions are not met: notes\nnotes',
    ])
    const unread = await decide(stop(true), { ...context, state: broken, applyFiles: undefined })
    expect(unread.decision.notices[0]).toMatch(/^Stop allowed because the session's state cannot be read\. /)
    const full = { ...context, stopBlocksMax: 9, state: { ...createMemoryState(), commit: broken.commit } }
    const uncounted = await decide(stop(true), full)
    expect(uncounted.decision.notices[0]).toMatch(
      /^Stop allowed because blocked attempts cannot be counted\. /,
    )
    // The first stop of a turn is blocked all the same.
    expect((await decide(stop(false), full)).decision.effect).toBe('deny')
  })

  it('of a sub-agent has a count of its own', async () => {
    const context = await contextOf([{ ...gate, on: 'SubagentStop' }], { can: STOP, stopBlocksMax: 1 })
    const of = (agentId: string) => eventOf('SubagentStop', { agentId, agentType: 'w', stopHookActive: true })
    const effects = []
    for (const agent of ['a', 'a', 'b']) effects.push((await decide(of(agent), context)).decision.effect)
    expect(effects).toEqual(['deny', 'pass', 'deny'])
  })
})

describe('a state that cannot be stored', () => {
  const full = { ...createMemoryState(), commit: broken.commit }
  const patch = { op: 'set', key: 'x', value: 1 } as const

  it('concerns only hooks that wanted to remember something of this effect', async () => {
    const context = await contextOf(
      [
        { run: () => ({ effect: 'pass', remember: [patch] }), onFailure: 'ask' },
        { run: () => ({ effect: 'pass', remember: [], notices: ['n'] }) },
        { run: () => ({ effect: 'pass', rememberDenied: [patch] }) },
      ],
      { state: full },
    )
    const { decision } = await decide(use('1'), context)
    expect(decision).toMatchObject({ effect: 'ask', because: ['hook-0'], notices: ['n'] })
    expect(decision.failed.map(({ hook, failure }) => [hook, failure.message])).toEqual([
      ['hook-0', 'its memory could not be stored'],
    ])
  })

  it('tells the agent and the user which skill is not guarded', async () => {
    const slash = eventOf('UserPromptExpansion', { expansion: 'slash_command', command: 'mux' })
    const { decision } = await decide(slash, await contextOf([once], { state: full }))
    expect(decision).toMatchObject({ effect: 'deny', because: ['holdpoint/state'] })
    expect(decision.reasons[0]?.text).toMatch(/^Holdpoint could not record that the skill "mux" began/)
  })

  it('gives a decision that fits the agent', async () => {
    const context = await contextOf([{ ...once, onFailure: 'ask' }], {
      state: full,
      can: { ...ALL, ask: false },
    })
    expect((await decide(use('1'), context)).decision.downgraded).toHaveLength(1)
  })
})
