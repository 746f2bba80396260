import { describe, expect, it, test } from 'vitest'
import type { Guard, Level, Mode, Pack } from '../guard.ts'
import { FAILURE_KINDS, type Hook, type Rank } from '../hook.ts'
import type { JsonObject } from '../json.ts'
import type { FoundPack, Layer, PackEntry } from '../layer.ts'
import { guardHooks, packsOfOthers } from './plan-guards.ts'

const MODES: Readonly<Record<Level, Mode>> = { standard: 'ask', strict: 'deny', paranoid: 'deny' }

const guard = (id: string, more: Partial<Guard> = {}): Guard => ({
  id,
  title: 't',
  why: 'w.',
  instead: 'i.',
  on: ['PreToolUse'],
  match: 'Read|Write',
  modes: MODES,
  examples: { stops: [], passes: [] },
  check: () => null,
  ...more,
})
const packOf = (guards: readonly Guard[], more: Partial<Pack> = {}): Pack => ({
  id: 'p',
  title: 'p',
  guards,
  ...more,
})
const layerOf = (rank: Rank, packs: readonly PackEntry[], more: Partial<Layer> = {}): Layer => ({
  ...{ rank, file: `${rank}.yaml`, trusted: true, hooks: [], settings: {}, problems: [] },
  packs,
  ...more,
})
const entry = (rank: Rank, options: JsonObject = {}, more: Partial<PackEntry> = {}): PackEntry => ({
  pack: 'p',
  options,
  origin: { file: `${rank}.yaml`, line: 2, key: 'packs.p' },
  ...more,
})
const wants = (rank: Rank, options: JsonObject = {}, more: Partial<Layer> = {}) =>
  layerOf(rank, [entry(rank, options)], more)

const ONE = packOf([guard('p/one')])
const planned = (layers: readonly Layer[], pack = ONE) => guardHooks(layers, new Map([[pack.id, pack]]))
function only({ hooks }: { readonly hooks: readonly Hook[] }): Hook {
  const [hook, ...rest] = hooks
  if (hook === undefined || rest.length > 0) throw new Error(`${hooks.length} hooks`)
  return hook
}
const ALL_DENY = Object.fromEntries(FAILURE_KINDS.map((kind) => [kind, 'deny']))

describe('the hook of a guard', () => {
  it('has everything that a hook needs', () => {
    expect(
      planned(
        [wants('user', { own: 1 })],
        packOf([guard('p/one')], { options: { own: { type: 'number' } } }),
      ),
    ).toEqual({
      problems: [],
      hooks: [
        {
          id: 'p/one',
          on: 'PreToolUse',
          match: { subject: { kind: 'names', names: ['Read', 'Write'] } },
          actor: {},
          run: { type: 'guard', pack: 'p', guard: 'p/one', mode: 'ask', unsure: 'ask', options: { own: 1 } },
          timeoutMs: 5000,
          onFailure: ALL_DENY,
          rewrites: false,
          grants: false,
          required: false,
          trusted: true,
          rank: 'user',
          origin: { file: 'user.yaml', line: 2, key: 'packs.p' },
        },
      ],
    })
  })

  test.each<[string, Partial<Guard>, object]>([
    [
      'for a shell, and so for all',
      { match: 'Bash|Read' },
      { match: { subject: { kind: 'names', names: ['Bash', 'Read'] }, orRunsCommands: true } },
    ],
    ['for a skill', { skill: 'mux' }, { actor: { skill: 'mux' } }],
    ['with a time of its own', { timeoutMs: 7 }, { timeoutMs: 7 }],
    [
      'that passes if it fails',
      { onFailure: 'pass' },
      { onFailure: Object.fromEntries(FAILURE_KINDS.map((kind) => [kind, 'pass'])) },
    ],
    ['that grants', { grants: true }, { grants: true }],
    ['that needs commands', { needs: async () => undefined }, { run: { mayRun: true } }],
  ])('%s', (_what, more, hook) => {
    expect(only(planned([wants('user')], packOf([guard('p/one', more)])))).toMatchObject(hook)
  })

  it.each(['*', ''])('has no condition for every tool, and for an event without one: "%s"', (match) => {
    expect(only(planned([wants('user')], packOf([guard('p/one', { match })]))).match).toEqual({})
  })

  it('is one for each of its events', () => {
    const { hooks } = planned([wants('user')], packOf([guard('p/one', { on: ['PreToolUse', 'Stop'] })]))
    expect(hooks.map(({ id, on }) => [id, on])).toEqual([
      ['p/one', 'PreToolUse'],
      ['p/one', 'Stop'],
    ])
  })

  it('does not exist if its mode is off', () => {
    expect(planned([wants('user', { guards: { one: 'off' } })]).hooks).toEqual([])
    expect(planned([]).hooks).toEqual([])
  })

  test.each<[JsonObject, string, string]>([
    [{}, 'ask', 'ask'],
    [{ level: 'strict' }, 'deny', 'ask'],
    [{ level: 'paranoid' }, 'deny', 'deny'],
    [{ level: 'unheard' }, 'ask', 'ask'],
    [{ guards: { one: 'warn' } }, 'warn', 'warn'],
    [{ level: 'paranoid', guards: { one: 'warn' } }, 'warn', 'warn'],
  ])('with %j denies, asks or warns, and does so if it is not sure', (options, mode, unsure) => {
    expect(only(planned([wants('user', options)])).run).toMatchObject({ mode, unsure, options: {} })
  })

  it('of several layers is as strict as the strictest, and so if it is not sure', () => {
    const hook = only(planned([wants('managed'), wants('user', { level: 'paranoid' }), wants('project')]))
    expect(hook).toMatchObject({ rank: 'user', required: false, run: { mode: 'deny', unsure: 'deny' } })
    // Of equal ones it is the first, which is the strongest.
    expect(only(planned([wants('managed'), wants('user')]))).toMatchObject({
      rank: 'managed',
      required: true,
    })
  })
})

