import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { actorOf, bash, frozenFacts, toolCall } from '../../library/testing/events.ts'
import { engineOf } from '../../library/testing/hooks.ts'
import { createMemoryState } from '../../storage/state/memory-state.ts'
import type { Actor } from '../actor.ts'
import type { Decision, Finding } from '../decision.ts'
import { good } from '../errors.ts'
import { type Event, toolOf } from '../event.ts'
import type { Facts } from '../facts.ts'
import type { HandlerCall } from '../handler.ts'
import { ALL_ABILITIES } from '../host.ts'
import type { JsonObject } from '../json.ts'
import { decide } from './decide.ts'
import type { DecideContext } from './decide-context.ts'
import { createKnownAnswers, type KnownAnswers } from './known-answers.ts'
import type { Engine } from './run-hooks.ts'

const MEMORY: JsonObject = {}
const DENIED: Finding = { hook: 'hook', hookIndex: 0, effect: 'deny', reason: 'no' }

interface Call {
  readonly event: Event
  readonly actor?: Actor
  readonly facts?: Facts
  readonly memory?: JsonObject | undefined
}

/** Whether the second call needs no new answers, if hooks read this at the first one. */
function isKnown(first: Call, second: Call, reads: (event: Event, facts: Facts) => unknown = () => {}) {
  const answers = createKnownAnswers()
  const watched = begin(answers, first)
  if (watched === undefined) return 'never kept'
  reads(watched.event, watched.facts)
  watched.keep(true)
  return begin(answers, second)?.known !== undefined
}

function begin(answers: KnownAnswers, call: Call) {
  const { event, actor = actorOf(event), facts = frozenFacts() } = call
  return answers.begin(event, actor, facts, 'memory' in call ? call.memory : MEMORY)
}

const LS = bash('ls')
const tool = (more: object) => bash('ls', { tool: { name: 'Bash', input: { command: 'ls' }, ...more } })

describe('a call', () => {
  it.each([
    ['the same', LS],
    ['another id', tool({ useId: 'call-2' })],
    ['another payload', bash('ls', { raw: { tool_use_id: 'call-2' } })],
    ['another prompt', bash('ls', { promptId: 'prompt-2' })],
  ])('is known: %s', (_name, event) => {
    expect(isKnown({ event: LS }, { event })).toBe(true)
  })

  it.each([
    ['command', bash('ls -a')],
    ['description', toolCall('Bash', { command: 'ls', description: 'x' })],
    ['tool', toolCall('PowerShell', { command: 'ls' })],
    ['own name of the tool', tool({ hostName: 'shell' })],
    ['server', tool({ server: 's' })],
    ['files', tool({ files: [{ path: '/a', change: 'add' }] })],
    ['skill', tool({ loadsSkill: 's' })],
    ['background', tool({ background: 'never' })],
    ['host', bash('ls', { host: 'codex' })],
    ['name of the event', bash('ls', { name: 'pre' })],
    ['session', bash('ls', { session: 'session-2' })],
    ['agent', bash('ls', { agentId: 'a' })],
    ['type of agent', bash('ls', { agentType: 'a' })],
    ['folder', bash('ls', { cwd: '/srv' })],
    ['mode', bash('ls', { permissionMode: 'plan' })],
    ['mode in the payload', bash('ls', { raw: { approval_policy: 'never' } })],
    ['transcript', bash('ls', { transcriptPath: '/t' })],
  ])('is not known with another %s', (_name, event) => {
    expect(isKnown({ event: LS }, { event })).toBe(false)
  })

  it.each<[string, Partial<Actor>]>([
    ['skill', { skills: ['mux'] }],
    ['parent', { parent: 'main' }],
    ['type', { agentType: 'reviewer' }],
    ['role', { role: 'subagent' }],
    ['doubt about it', { scopeKnown: false }],
  ])('is not known for an actor with another %s', (_name, more) => {
    expect(isKnown({ event: LS }, { event: LS, actor: actorOf(LS, more) })).toBe(false)
  })

  it.each<[string, Partial<Facts>]>([
    ['folder', { cwd: '/srv' }],
    ['home', { home: '/root' }],
    ['project', { project: '/srv' }],
    ['platform', { platform: 'darwin' }],
  ])('is not known with another %s', (_name, more) => {
    expect(isKnown({ event: LS }, { event: LS, facts: frozenFacts(more) })).toBe(false)
  })

  it.each<[string, JsonObject, boolean]>([
    ['numbers and other small values', { file_path: 'a', limit: 5, all: true, none: null }, true],
    ['as many characters as are compared', { command: 'x'.repeat(4_096 - 'command'.length) }, true],
    ['one character more', { command: 'x'.repeat(4_097 - 'command'.length) }, false],
    ['long names', { ['n'.repeat(4_097)]: '' }, false],
    ['a list', { edits: [] }, false],
    ['a mapping', { edit: {} }, false],
  ])('is kept with an input of %s: %#', (_name, input, isKept) => {
    const event = toolCall('Edit', input)
    expect(isKnown({ event }, { event })).toBe(isKept ? true : 'never kept')
  })

  it('is not known with another memory, and never without one', () => {
    expect(isKnown({ event: LS }, { event: LS, memory: {} })).toBe(false)
    expect(isKnown({ event: LS, memory: undefined }, { event: LS })).toBe('never kept')
  })

  it.each<[string, Call]>([
    ['a long input', { event: bash(`echo ${'x'.repeat(5_000)}`) }],
    ['an input with a list', { event: toolCall('MultiEdit', { edits: ['x'] }) }],
    ['files that the session wrote', { event: LS, facts: frozenFacts({ written: new Map() }) }],
  ])('is never kept with %s', (_name, call) => {
    expect(isKnown(call, call)).toBe('never kept')
  })
})

