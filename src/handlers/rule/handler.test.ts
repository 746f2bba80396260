import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Answer } from '../../core/decision.ts'
import type { JsonObject } from '../../core/json.ts'
import { bash, eventOf, toolCall } from '../../library/testing/events.ts'
import { hookOf } from '../../library/testing/hooks.ts'
import { ruleOf, rulesOf, runRule } from '../../library/testing/rules.ts'
import { handlerContract } from '../handler.contract.ts'
import { create } from './handler.ts'

const raw = (when: unknown) =>
  hookOf({ run: { type: 'rule', key: 'k', when: when as JsonObject, outcome: { deny: 'no' } } })

handlerContract({
  handler: create(),
  denies: ruleOf('when: { shell: { command: ls } }, deny: Not here.'),
  passes: ruleOf('when: { shell: { command: rm } }, deny: Not here.'),
  // A rule whose outcome was cut off.
  breaks: {
    ...raw({ kind: 'seen', key: 'x' }),
    run: { type: 'rule', key: 'k', when: { kind: 'all', of: [] } },
  },
  missing: raw({ kind: 'moonphase' }),
})

it.each([
  ['a condition', undefined],
  ['a list where one should be', []],
  [
    'a regex without its engine',
    { kind: 'branch', text: [{ pattern: { kind: 'regex', source: 'a', engine: 'linear' }, size: 1 }] },
  ],
  [
    'a regex of the other engine',
    { kind: 'branch', text: [{ pattern: { kind: 'regex', source: 'a', engine: 'backtracking' }, size: 1 }] },
  ],
])('a rule without %s fails, it does not pass', async (_name, when) => {
  expect(await runRule(raw(when), bash('ls'))).toMatchObject({ failure: 'import' })
})

const PSQL = 'when: { shell: { command: psql } }'

describe('the outcomes of a rule', () => {
  it.each<[string, object]>([
    ['deny: Off limits.', { effect: 'deny', reason: 'Off limits.' }],
    ['ask: Really?', { effect: 'ask', reason: 'Really?' }],
    ['warn: Careful.', { effect: 'pass', notices: ['Careful.'] }],
    [
      'context: The replica is db2.',
      { effect: 'pass', context: [{ text: 'The replica is db2.', to: 'self' }] },
    ],
    ['rewrite: { command: "psql -h replica" }', { effect: 'pass', rewrite: { command: 'psql -h replica' } }],
    [
      'deny: No., warn: Tried., context: See docs.',
      { effect: 'deny', notices: ['Tried.'], context: [{ text: 'See docs.', to: 'self' }] },
    ],
  ])('become an answer: %s', async (outcome, expected) => {
    const answer = await runRule(ruleOf(`${PSQL}, ${outcome}`), bash('psql'))
    expect(answer).toMatchObject(expected)
    expect(answer).toMatchObject({ detail: { matched: 'yes', because: ['command psql'] } })
  })

  it('say that a match is uncertain, and only rules that block apply then', async () => {
    expect(await runRule(ruleOf(`${PSQL}, deny: No.`), bash('$X'))).toMatchObject({
      effect: 'deny',
      reason: 'No. (It is not certain that this rule applies, but it cannot be ruled out: command $X.)',
      detail: { matched: 'maybe' },
    })
    for (const soft of ['warn: x', 'context: x', 'rewrite: { a: 1 }']) {
      expect(await runRule(ruleOf(`${PSQL}, ${soft}`), bash('$X'))).toBeNull()
    }
  })

  it.each<[string, string]>([
    ['{tool} on {branch}: {command}', 'Bash on main: psql -c x'],
    ['{path}', 'x'],
    ['{other} {}', '{other} {}'],
  ])('fill in the text %s', async (text, filled) => {
    expect(await runRule(ruleOf(`deny: "${text}"`), bash('psql -c x'))).toMatchObject({ reason: filled })
  })

  it('mask a secret in a placeholder, and cut a long one', async () => {
    const token = `ghp_${'a1B2'.repeat(9)}`
    const answer = await runRule(
      ruleOf('deny: "{command}"'),
      bash(`curl -H "Authorization: Bearer ${token}" x`),
    )
    expect(answer).toMatchObject({ reason: expect.not.stringContaining(token) })
    const long = await runRule(ruleOf('deny: "{command}"'), bash(`echo ${'x '.repeat(5_000)}`))
    expect((long as Answer).reason?.length).toBeLessThan(300)
  })
})