describe('options of a pack', () => {
  const options = {
    list: { type: 'array', items: { type: 'string' }, default: ['x'] },
    size: { type: 'integer', ifWrong: 0 },
  } as const
  const builtIn = packOf([guard('p/one')], { options, wrongOptions: 'use defaults' })
  const others = packOf([guard('p/one')], { options })
  const optionsOf = (pack: Pack, ...layers: readonly Layer[]) => only(planned(layers, pack)).run.options

  it('have their defaults, and those of the stronger layer', () => {
    expect(optionsOf(builtIn, wants('user'))).toEqual({ list: ['x'] })
    const layers = [wants('managed', { size: 1 }), wants('user', { size: 2, list: ['u'] })]
    expect(optionsOf(builtIn, ...layers)).toEqual({ size: 1, list: ['u'] })
  })

  it('that are wrong are left out of a built-in pack, with what happens instead', () => {
    const { problems, hooks } = planned([wants('user', { list: 7, size: 'x', sise: 1 })], builtIn)
    expect(hooks[0]?.run).toMatchObject({ options: { list: ['x'] } })
    expect(hooks[0]?.run.failure).toBeUndefined()
    const said = problems.map(({ message }) => message)
    expect(said).toHaveLength(3)
    expect(said.find((text) => text.includes('`list`'))).toMatch(/^Pack `p`: .* The default is used\.$/)
    expect(said.find((text) => text.includes('`size`'))).toMatch(/ It counts as `0`\.$/)
    expect(said.find((text) => text.includes('`sise`'))).toMatch(/ It has no effect\.$/)
    expect(problems.map(({ key }) => key).sort()).toEqual(['packs.p.list', 'packs.p.sise', 'packs.p.size'])
    expect(problems[0]).toMatchObject({ code: 'CONFIG_VALUE', file: 'user.yaml', line: 2 })
  })

  it('that are empty in YAML say nothing', () => {
    expect(planned([wants('user', { list: null })], builtIn).problems).toEqual([])
  })

  it('that are wrong for a pack of others make every call fail, if a trusted file has them', () => {
    const stranger = wants('project', { size: 'x' }, { trusted: false })
    const { problems, hooks } = planned([wants('user', { size: 'x' })], others)
    expect(problems).toHaveLength(1)
    expect(hooks[0]?.run.failure).toMatchObject({
      kind: 'validation',
      message: expect.stringContaining('`size`'),
    })
    const mixed = planned([wants('user'), stranger], others)
    expect([mixed.problems.length, mixed.hooks[0]?.run.failure]).toEqual([1, undefined])
  })

  it('that are wrong for a pack of others say only what is wrong, in the words of the strongest file', () => {
    const { problems, hooks } = planned(
      [wants('user'), wants('project', { size: 'x' }), wants('local', { size: null, list: 7 })],
      others,
    )
    const said = problems.map(({ message }) => message)
    expect(said).toEqual([
      'Pack `p`: The option `size` must be a whole number.',
      'Pack `p`: The option `size` must be a whole number.',
      'Pack `p`: The option `list` must be a list of texts.',
    ])
    expect(hooks[0]?.run.failure).toMatchObject({ message: 'The option `size` must be a whole number.' })
    const both = planned([wants('user', { list: 7 }), wants('project', { size: 'x' })], others)
    expect(both.hooks[0]?.run.failure).toMatchObject({
      message: 'The option `list` must be a list of texts.',
    })
    // Nothing is left out of what was written.
    expect(optionsOf(others, wants('user', { size: 'x' }))).toEqual({ list: ['x'], size: 'x' })
  })

  it('that are named like something of every object are unknown', () => {
    expect(planned([wants('user', { toString: 1 })], builtIn).problems[0]?.message).toMatch(
      / It has no effect\.$/,
    )
  })

  it('of a file that is not trusted count for a built-in pack only', () => {
    const stranger = wants('project', { list: ['p'] }, { trusted: false })
    expect(optionsOf(builtIn, stranger)).toEqual({ list: ['p'] })
    expect(optionsOf(others, stranger)).toEqual({ list: ['x'] })
    expect(optionsOf(others, wants('project', { list: ['p'] }))).toEqual({ list: ['p'] })
  })

  it('that name programs are those of files that may run them', () => {
    const pack = packOf([guard('p/one')], { programs: ['tool'] })
    const layer = wants('project', { tool: 'make', other: 1 })
    const run = (mayRun: boolean) => only(guardHooks([layer], new Map([['p', pack]]), () => mayRun)).run
    expect([run(true).options, run(false).options]).toEqual([{ tool: 'make', other: 1 }, { other: 1 }])
    expect(only(planned([{ ...layer, trusted: false }], packOf([guard('p/one')]))).run.options).toEqual({
      tool: 'make',
      other: 1,
    })
  })

  it('have a place of their own, if the file says it', () => {
    const own = { file: 'user.yaml', line: 9, key: 'packs.p.size' }
    const layer = layerOf('user', [entry('user', { size: 'x' }, { optionOrigins: { size: own } })])
    expect(planned([layer], builtIn).problems[0]).toMatchObject(own)
    const nameless = layerOf('user', [entry('user', { size: 'x' }, { origin: { file: 'user.yaml' } })])
    expect(planned([nameless], builtIn).problems[0]?.key).toBe('packs.size')
  })

  it('`undoable` is known to every pack, and only two words are right', () => {
    for (const undoable of ['deny', 'ask'])
      expect(planned([wants('user', { undoable })], others).problems).toEqual([])
    expect(planned([wants('user', { undoable: 'maybe' })], others).problems).toMatchObject([
      { code: 'CONFIG_VALUE', message: expect.stringContaining('`undoable`') },
    ])
    const wrong = planned([wants('user', { undoable: 'maybe' })], builtIn)
    expect(wrong.problems[0]?.message).toMatch(/The default is used\.$/)
    expect(wrong.hooks[0]?.run.options).toEqual({ list: ['x'] })
  })
})