describe('what hooks read', () => {
  it.each<[string, (facts: Facts) => unknown, Partial<Facts>]>([
    ['a link', (facts) => facts.realpath('/srv/a'), { realpath: () => '/etc' }],
    ['the branch', (facts) => facts.branch(), { branch: () => 'other' }],
    ['a variable', (facts) => facts.env.TMPDIR, { env: { TMPDIR: '/tmp' } }],
  ])('is compared: %s', (_name, read, changed) => {
    const call = { event: LS }
    expect(isKnown(call, call, (_event, facts) => read(facts))).toBe(true)
    const other = { event: LS, facts: frozenFacts(changed) }
    expect(isKnown(call, other, (_event, facts) => read(facts))).toBe(false)
    expect(isKnown(call, other)).toBe(true)
  })

  it.each<[string, (facts: Facts) => unknown]>([
    ['a file', (facts) => facts.readText('/a')],
    ['a folder', (facts) => facts.list('/a')],
    ['the kind of a file', (facts) => facts.stat('/a')],
  ])('is compared by its stamp: %s', (_name, read) => {
    const stamped = (stamp: string | undefined) => ({ event: LS, facts: frozenFacts({ stamp: () => stamp }) })
    const reads = (_event: Event, facts: Facts) => read(facts)
    expect(isKnown(stamped('1'), stamped('1'), reads)).toBe(true)
    expect(isKnown(stamped('1'), stamped('2'), reads)).toBe(false)
    expect(isKnown(stamped('1'), stamped(undefined), reads)).toBe(false)
    expect(isKnown(stamped(undefined), stamped(undefined), reads)).toBe(false)
  })

  it('is not kept if it changes while it is read, or after a limit of time', () => {
    let stamp = 0
    const changing = { event: LS, facts: frozenFacts({ stamp: () => `${(stamp += 1)}` }) }
    const twice = (_event: Event, facts: Facts) => [facts.readText('/a'), facts.readText('/a')]
    expect(isKnown(changing, changing, twice)).toBe(false)
    const timed = (passed: boolean) => ({ event: LS, facts: frozenFacts({ timer: () => () => passed }) })
    const waits = (_event: Event, facts: Facts) => facts.timer?.(1)()
    expect(isKnown(timed(false), timed(false), waits)).toBe(true)
    expect(isKnown(timed(true), timed(true), waits)).toBe(false)
  })

  it.each<[string, (event: Event, facts: Facts) => unknown]>([
    ['the clock', (_event, facts) => facts.now()],
    ['a file without a stamp', (_event, facts) => facts.readText('/a')],
    ['commits', (_event, facts) => facts.recentCommits(1)],
    ['all variables', (_event, facts) => Object.keys(facts.env)],
    ['whether there is a variable', (_event, facts) => 'CI' in facts.env],
    ['whether a variable is its own', (_event, facts) => Object.hasOwn(facts.env, 'CI')],
    ['many links', (_event, facts) => Array.from({ length: 40 }, (_, i) => facts.realpath(`/${i}`))],
  ])('may be different next time: %s', (_name, read) => {
    expect(isKnown({ event: LS }, { event: LS }, read)).toBe(false)
  })
})

