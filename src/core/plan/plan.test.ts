import { describe, expect, it } from 'vitest'
import { handlerKind as kindOf } from '../../handlers/kind-of.ts'
import { buildPlan } from '../../handlers/plan.ts'
import { EVENT_KINDS } from '../event.ts'
import { fingerprint } from '../fingerprint.ts'
import { type Guard, LEVELS, type Level, type Mode, type Pack } from '../guard.ts'
import { RANKS, type Rank } from '../hook.ts'
import type { Json, JsonObject } from '../json.ts'
import type { HookEntry, Layer, UserRights } from '../layer.ts'
import { defaultOnFailure, isCodeOfProject, isProjectRank, userRights } from './plan.ts'

const entry = (id: string, more: Partial<HookEntry> = {}): HookEntry => ({
  id,
  on: ['PreToolUse'],
  match: {},
  actor: {},
  run: { type: 'command', command: 'x' },
  origin: { file: 'f.yaml', line: 3, key: `hooks.PreToolUse[0]` },
  ...more,
})

const layer = (rank: Rank, more: Partial<Layer> = {}): Layer => ({
  rank,
  file: `${rank}.yaml`,
  trusted: true,
  packs: [],
  hooks: [],
  settings: {},
  problems: [],
  ...more,
})

const guard = (id: string, modes: Record<Level, Mode>): Guard => ({
  id,
  title: 't',
  why: 'w.',
  instead: 'i.',
  on: ['PreToolUse'],
  match: 'Bash|Read',
  modes,
  examples: { stops: [], passes: [] },
  check: () => null,
})

const pack: Pack = {
  id: 'p',
  title: 'p',
  guards: [
    guard('p/always', { standard: 'deny', strict: 'deny', paranoid: 'deny' }),
    guard('p/strict', { standard: 'off', strict: 'ask', paranoid: 'deny' }),
  ],
}
const packs = new Map([['p', pack]])
const wants = (rank: Rank, options: JsonObject = {}) =>
  layer(rank, { packs: [{ pack: 'p', options, origin: { file: `${rank}.yaml`, line: 2 } }] })

describe('a call that can be undone', () => {
  const undoable: Pack = { ...pack, guards: pack.guards.map((each) => ({ ...each, undoable: true })) }
  const isAsked = (...layers: readonly Layer[]) =>
    buildPlan(layers, new Map([['p', undoable]])).hooks.some(({ run }) => run.undoable === true)
  const asking = { undoable: 'ask' }

  it.each<[string, boolean, readonly Layer[]]>([
    ['the only layer says so', true, [wants('user', asking)]],
    ['no layer says so', false, [wants('user')]],
    ['the value is something else', false, [wants('user', { undoable: 'yes' })]],
    ['the mode of the guard is set', false, [wants('user', { ...asking, guards: { 'p/always': 'deny' } })]],
    ['managed policy denies it', false, [wants('managed'), wants('user', asking)]],
    ['only a file nobody trusts says so', false, [{ ...wants('project', asking), trusted: false }]],
  ])('asks if every layer that denies it says so: %s', (_, asked, layers) => {
    expect(isAsked(...layers)).toBe(asked)
  })

  it('is denied if the guard is not for such calls', () => {
    expect(buildPlan([wants('user', asking)], packs).hooks.some(({ run }) => run.undoable === true)).toBe(
      false,
    )
  })
})