describe('a rewrite', () => {
  it.each<[string, JsonObject, object | null]>([
    ['{ timeout: 5 }', { command: 'x' }, { rewrite: { command: 'x', timeout: 5 } }],
    ['{ a.b: 1 }', { a: { c: 2 } }, { rewrite: { a: { c: 2, b: 1 } } }],
    ['{ a.b: 1 }', {}, { rewrite: { a: { b: 1 } } }],
    ['{ list.1.x: 1 }', { list: [{}, {}] }, { rewrite: { list: [{}, { x: 1 }] } }],
    ['{ list.2.x: 1 }', { list: [{}, {}] }, { failure: 'validation' }],
    ['{ a.b: 1 }', { a: 'text' }, { failure: 'validation' }],
    ['{ constructor.x: 1 }', {}, { rewrite: { constructor: { x: 1 } } }],
    ['{ timeout: 5 }', { timeout: 5 }, null],
  ])('with %s changes %j', async (rewrite, input, expected) => {
    const answer = await runRule(ruleOf(`rewrite: ${rewrite}`), toolCall('Bash', input))
    if (expected === null) expect(answer).toBeNull()
    else expect(answer).toMatchObject(expected)
  })
})

describe('a rule of an untrusted file', () => {
  it.each<[string, object]>([
    ['deny: x', { effect: 'deny' }],
    ['ask: x', { effect: 'ask' }],
    ['warn: x', { effect: 'pass', notices: ['x'] }],
    ['context: x', { failure: 'untrusted' }],
    ['rewrite: { a: 1 }', { failure: 'untrusted' }],
  ])('can only block and warn: %s', async (outcome, expected) => {
    const hook = ruleOf(`${PSQL}, ${outcome}`, { trusted: false })
    expect(await runRule(hook, bash('psql'))).toMatchObject(expected)
    expect(await runRule(hook, bash('ls'))).toBeNull()
  })
})

const KEY = 'rule/project/rule'
const NOW = Date.parse('2026-01-15T12:00:00Z')

describe('a rule with `once`', () => {
  const spoke = { op: 'set', key: `${KEY}/spoke`, value: true }
  it.each<[string, boolean]>([
    ['deny: x', true],
    ['warn: x', true],
    ['context: x', true],
    ['ask: x', false],
    ['rewrite: { a: 1 }', false],
  ])('remembers %s; if another hook denies: %s', async (outcome, whenDenied) => {
    const answer = (await runRule(ruleOf(`once: true, ${outcome}`), bash('ls'))) as Answer
    expect(answer.remember).toEqual([spoke])
    expect(answer.rememberDenied ?? []).toEqual(whenDenied ? [spoke] : [])
    expect(
      await runRule(ruleOf(`once: true, ${outcome}`), bash('ls'), { memory: { [`${KEY}/spoke`]: true } }),
    ).toBeNull()
  })
})

describe('a rule with `repeated`', () => {
  const RULE = ruleOf(`${PSQL.replace('} }', '}, repeated: { times: 3, within: 10m } }')}, deny: Stop it.`)
  const times = (...agoMs: number[]) => ({ memory: { [`${KEY}/times`]: agoMs.map((ago) => NOW - ago) } })
  const keeps = (answer: Answer): readonly number[] =>
    (answer.rememberDenied ?? []).flatMap((patch) => (patch.op === 'set' ? (patch.value as number[]) : []))

  it.each<[string, object, string]>([
    ['first', times(), 'pass'],
    ['second', times(1_000), 'pass'],
    ['third', times(2_000, 1_000), 'deny'],
    ['third, one of them too long ago', times(600_000, 1_000), 'pass'],
    ['third, just in time', times(599_999, 1_000), 'deny'],
    ['third, by a clock that was set back', times(-5_000, -1_000), 'deny'],
    ['fifth', times(4_000, 3_000, 2_000, 1_000), 'deny'],
    ['after an invalid memory', { memory: { [`${KEY}/times`]: 'x' } }, 'pass'],
  ])('applies the %s time', async (_name, around, effect) => {
    const answer = (await runRule(RULE, bash('psql'), around)) as Answer
    expect(answer.effect).toBe(effect)
    expect(answer.remember).toEqual(answer.rememberDenied)
    expect(keeps(answer).length).toBeLessThanOrEqual(3)
    expect(keeps(answer).at(-1)).toBe(NOW)
  })

  it('does not count events that do not match, and counts those that may match', async () => {
    expect(await runRule(RULE, bash('ls'), times(1, 2))).toBeNull()
    expect(await runRule(RULE, bash('$X'), times(1, 2))).toMatchObject({ effect: 'deny' })
  })
})

