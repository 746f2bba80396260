import { describe, expect, it } from 'vitest'
import { decide } from './decide.ts'
import type { Desk } from './desk.ts'
import { bad, good } from './errors.ts'
import type { Event } from './event.ts'
import type { Abilities } from './hosts/host.ts'
import { createMemoryState } from './state/memory-state.ts'
import type { StateStore } from './state/state.ts'
import { bash, eventOf, frozenFacts, toolCall } from './testing/events.ts'
import { type CallableHook, engineOf, onFailureOf } from './testing/hooks.ts'

const ALL: Abilities = { deny: true, ask: true, allow: true, rewrite: true, context: true, output: true }
const STOP: Abilities = { ...ALL, ask: false, allow: false, rewrite: false, context: false, output: false }

let ids = 0
async function deskOf(hooks: readonly CallableHook[], more: Partial<Desk> = {}): Promise<Desk> {
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
    hash: async (text) => text,
    applyFiles: () => good(undefined),
    ...more,
  }
}

const use = (useId: string, more: object = {}) =>
  bash('ls', { tool: { name: 'Bash', input: { command: 'ls' }, useId }, ...more })
/** Lets a call through once, then denies. */
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

describe('what hooks remember', () => {
  it('is there at the next event of the same actor, and of nobody else', async () => {
    const desk = await deskOf([once])
    const effects = []
    for (const event of [use('1'), use('2'), use('3', { agentId: 'sub' }), use('4', { session: 'other' })]) {
      effects.push((await decide(event, desk)).decision.effect)
    }
    expect(effects).toEqual(['pass', 'deny', 'pass', 'pass'])
  })

  it('is not kept when the call was denied, unless it is about denials', async () => {
    const counting: CallableHook = {
      run: (_event, call) => ({
        effect: 'deny',
        reason: `${String(call.memory?.denied ?? 0)} ${String(call.memory?.passed ?? 0)}`,
        remember: [{ op: 'count', key: 'passed', by: 1 }],
        rememberDenied: [{ op: 'count', key: 'denied', by: 1 }],
      }),
    }
    const desk = await deskOf([counting])
    await decide(use('1'), desk)
    expect((await decide(use('2'), desk)).decision.reasons[0]?.text).toBe('1 0')
  })

  it('is counted once when an event is delivered twice, and the second delivery gets the same answer', async () => {
    const desk = await deskOf([once])
    const first = await decide(use('1'), desk)
    const second = await decide(use('1'), desk)
    expect(second).toMatchObject({ repeated: true, decision: { effect: 'pass' } })
    expect(first.repeated).toBe(false)
    expect((await decide(use('2'), desk)).decision.effect).toBe('deny')
  })

  it('without an id, is counted once within two seconds where the host delivers twice, never at a stop', async () => {
    let nowMs = 1_000_000
    const facts = frozenFacts({ now: () => new Date(nowMs) })
    const event = toolCall('Bash', { command: 'ls' }, { tool: { name: 'Bash', input: { command: 'ls' } } })
    const desk = await deskOf([once], { deliversTwice: true, facts })
    expect((await decide(event, desk)).decision.effect).toBe('pass')
    nowMs += 1_500
    expect((await decide(event, desk)).repeated).toBe(true)
    nowMs += 10_000
    expect((await decide(event, desk)).decision.effect).toBe('deny')
    expect((await decide(event, await deskOf([once], { facts }))).repeated).toBe(false)
  })

  it('holds when two calls are judged at the same time: exactly one gets through', async () => {
    const slow: CallableHook = {
      ...once,
      run: async (event, call) => (await Promise.resolve(), once.run(event, call)),
    }
    const desk = await deskOf([slow])
    const decided = await Promise.all(['1', '2', '3', '4'].map((id) => decide(use(id), desk)))
    expect(decided.map((each) => each.decision.effect).sort()).toEqual(['deny', 'deny', 'deny', 'pass'])
  })

  it('that cannot be stored is a failure of that hook alone, by its policy', async () => {
    const policies = ['deny', 'ask', 'pass'] as const
    for (const policy of policies) {
      const desk = await deskOf([{ ...once, onFailure: { ...onFailureOf('deny'), state: policy } }], {
        state: broken,
      })
      const { decision } = await decide(use('1'), desk)
      expect(decision).toMatchObject({
        effect: policy,
        failed: [{ failure: { failure: 'state' }, became: policy }],
      })
    }
  })

  it('that cannot be stored never weakens what the hook found', async () => {
    const patch = [{ op: 'set', key: 'x', value: 1 }]
    for (const effect of ['deny', 'ask'] as const) {
      const finder: CallableHook = {
        run: () => ({ effect, reason: 'found it', remember: patch, rememberDenied: patch }),
        onFailure: 'pass',
      }
      const { decision } = await decide(use('1'), await deskOf([finder], { state: broken }))
      expect(decision).toMatchObject({ effect, reasons: [{ text: 'found it' }] })
    }
  })

  it('is not touched by a rehearsal', async () => {
    const { applyFiles: _applyFiles, ...rehearsal } = await deskOf([once])
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
  const effects = async (desk: Desk, ...events: Event[]) => {
    const all = []
    for (const event of events) all.push((await decide(event, desk)).decision.effect)
    return all
  }

  it('a skill binds the actor that loaded it, and no other (R-000-06)', async () => {
    const desk = await deskOf([scoped])
    expect(await effects(desk, use('1'), skill(), use('2'), use('3', { agentId: 'sub' }))).toEqual([
      'pass',
      'pass',
      'deny',
      'pass',
    ])
  })

  it('a typed slash command starts it too, with or without a plugin name', async () => {
    const slash = eventOf('UserPromptExpansion', {
      expansion: 'slash_command',
      command: 'team:mux',
      args: '',
      prompt: '/team:mux',
    })
    expect(await effects(await deskOf([scoped]), slash, use('1'))).toEqual(['pass', 'deny'])
  })

  it('it survives resume and compaction, and ends with /clear', async () => {
    const start = (source: string) => eventOf('SessionStart', { source })
    const desk = await deskOf([scoped])
    expect(
      await effects(
        desk,
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

  it("a sub-agent's skills end when it finishes, not when it is held (R-000-03)", async () => {
    const who = { agentId: 'a1', agentType: 'worker' }
    const stop = eventOf('SubagentStop', { ...who, stopHookActive: false })
    const holding = await deskOf([
      scoped,
      { on: 'SubagentStop', run: () => ({ effect: 'deny', reason: 'not yet' }) },
    ])
    expect(await effects(holding, skill(who), stop, use('1', who))).toEqual(['pass', 'deny', 'deny'])
    expect(await effects(await deskOf([scoped]), skill(who), stop, use('1', who))).toEqual([
      'pass',
      'pass',
      'pass',
    ])
  })

  it('a skill whose start cannot be recorded is told at once: its rules would be off', async () => {
    const { decision } = await decide(
      skill(),
      await deskOf([scoped], { state: { ...createMemoryState(), commit: broken.commit } }),
    )
    expect(decision).toMatchObject({ effect: 'deny', reasons: [{ text: expect.stringContaining('mux') }] })
  })

  it('a state that cannot be read leaves the scope unknown, and the scoped hook runs', async () => {
    expect((await decide(use('1'), await deskOf([scoped], { state: broken }))).decision.effect).toBe('deny')
  })

  it('an event without a session is judged without memory, scoped hooks included', async () => {
    expect((await decide(use('1', { session: '' }), await deskOf([scoped]))).decision.effect).toBe('deny')
  })
})

describe('text for another actor', () => {
  const tell = (to: 'parent' | 'main'): CallableHook => ({
    on: 'SubagentStop',
    run: () => ({ effect: 'pass', context: [{ text: 'the tests pass', to }] }),
  })
  const contexts = async (event: Event, desk: Desk) =>
    (await decide(event, desk)).decision.context.filter((each) => each.to === 'self').map((each) => each.text)

  it('waits in its inbox and is delivered once, at its next event that takes context', async () => {
    const desk = await deskOf([tell('main')])
    await decide(eventOf('SubagentStop', { agentId: 'a1', agentType: 'worker', stopHookActive: false }), {
      ...desk,
      can: STOP,
    })
    expect(await contexts(use('1', { agentId: 'a2' }), desk)).toEqual([])
    expect(await contexts(eventOf('Stop', { stopHookActive: false }), { ...desk, can: STOP })).toEqual([])
    expect(await contexts(use('2'), desk)).toEqual(['the tests pass'])
    expect(await contexts(use('3'), desk)).toEqual([])
  })

  it('finds the parent that started the agent', async () => {
    const desk = await deskOf([tell('parent')])
    const spawn = toolCall(
      'Agent',
      { subagent_type: 'worker' },
      {
        agentId: 'lead',
        agentType: 'lead',
        tool: { name: 'Agent', input: { subagent_type: 'worker' }, useId: 's' },
      },
    )
    await decide(spawn, desk)
    await decide(eventOf('SubagentStart', { agentId: 'a1', agentType: 'worker' }), desk)
    await decide(eventOf('SubagentStop', { agentId: 'a1', agentType: 'worker', stopHookActive: false }), {
      ...desk,
      can: STOP,
    })
    expect(await contexts(use('1'), desk)).toEqual([])
    expect(await contexts(use('2', { agentId: 'lead', agentType: 'lead' }), desk)).toEqual(['the tests pass'])
  })
})

describe('a gate on stopping', () => {
  const gate: CallableHook = { on: 'Stop', run: () => ({ effect: 'deny', reason: 'write your notes' }) }
  const stop = (stopHookActive: boolean) => eventOf('Stop', { stopHookActive })

  it('holds as often as allowed, then lets go and tells the person; a new turn starts anew', async () => {
    const desk = await deskOf([gate], { can: STOP, stopBlocksMax: 2 })
    const decided = []
    for (const active of [false, true, true, false]) decided.push((await decide(stop(active), desk)).decision)
    expect(decided.map((decision) => decision.effect)).toEqual(['deny', 'deny', 'pass', 'deny'])
    expect(decided[2]?.notices.join()).toContain('write your notes')
  })

  it('counts an ask and a failure that became one like any other hold', async () => {
    const asking: CallableHook = { on: 'Stop', run: () => ({ effect: 'ask', reason: 'sure?' }) }
    const desk = await deskOf([asking], { can: STOP, stopBlocksMax: 2 })
    const effects = []
    for (const active of [false, true, true]) effects.push((await decide(stop(active), desk)).decision.effect)
    expect(effects).toEqual(['deny', 'deny', 'pass'])
  })

  it('never holds an agent for ever when it cannot count', async () => {
    const desk = await deskOf([gate], { can: STOP, state: broken })
    expect((await decide(stop(false), desk)).decision.effect).toBe('deny')
    expect((await decide(stop(true), desk)).decision.effect).toBe('pass')
    const unwritable = { ...desk, state: { ...createMemoryState(), commit: broken.commit } }
    expect((await decide(stop(true), unwritable)).decision.effect).toBe('pass')
  })
})

describe('files a hook asks for', () => {
  const writer: CallableHook = { run: () => ({ effect: 'pass', files: [{ path: 'notes.md', text: 'x' }] }) }

  it('are carried out, unless the call was denied', async () => {
    const written: string[] = []
    const applyFiles: Desk['applyFiles'] = (files) => (
      written.push(...files.map((file) => file.path)), good(undefined)
    )
    await decide(use('1'), await deskOf([writer], { applyFiles }))
    await decide(use('2'), await deskOf([writer, { run: () => ({ effect: 'deny' }) }], { applyFiles }))
    expect(written).toEqual(['notes.md'])
  })

  it('that cannot be written are a failure of that hook', async () => {
    const desk = await deskOf([{ ...writer, onFailure: 'ask' }], {
      applyFiles: () => bad('FILE_OUTSIDE', 'outside'),
    })
    expect((await decide(use('1'), desk)).decision).toMatchObject({
      effect: 'ask',
      failed: [{ failure: { message: 'outside' } }],
    })
  })
})