describe('a guard whose act can be undone', () => {
  const pack = packOf([guard('p/one', { undoable: true, modes: { ...MODES, standard: 'deny' } })])
  const isUndoable = (...layers: readonly Layer[]) => only(planned(layers, pack)).run.undoable

  test.each<[string, readonly Layer[], true | undefined]>([
    ['asks if its file says so', [wants('user', { undoable: 'ask' })], true],
    [
      'does not, if another file that denies it does not say so',
      [wants('user', { undoable: 'ask' }), wants('project')],
      undefined,
    ],
    [
      'does, if the other file does not deny it',
      [wants('user', { undoable: 'ask' }), wants('project', { guards: { one: 'ask' } })],
      true,
    ],
    ['does not in its own mode', [wants('user', { undoable: 'ask', guards: { one: 'deny' } })], undefined],
    [
      'has no question more, if it asks or warns only',
      [wants('user', { undoable: 'ask', guards: { one: 'ask' } })],
      undefined,
    ],
    [
      'is not weakened by a file that is not trusted',
      [wants('project', { undoable: 'ask' }, { trusted: false })],
      undefined,
    ],
  ])('%s', (_what, layers, undoable) => {
    expect(isUndoable(...layers)).toBe(undoable)
  })
})

describe('what a layer must not do', () => {
  it('a guard grants only if every file that enables it is trusted', () => {
    const pack = packOf([guard('p/one', { grants: true })])
    const grants = (...layers: readonly Layer[]) => only(planned(layers, pack)).grants
    expect(grants(wants('user'), wants('project'))).toBe(true)
    expect(grants(wants('user'), wants('project', {}, { trusted: false }))).toBe(false)
  })

  it('a weaker mode is reported with both files, and a weaker level is not', () => {
    const layers = [
      wants('managed', { level: 'strict' }),
      wants('user', { guards: { one: 'warn' } }),
      wants('project'),
    ]
    expect(planned(layers).problems).toEqual([
      {
        code: 'CONFIG_WEAKER',
        severity: 'warning',
        message: '`p/one: warn` is weaker than `deny` in managed.yaml, so it has no effect.',
        ...{ file: 'user.yaml', line: 2, key: 'packs.p' },
      },
    ])
    expect(planned([wants('user', { guards: { one: 'ask' } }), wants('project')]).problems).toEqual([])
  })

  it('guards and modes that do not exist are named', () => {
    const { problems, hooks } = planned([
      wants('user', { guards: { two: 'deny', one: 'never', 'p/one': 'deny' } }),
    ])
    expect(hooks[0]?.run.mode).toBe('deny')
    expect(problems).toMatchObject([
      { code: 'GUARD_UNKNOWN', message: 'Pack `p` has no guard `two`. Its guards: p/one.', line: 2 },
      { code: 'GUARD_UNKNOWN', message: 'Pack `p` has no guard `one`. Its guards: p/one.', line: 2 },
    ])
    expect(planned([wants('user', { guards: 7 })]).hooks[0]?.run.mode).toBe('ask')
  })

  it('packs that do not exist are named, and one that is off needs nothing', () => {
    const layers = [layerOf('user', [entry('user', {}, { pack: 'q' }), entry('user', {}, { off: true })])]
    expect(planned(layers)).toEqual({
      hooks: [],
      problems: [
        {
          code: 'PACK_UNKNOWN',
          message: 'There is no pack `q`. Packs: p.',
          file: 'user.yaml',
          line: 2,
          key: 'packs.p',
        },
      ],
    })
  })
})