describe('answers', () => {
  it('are given again by the hook that gave them', () => {
    const answers = createKnownAnswers()
    const first = begin(answers, { event: LS })
    first?.note(0, DENIED)
    first?.keep(true)
    expect(begin(answers, { event: LS })?.known).toMatchObject({ findings: new Map([[0, DENIED]]) })
  })

  it('are not kept after a failure', () => {
    const answers = createKnownAnswers()
    const first = begin(answers, { event: LS })
    first?.note(0, { ...DENIED, failed: { failure: 'crash', message: 'x' } })
    first?.keep(true)
    expect(begin(answers, { event: LS })?.known).toBeUndefined()
  })

  it('are forgotten, the oldest first', () => {
    const answers = createKnownAnswers()
    for (let i = 0; i <= 500; i += 1) begin(answers, { event: bash(`ls ${i}`) })?.keep(true)
    expect(begin(answers, { event: bash('ls 500') })?.known).toBeDefined()
    expect(begin(answers, { event: bash('ls 0') })?.known).toBeUndefined()
  })
})

describe('decisions', () => {
  it('are the same whether answers are kept or not, whatever hooks read and whatever changes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(HOOK, { minLength: 1, maxLength: 4 }),
        fc.array(STEP),
        fc.boolean(),
        async (hooks, steps, implies) => {
          const { engine } = await engineOf(
            hooks.map((hook) => ({
              rewrites: hook.rewrites,
              shortCircuit: hook.shortCircuit,
              run: (_event, call) => answerOf(hook, call),
            })),
          )
          for (const [i, runner] of engine.runners.entries()) {
            const { isPure = false, reads = [] } = hooks[i] ?? {}
            if (typeof runner === 'function')
              runner.isPure = isPure && !reads.some((read) => READS_OF_DELIVERY.includes(read))
          }
          const implied = implies ? impliedBy : undefined
          const asked = await play(engine, steps, implied)
          const kept = await play({ ...engine, knownAnswers: createKnownAnswers() }, steps, implied)
          expect(kept).toEqual(asked)
        },
      ),
      { numRuns: 1_000 },
    )
  })

  it('of a call that was changed say nothing about the call as it was sent', async () => {
    let count = 0
    const sandbox = () =>
      (count += 1) < 3 ? { effect: 'pass' as const, rewrite: { command: 'echo' } } : null
    const stop = (event: Event) =>
      toolOf(event)?.input.command === 'ls' ? { effect: 'deny' as const, reason: 'no' } : null
    const { engine } = await engineOf([{ rewrites: true, run: sandbox }, { run: stop }])
    const [, guard] = engine.runners
    if (typeof guard === 'function') guard.isPure = true
    const step = { command: 'ls', world: 0, sets: 'nothing' } as const
    const decisions = await play({ ...engine, knownAnswers: createKnownAnswers() }, [step, step, step, step])
    expect(decisions.map(({ effect }) => effect)).toEqual(['pass', 'pass', 'deny', 'deny'])
  })

  it('are made without asking again', async () => {
    let asked = 0
    const { engine } = await engineOf([{ run: () => void (asked += 1) }])
    for (const runner of engine.runners) if (typeof runner === 'function') runner.isPure = true
    const step = { command: 'ls', world: 0, sets: 'nothing' } as const
    await play({ ...engine, knownAnswers: createKnownAnswers() }, [step, step, step])
    expect(asked).toBe(1)
  })

  it('search again for calls that follow, unless a pure hook denied', async () => {
    const { engine } = await engineOf([{ run: () => null }])
    for (const runner of engine.runners) if (typeof runner === 'function') runner.isPure = true
    let searched = 0
    const implied = async () => {
      searched += 1
      return []
    }
    const step = { command: 'ls', world: 0, sets: 'nothing' } as const
    await play({ ...engine, knownAnswers: createKnownAnswers() }, [step, step], implied)
    expect(searched).toBe(2)
  })
})