describe('a plan', () => {
  it('lets a pack send messages and write files only if a trusted layer enabled it', () => {
    const stranger = { ...wants('project'), trusted: false }
    expect(buildPlan([stranger], packs).hooks.map(({ trusted }) => trusted)).toEqual([false])
    expect(buildPlan([stranger, wants('user')], packs).hooks.map(({ trusted }) => trusted)).toEqual([true])
  })

  it('runs all ranks in their order, in whatever order the layers come (R-000-45, R-000-46)', () => {
    const layers = RANKS.map((rank) => layer(rank, { hooks: [entry(`of-${rank}`)] }))
    const plan = buildPlan([...layers].reverse(), packs)
    expect(plan.hooks.map((hook) => hook.id)).toEqual(RANKS.map((rank) => `of-${rank}`))
  })

  it('is plain JSON and does not change when it is written and read', () => {
    const plan = buildPlan([wants('user'), layer('project', { hooks: [entry('x')] })], packs)
    expect(JSON.parse(JSON.stringify(plan))).toEqual(plan)
  })

  it('has a revision that changes with its content', () => {
    const one = buildPlan([wants('user')], packs)
    expect(buildPlan([wants('user')], packs).revision).toBe(one.revision)
    expect(buildPlan([wants('user', { level: 'strict' })], packs).revision).not.toBe(one.revision)
    expect(fingerprint('ab')).not.toBe(fingerprint('ba'))
  })

  it('indexes plain names separately from patterns, also names like __proto__', () => {
    const named = (id: string, ...names: string[]) =>
      entry(id, { match: { subject: { kind: 'names', names } } })
    const plan = buildPlan(
      [layer('user', { hooks: [named('a', 'Bash', '__proto__'), entry('b'), named('c', 'Bash')] })],
      packs,
    )
    const index = plan.index.PreToolUse
    expect(index?.rest).toEqual([1])
    expect(Object.entries(index?.byName ?? {})).toEqual([
      ['Bash', [0, 2]],
      ['__proto__', [0]],
    ])
  })

  it('sets a failure policy for each event: deny before a call, pass elsewhere, pass if not trusted', () => {
    for (const kind of EVENT_KINDS) {
      const policy = defaultOnFailure(kind)
      const hold = ['PreToolUse', 'PermissionRequest', 'UserPromptSubmit', 'ConfigChange'].includes(kind)
      expect([kind, policy.timeout, policy.crash, policy.untrusted]).toEqual([
        kind,
        ...(hold ? ['deny', 'deny'] : ['pass', 'pass']),
        'pass',
      ])
    }
    const both = buildPlan(
      [layer('user', { hooks: [entry('x', { on: ['PreToolUse', 'Stop'], onFailure: { timeout: 'ask' } })] })],
      packs,
    )
    expect(both.hooks.map((hook) => [hook.on, hook.onFailure.timeout, hook.onFailure.crash])).toEqual([
      ['PreToolUse', 'ask', 'deny'],
      ['Stop', 'ask', 'pass'],
    ])
  })

  it('accepts `grants` only from trusted files', () => {
    const granting = [entry('x', { grants: true })]
    const plan = buildPlan(
      [layer('project', { trusted: false, hooks: granting }), layer('local', { hooks: granting })],
      packs,
    )
    expect(plan.hooks.map((hook) => [hook.rank, hook.trusted, hook.grants])).toEqual([
      ['project', false, false],
      ['local', true, true],
    ])
  })

  it('gives a command ten seconds unless it says otherwise (R-003-49)', () => {
    const plan = buildPlan([layer('user', { hooks: [entry('a'), entry('b', { timeoutMs: 5 })] })], packs)
    expect(plan.hooks.map((hook) => hook.timeoutMs)).toEqual([10_000, 5])
  })

  it('takes a setting from the strongest layer and merges the mask patterns of all layers', () => {
    const plan = buildPlan(
      [
        layer('managed', { settings: { stopBlocksMax: 5, ask: { waitMs: 0 }, redact: ['a'] } }),
        layer('project', {
          settings: {
            stopBlocksMax: 1,
            ask: { waitMs: 20_000, notify: false },
            journal: { keepDays: 7 },
            redact: ['b'],
          },
        }),
      ],
      packs,
    )
    expect(plan.settings).toEqual({
      stopBlocksMax: 5,
      projectCode: 'allowed',
      ask: { waitMs: 0, notify: false },
      journal: { enabled: true, keepDays: 7, keepMegabytes: 256, keepInput: false },
      redact: ['b', 'a'],
      users: { exceptions: 'forbidden', pauses: 'forbidden', grants: 'allowed' },
      telemetry: {},
    })
  })

  it('has settings that nobody wrote: a question is denied at once, and a person is told that it waits', () => {
    expect(buildPlan([], packs).settings).toEqual({
      stopBlocksMax: 3,
      projectCode: 'allowed',
      ask: { waitMs: 0, notify: true },
      journal: { enabled: true, keepDays: 30, keepMegabytes: 256, keepInput: false },
      redact: [],
      users: { exceptions: 'forbidden', pauses: 'forbidden', grants: 'allowed' },
      telemetry: {},
    })
  })

  it('contains no code of a project if managed policy forbids it, and reports that', () => {
    const code = ['command', 'module', 'http', 'anything'].map((type) => entry(type, { run: { type } }))
    const rule = entry('rule', { run: { type: 'rule' } })
    const layers = RANKS.map((rank) => layer(rank, { hooks: [...code, rule] }))
    const [managed, ...others] = layers
    if (managed === undefined) throw new Error('no ranks')
    const forbidding = { ...managed, settings: { projectCode: 'forbidden' } as const }
    const plan = buildPlan([forbidding, ...others], packs)
    const left = (rank: Rank) => plan.hooks.filter((hook) => hook.rank === rank).map((hook) => hook.id)
    for (const rank of ['project', 'local', 'plugin', 'frontmatter'] as const)
      expect(left(rank)).toEqual(['rule'])
    for (const rank of ['managed', 'user', 'call'] as const) expect(left(rank)).toHaveLength(5)
    expect(plan.settings.projectCode).toBe('forbidden')
    expect(plan.problems).toHaveLength(16)
    expect(plan.problems[0]).toMatchObject({ severity: 'warning', file: 'f.yaml', line: 3 })
    expect(buildPlan(layers, packs).hooks).toHaveLength(35)
  })

  it('runs programs for a pack, and takes their names, only if a trusted layer asks for it', () => {
    const needing: Pack = {
      ...pack,
      programs: ['test'],
      guards: pack.guards.slice(0, 1).map((each) => ({ ...each, needs: async () => undefined })),
    }
    const runOf = (...layers: Layer[]) => buildPlan(layers, new Map([['p', needing]])).hooks[0]?.run
    const options = { test: 'make test', other: 1 }
    const stranger = { ...wants('project', options), trusted: false }
    expect(runOf(wants('project', options))).toMatchObject({ mayRun: true, options })
    expect(runOf(stranger)).toMatchObject({ mayRun: false, options: { other: 1 } })
    expect(runOf(wants('user'), stranger)).toMatchObject({ mayRun: true, options: { other: 1 } })
    const forbidding = layer('managed', { settings: { projectCode: 'forbidden' } })
    expect(runOf(forbidding, wants('project', options))).toMatchObject({
      mayRun: false,
      options: { other: 1 },
    })
    expect(buildPlan([wants('user')], packs).hooks[0]?.run.mayRun).toBeUndefined()
  })

  it('does not count a contract without commands as code of a project', () => {
    const quiet = entry('quiet', { run: { type: 'contract' } })
    const running = entry('running', { run: { type: 'contract', command: 'npm test' } })
    const forbidding = layer('managed', { settings: { projectCode: 'forbidden' } })
    const plan = buildPlan([forbidding, layer('project', { hooks: [quiet, running] })], packs)
    expect(plan.hooks.map(({ id }) => id)).toEqual(['quiet'])
  })

  it('lets only managed policy forbid or allow project code', () => {
    const wishes = (rank: Rank, projectCode: 'allowed' | 'forbidden') =>
      layer(rank, { settings: { projectCode }, hooks: [entry('x')] })
    expect(
      buildPlan([wishes('user', 'forbidden'), wishes('project', 'forbidden')], packs).hooks,
    ).toHaveLength(2)
    const against = [wishes('managed', 'forbidden'), wishes('user', 'allowed'), wishes('project', 'allowed')]
    expect(buildPlan(against, packs).hooks.map(({ rank }) => rank)).toEqual(['managed', 'user'])
  })

  it('takes no setting from a file that is not trusted', () => {
    const settings = { stopBlocksMax: 1, journal: { enabled: false, keepDays: 1 }, redact: ['x'] }
    const plan = buildPlan([layer('project', { trusted: false, settings })], packs)
    expect(plan.settings).toEqual(buildPlan([], packs).settings)
  })
})