describe('a pack of others', () => {
  const from = { module: './acme.ts', root: '/srv' }
  const about = { id: 'acme', title: 'Acme', options: {}, guards: [guard('acme/one')] }
  const described: FoundPack = { kind: 'described', pack: about }
  const asked = (more: Partial<PackEntry>, layer: Partial<Layer> = {}) =>
    guardHooks([layerOf('user', [entry('user', {}, { pack: 'acme', from, ...more })], layer)], new Map())

  it('is run from its module, with what it says about itself', () => {
    const hook = only(asked({ found: described }))
    expect(hook.run).toMatchObject({
      pack: 'acme',
      guard: 'acme/one',
      from,
      about: { id: 'acme/one', why: 'w.' },
    })
    const { packs, modules } = packsOfOthers([
      layerOf('user', [
        entry('user', {}, { from, found: described }),
        entry('user', {}, { found: described, pack: 'x' }),
      ]),
    ])
    expect([[...packs.keys()], [...modules]]).toEqual([['acme'], [['acme', from]]])
    expect(() => packs.get('acme')?.guards[0]?.check({} as never)).toThrow('a process of its own')
  })

  it('that nobody looked up cannot run, except if it is off', () => {
    const { hooks, problems } = asked({})
    expect(problems).toMatchObject([
      {
        code: 'PACK_FAILED',
        message: 'The pack `acme` from ./acme.ts cannot be used here.',
        file: 'user.yaml',
      },
    ])
    expect(hooks.length).toBeGreaterThan(1)
    expect(asked({ off: true })).toEqual({
      hooks: [],
      problems: [
        {
          code: 'PACK_UNKNOWN',
          message: 'There is no pack `acme`. Packs: .',
          file: 'user.yaml',
          line: 2,
          key: 'packs.p',
        },
      ],
    })
  })

  it('that failed denies wherever something can be denied', () => {
    const problem = { code: 'PACK_FAILED', message: 'It throws.' } as const
    const { hooks, problems } = asked({ found: { kind: 'failed', failure: 'crash', problem } })
    expect(problems).toEqual([problem])
    expect(hooks.map(({ on }) => on).sort()).toEqual([
      'ConfigChange',
      'PermissionRequest',
      'PreToolUse',
      'UserPromptSubmit',
    ])
    expect(hooks[0]).toEqual({
      id: 'acme/pack',
      on: hooks[0]?.on,
      match: {},
      actor: {},
      run: {
        ...{ type: 'guard', pack: 'acme', guard: 'acme/pack', mode: 'deny', unsure: 'deny', options: {} },
        failure: { kind: 'crash', message: 'It throws.' },
      },
      timeoutMs: 5000,
      onFailure: { ...ALL_DENY, untrusted: 'pass' },
      rewrites: false,
      grants: false,
      required: false,
      trusted: true,
      rank: 'user',
      origin: { file: 'user.yaml', line: 2, key: 'packs.p' },
    })
    const failed = { found: { kind: 'failed', failure: 'crash', problem } } as const
    expect(asked(failed, { rank: 'managed', trusted: false }).hooks[0]).toMatchObject({
      required: true,
      trusted: false,
    })
  })

  it('that nobody trusted passes with a notice, once for each call', () => {
    const problem = { code: 'HOOK_UNTRUSTED', message: 'Not trusted.' } as const
    const { hooks } = asked({ found: { kind: 'failed', failure: 'untrusted', problem } })
    expect(hooks).toMatchObject([{ on: 'PreToolUse', trusted: false, onFailure: { untrusted: 'pass' } }])
  })
})