describe('if the state cannot be read, a rule', () => {
  const none = { memory: undefined }
  it.each<[string, object | null]>([
    ['when: { repeated: { times: 2 } }, deny: x', { failure: 'state' }],
    ['when: { seen: { match: Read } }, deny: x', { failure: 'state' }],
    ['when: { not: { seen: { match: Read } } }, ask: x', { failure: 'state' }],
    ['once: true, deny: x', { failure: 'state' }],
    ['when: { seen: { match: Read }, shell: { command: rm } }, deny: x', null],
    ['when: { any: [{ seen: { match: Read } }, { shell: { command: ls } }] }, deny: x', { effect: 'deny' }],
    ['when: { seen: { match: Read } }, warn: x', null],
    ['once: true, context: x', null],
    ['deny: x', { effect: 'deny' }],
  ])('that depends on it blocks: %s', async (rule, expected) => {
    const answer = await runRule(ruleOf(rule), bash('ls'), none)
    if (expected === null) expect(answer).toBeNull()
    else expect(answer).toMatchObject(expected)
  })
})

describe('the hook for a `seen` condition', () => {
  const [, companion] = rulesOf(
    '  - { id: design, match: Write, when: { not: { seen: { match: Read, path: docs/DESIGN.md } } }, deny: Read it. }\n',
  )
  if (companion === undefined) throw new Error('no companion')
  const hook = hookOf({ match: companion.match, run: companion.run, on: 'PostToolUse' })
  const KEPT = 'rule/project/design/seen-1'
  const read = (file: string) =>
    eventOf('PostToolUse', { tool: { name: 'Read', input: { file_path: file } }, output: '' })
  const unsure = eventOf('PostToolUse', { tool: { name: 'Bash', input: { command: 'cat $X' } }, output: '' })

  it('has no opinion, and records only new events, and none if the call was denied', async () => {
    expect(companion).toMatchObject({ id: 'design/seen-1', on: ['PostToolUse'] })
    expect(await runRule(hook, read('docs/DESIGN.md'))).toEqual({
      effect: 'pass',
      remember: [{ op: 'set', key: KEPT, value: 'yes' }],
    })
    expect(await runRule(hook, read('docs/DESIGN.md'), { memory: { [KEPT]: 'yes' } })).toBeNull()
    expect(await runRule(hook, read('README.md'))).toBeNull()
  })

  it('keeps unsure as unsure, and a certain match permanently', async () => {
    expect(await runRule(hook, unsure)).toMatchObject({ remember: [{ value: 'maybe' }] })
    expect(await runRule(hook, unsure, { memory: { [KEPT]: 'yes' } })).toBeNull()
    expect(await runRule(hook, read('docs/DESIGN.md'), { memory: { [KEPT]: 'maybe' } })).toMatchObject({
      remember: [{ value: 'yes' }],
    })
  })
})

describe('a rule on hostile calls', () => {
  const EVERYTHING = `when: { any: [
    { shell: { command: a, subcommand: b, flag: -c, argument: "*d*" } }, { path: { outside: "**" } },
    { input: { command: { regex: "x", longerThan: 3 }, a.b: { above: 3 }, file_path: "*.ts" } },
    { cwd: "x/**" }, { branch: x }, { not: { path: { glob: "**", access: write } } } ] }, deny: "{path} {command}"`

  it('answers any input', async () => {
    const hook = ruleOf(EVERYTHING)
    const field = fc.constantFrom('command', 'file_path', 'path', 'a', 'pattern', 'glob')
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('Bash', 'Read', 'Write', 'Grep', 'Glob', 'apply_patch', 'mcp__x__y'),
        fc.dictionary(field, fc.oneof(fc.string({ unit: 'binary' }), fc.jsonValue())),
        async (tool, input) => {
          const answer = await runRule(hook, toolCall(tool, input as JsonObject))
          expect(answer === null || 'effect' in answer).toBe(true)
        },
      ),
    )
  })

  it.each([
    ['ten megabytes', 'x'.repeat(10_000_000)],
    ['a NUL character', 'psql \u0000'],
    ['nothing', ''],
  ])('does not treat a command of %s as harmless', async (_name, command) => {
    const rule = ruleOf('when: { shell: { command: psql } }, deny: no')
    expect(await runRule(rule, bash(command))).toMatchObject({ effect: 'deny', detail: { matched: 'maybe' } })
  })
})