describe('the rights of users', () => {
  const saying = (users: Partial<UserRights>, rank: Rank = 'managed') => layer(rank, { settings: { users } })
  const FORBIDDEN = { exceptions: 'forbidden', pauses: 'forbidden', grants: 'forbidden' } as const
  const ALLOWED = { exceptions: 'allowed', pauses: 'allowed', grants: 'allowed' } as const

  it.each<[string, readonly Layer[], Partial<UserRights>]>([
    ['nobody says anything', [], { exceptions: 'forbidden', pauses: 'forbidden', grants: 'allowed' }],
    ['managed policy allows them', [saying(ALLOWED)], ALLOWED],
    ['managed policy forbids them', [saying(FORBIDDEN)], FORBIDDEN],
    [
      'two managed files differ',
      [saying(ALLOWED), saying({ pauses: 'forbidden' })],
      { ...ALLOWED, pauses: 'forbidden' },
    ],
    [
      'only a user says so',
      [saying(ALLOWED, 'user')],
      { exceptions: 'forbidden', pauses: 'forbidden', grants: 'allowed' },
    ],
  ])('are those of managed policy: %s', (_what, layers, users) => {
    expect(userRights(layers)).toEqual(users)
    expect(buildPlan(layers, packs).settings.users).toEqual(users)
  })

  it('decide who may grant: managed policy always, others if it lets them', () => {
    const granting = RANKS.map((rank) => layer(rank, { hooks: [entry(rank, { grants: true })] }))
    const granted = (...more: readonly Layer[]) =>
      buildPlan([...more, ...granting], packs)
        .hooks.filter(({ grants }) => grants)
        .map(({ id }) => id)
    expect(granted()).toEqual(RANKS)
    expect(granted(saying({ grants: 'forbidden' }))).toEqual(['managed'])
  })
})

