import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../core/json.ts'
import { joinSettings, splitSettings } from './split-settings.ts'

const TEXT = `{
\t"model": "x",
\t"hooks": {
\t\t"PreToolUse": [
\t\t\t{ "matcher": "Bash", "hooks": [
\t\t\t\t{ "type": "command", "command": "./a" },
\t\t\t\t{ "type": "prompt", "prompt": "no" }
\t\t\t] },
\t\t\t{ "matcher": "Edit", "hooks": [{ "type": "command", "command": "./b" }] }
\t\t],
\t\t"Stop": [{ "hooks": [{ "type": "command", "command": "./c" }] }]
\t},
\t"permissions": { "allow": [] }
}
`

function split(text: string, keys: readonly string[] | 'all') {
  const result = splitSettings(text, (key) => keys === 'all' || keys.includes(key))
  if (!result.ok) throw new Error(result.problem.message)
  return result.value
}

test('the adopted hooks are removed, and every other byte stays', () => {
  const keys = ['hooks.PreToolUse[0].hooks[0]', 'hooks.PreToolUse[1].hooks[0]', 'hooks.Stop[0].hooks[0]']
  const { rest, taken } = split(TEXT, keys)
  expect(rest).toBe(`{
\t"model": "x",
\t"hooks": {
\t\t"PreToolUse": [
\t\t\t{ "matcher": "Bash", "hooks": [
\t\t\t\t{ "type": "prompt", "prompt": "no" }
\t\t\t] }
\t\t]
\t},
\t"permissions": { "allow": [] }
}
`)
  expect(taken).toEqual({
    hooks: {
      PreToolUse: [
        { matcher: 'Bash', hooks: [{ type: 'command', command: './a' }] },
        { matcher: 'Edit', hooks: [{ type: 'command', command: './b' }] },
      ],
      Stop: [{ hooks: [{ type: 'command', command: './c' }] }],
    },
  })
})

test('the key goes with the last hook; without adopted hooks nothing changes', () => {
  expect(JSON.parse(split(TEXT, 'all').rest)).toEqual({ model: 'x', permissions: { allow: [] } })
  expect(split(TEXT, [])).toEqual({ rest: TEXT, taken: {} })
})

test('a flat group and the skill-scoped hook are taken as a whole', () => {
  const text = '{"hooks":{"Stop":[{"command":"./a"},{"command":"./b"}]},"preToolUseHook":{"script":"./c"}}'
  expect(split(text, ['hooks.Stop[0]', 'preToolUseHook'])).toEqual({
    rest: '{"hooks":{"Stop":[{"command":"./b"}]}}',
    taken: { hooks: { Stop: [{ command: './a' }] }, preToolUseHook: { script: './c' } },
  })
})

test('adopted hooks can be put back into a file that has changed', () => {
  const taken: JsonObject = { hooks: { Stop: [{ command: './a' }], PreCompact: [{ command: './b' }] } }
  const back = (text: string | undefined) => {
    const result = joinSettings(text, taken)
    return result.ok ? JSON.parse(result.value) : result.problem
  }
  expect(back('{"hooks": {"Stop": [{"command": "./own"}]}, "x": 1}')).toEqual({
    hooks: { Stop: [{ command: './own' }, { command: './a' }], PreCompact: [{ command: './b' }] },
    x: 1,
  })
  expect(back('{"x": 1}')).toEqual({ x: 1, ...taken })
  expect(back(undefined)).toEqual(taken)
  expect(back('{}')).toEqual(taken)
})

const handler = fc.record({ type: fc.constantFrom('command', 'prompt'), command: fc.string() })
const group = fc.record({ matcher: fc.string(), hooks: fc.array(handler, { maxLength: 3 }) })
const settings = fc.record({
  before: fc.jsonValue(),
  hooks: fc.dictionary(
    fc.constantFrom('PreToolUse', 'Stop', 'SessionEnd'),
    fc.array(group, { maxLength: 3 }),
  ),
  after: fc.jsonValue(),
})

test('splitting neither loses nor adds a handler, whatever is taken', () => {
  const commands = (value: unknown): string[] =>
    [...JSON.stringify(value ?? null).matchAll(/"command":("(?:[^"\\]|\\.)*")/g)].map(([, text]) =>
      String(text),
    )
  fc.assert(
    fc.property(settings, fc.constantFrom(0, 2), fc.func(fc.boolean()), (value, indent, isTaken) => {
      const result = splitSettings(JSON.stringify(value, null, indent), isTaken)
      if (!result.ok) throw new Error(result.problem.message)
      const { rest, taken } = result.value
      const after = JSON.parse(rest)
      expect([...commands(after.hooks), ...commands(taken)].toSorted()).toEqual(
        commands(value.hooks).toSorted(),
      )
      expect([after.before, after.after]).toEqual(
        [value.before, value.after].map((each) => JSON.parse(JSON.stringify(each))),
      )
    }),
  )
})

describe('a file that cannot be split is refused', () => {
  test.each([
    ['comments', '{ "hooks": {} // mine\n}'],
    ['a key twice', '{"hooks": {"Stop": []}, "hooks": {}}'],
    ['an event twice', '{"hooks": {"Stop": [], "Stop": []}}'],
    ['a list', '[]'],
    ['no JSON', 'hooks:'],
  ])('%s', (_name, text) => {
    expect(splitSettings(text, () => true)).toMatchObject({ ok: false, problem: { code: 'CONFIG_VALUE' } })
    expect(joinSettings(text, {})).toMatchObject({ ok: false })
  })
})