/** What differs between two deliveries: a hook that reads it is not pure. */
const READS_OF_DELIVERY = ['id', 'raw']

const READS: Readonly<Record<string, (call: HandlerCall) => unknown>> = {
  file: ({ facts }) => facts.readText('/srv/file'),
  nothing: () => '',
  command: ({ event }) => toolOf(event)?.input.command,
  id: ({ event }) => toolOf(event)?.useId,
  raw: ({ event }) => JSON.stringify(event.raw),
  link: ({ facts }) => facts.realpath('/srv/link'),
  branch: ({ facts }) => facts.branch(),
  variable: ({ facts }) => facts.env.WORLD,
  clock: ({ facts }) => facts.now().getTime(),
  memory: ({ memory }) => memory?.step,
}

const HOOK = fc.record({
  isPure: fc.boolean(),
  rewrites: fc.boolean(),
  shortCircuit: fc.boolean(),
  /** Its answers change the call, unless they deny it. */
  changes: fc.boolean(),
  reads: fc.array(fc.constantFrom(...Object.keys(READS)), { maxLength: 3 }),
  remembers: fc.boolean(),
})
const STEP = fc.record({
  command: fc.constantFrom('ls', 'pwd'),
  world: fc.nat(2),
  sets: fc.constantFrom('nothing', 'link', 'branch', 'variable', 'file'),
})

type Hooked = typeof HOOK extends fc.Arbitrary<infer Of> ? Of : never
type Step = typeof STEP extends fc.Arbitrary<infer Of> ? Of : never

/** One of several answers, by what it read. */
function answerOf(hook: Hooked, call: HandlerCall) {
  const read = hook.reads.map((name) => READS[name]?.(call))
  return read.some((each) => each instanceof Promise)
    ? Promise.all(read).then((all) => answerTo(hook, all.join()))
    : answerTo(hook, read.join())
}

function answerTo({ remembers, changes }: Hooked, read: string) {
  const sum = [...read].reduce((total, letter) => total + letter.charCodeAt(0), 0)
  if (sum % 3 === 0) return null
  const remember = remembers ? { remember: [{ op: 'set', key: 'step', value: sum % 2 } as const] } : {}
  const rewrite = changes ? { rewrite: { command: `echo ${sum % 2}` } } : {}
  return sum % 3 === 1
    ? { effect: 'pass' as const, ...remember, ...rewrite }
    : { effect: 'deny' as const, reason: read }
}

/** One command starts another. */
const impliedBy: NonNullable<DecideContext['implied']> = (event) =>
  toolOf(event)?.input.command === 'ls' ? [{ event: bash('git gc'), says: 'ls starts it' }] : []

async function play(engine: Engine, steps: readonly Step[], implied?: DecideContext['implied']) {
  const state = createMemoryState()
  const decisions: Decision[] = []
  let world = { link: 0, branch: 0, variable: 0, file: 0 }
  for (const [i, { command, world: value, sets }] of steps.entries()) {
    if (sets !== 'nothing') world = { ...world, [sets]: value }
    const facts = frozenFacts({
      realpath: (path) => `${path}-${world.link}`,
      branch: () => `branch-${world.branch}`,
      env: { WORLD: `${world.variable}` },
      now: () => new Date(i),
      files: { '/srv/file': `${world.file}` },
      // Sometimes it has changed too recently.
      stamp: () => (i % 4 === 3 ? undefined : `${world.file}`),
    })
    const event = bash(command, {
      tool: { name: 'Bash', input: { command }, useId: `call-${i}` },
      raw: { i: i % 2 },
    })
    const { decision } = await decide(event, {
      ...{ engine, state, facts, can: ALL_ABILITIES, deliversTwice: false, stopBlocksMax: 3, skills: [] },
      ...{ now: () => 0, newId: () => `${i}-${Math.random()}`, hash: (text: string) => text },
      ...{ applyFiles: () => good(undefined), implied },
    })
    decisions.push(decision)
  }
  return decisions
}