describe('an entry', () => {
  const hookOf = (more: Partial<HookEntry>, of: Partial<Layer> = {}) =>
    buildPlan([layer('user', { ...of, hooks: [{ ...entry('x'), ...more }] })], packs).hooks[0]

  it('has a name, whatever is written', () => {
    const { id: _id, ...nameless } = entry('x')
    const named = (origin: HookEntry['origin']) =>
      buildPlan([layer('user', { hooks: [{ ...nameless, origin }] })], packs).hooks[0]?.id
    expect(named({ file: 'f', key: 'hooks.Stop[0]' })).toBe('user/hooks.Stop[0]')
    expect(named({ file: 'f' })).toBe('user/command')
  })

  it('says nothing that nobody wrote', () => {
    expect(hookOf({})).toMatchObject({ rewrites: false, grants: false, required: false, trusted: true })
    expect(hookOf({})).not.toHaveProperty('shortCircuit')
    expect(hookOf({ shortCircuit: false })).not.toHaveProperty('shortCircuit')
    const all = { rewrites: true, grants: true, required: true, shortCircuit: true }
    expect(hookOf(all)).toMatchObject(all)
  })

  it('is not trusted if its file is not, or a program that it names', () => {
    expect(hookOf({ trusted: false, grants: true })).toMatchObject({ trusted: false, grants: false })
    expect(hookOf({ trusted: true }, { trusted: false })).toMatchObject({ trusted: false })
  })

  it('that could not be read is code of a project if it was to run some', () => {
    const unread = (rank: Rank, value: Json) =>
      isCodeOfProject({ run: { type: 'rule', unread: value } }, rank, kindOf)
    expect(unread('project', { isCode: true })).toBe(true)
    expect(unread('project', { isCode: false })).toBe(false)
    expect(unread('project', 'x')).toBe(false)
    expect(unread('user', { isCode: true })).toBe(false)
    expect(RANKS.filter(isProjectRank)).toEqual(['project', 'local', 'plugin', 'frontmatter'])
  })

  it('for a shell is asked about every tool, and one that names a tool twice once', () => {
    const names = (...all: readonly string[]) => ({ subject: { kind: 'names', names: all } }) as const
    const { index } = buildPlan(
      [
        layer('user', {
          hooks: [
            entry('a', { match: { ...names('Bash'), orRunsCommands: true } }),
            entry('b', { match: names('Bash', 'Read', 'Bash') }),
            entry('c', { match: names('Read'), on: ['Stop'] }),
          ],
        }),
      ],
      packs,
    )
    expect(index.PreToolUse).toEqual({ byName: { Bash: [1], Read: [1] }, rest: [0] })
    expect(index.Stop).toEqual({ byName: { Read: [2] }, rest: [] })
    expect(index.SessionStart).toBeUndefined()
  })
})

describe('packs in a plan', () => {
  const modes = (layers: readonly Layer[]) =>
    Object.fromEntries(buildPlan(layers, packs).hooks.map((hook) => [hook.id, hook.run.mode]))

  it.each<[string, Layer[], Record<string, string>]>([
    ['one layer, default level', [wants('user')], { 'p/always': 'deny' }],
    [
      'a stricter level enables more guards',
      [wants('user', { level: 'strict' })],
      { 'p/always': 'deny', 'p/strict': 'ask' },
    ],
    [
      'the strictest level of all layers wins',
      [wants('user'), wants('project', { level: 'paranoid' })],
      { 'p/always': 'deny', 'p/strict': 'deny' },
    ],
    [
      'a project cannot weaken what the user wants',
      [wants('user'), wants('project', { guards: { 'p/always': 'off' } })],
      { 'p/always': 'deny' },
    ],
    [
      'nor can a user weaken what a project wants',
      [wants('user', { guards: { 'p/always': 'warn' } }), wants('project')],
      { 'p/always': 'deny' },
    ],
    [
      'a single layer may weaken',
      [wants('user', { guards: { 'p/always': 'warn' } })],
      { 'p/always': 'warn' },
    ],
    ['a guard may be named without its pack', [wants('user', { guards: { always: 'off' } })], {}],
  ])('%s', (_name, layers, expected) => {
    expect(modes(layers)).toEqual(expected)
  })

  it('report a weaker value that has no effect', () => {
    const plan = buildPlan([wants('user'), wants('project', { guards: { 'p/always': 'off' } })], packs)
    expect(plan.problems).toMatchObject([
      { code: 'CONFIG_WEAKER', severity: 'warning', file: 'project.yaml', line: 2 },
    ])
  })

  it('report unknown packs and guards, and keep the rest', () => {
    const unknown = layer('user', {
      packs: [{ pack: 'q', options: {}, origin: { file: 'user.yaml', line: 9 } }],
    })
    const plan = buildPlan([unknown, wants('user', { guards: { 'p/nope': 'deny' } })], packs)
    expect(plan.problems.map((problem) => problem.code)).toEqual(['PACK_UNKNOWN', 'GUARD_UNKNOWN'])
    expect(plan.hooks.map((hook) => hook.id)).toEqual(['p/always'])
  })

  it('deny when a guard itself fails, at every event', () => {
    const [hook] = buildPlan([wants('user')], packs).hooks
    expect(new Set(Object.values(hook?.onFailure ?? {}))).toEqual(new Set(['deny']))
  })

  it('are required if managed policy enables them', () => {
    expect(buildPlan([wants('managed')], packs).hooks[0]?.required).toBe(true)
    expect(LEVELS).toHaveLength(3)
  })
})
