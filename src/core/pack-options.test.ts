import { describe, expect, expectTypeOf, it } from 'vitest'
import {
  type OptionsOf,
  optionMistakes,
  type PackOptions,
  schemaMistake,
  withDefaults,
} from './pack-options.ts'

const OPTIONS = {
  hosts: { type: 'array', items: { type: 'string' }, default: ['prod'] },
  when: { type: 'string', enum: ['always', 'night'] },
  limit: { type: 'number', minimum: 1, maximum: 9 },
  strict: { type: 'boolean', default: false },
} as const satisfies PackOptions

it('the options of a pack have types in `check`', () => {
  expectTypeOf<OptionsOf<typeof OPTIONS>>().toEqualTypeOf<{
    readonly hosts: readonly string[]
    readonly when: 'always' | 'night' | undefined
    readonly limit: number | undefined
    readonly strict: boolean
  }>()
})

describe('options in a configuration', () => {
  it.each([
    [{}, []],
    [{ hosts: ['a'], when: 'night', limit: 3, strict: true }, []],
    [
      { hots: ['a'] },
      ['There is no option `hots`. Did you mean `hosts`? Options: hosts, when, limit, strict.'],
    ],
    [{ hosts: 'a' }, ['The option `hosts` must be a list of texts.']],
    [{ hosts: ['a', 1] }, ['The option `hosts` must be a list of texts.']],
    [{ when: 'noon' }, ['The option `when` must be `always` or `night`.']],
    [{ limit: 10 }, ['The option `limit` must be a number of at least 1 and of at most 9.']],
    [{ strict: 'yes' }, ['The option `strict` must be `true` or `false`.']],
    [{ strict: null }, ['The option `strict` must be `true` or `false`.']],
  ])('%j', (given, messages) => {
    expect(optionMistakes(given, OPTIONS).map(({ message }) => message)).toEqual(messages)
  })

  it('get the defaults of those that are missing', () => {
    expect(withDefaults({ limit: 2 }, OPTIONS)).toEqual({ hosts: ['prod'], strict: false, limit: 2 })
  })
})

it.each([
  [OPTIONS, undefined],
  [[], 'is not a mapping'],
  [{ level: { type: 'string' } }, 'belongs to Holdpoint'],
  [{ a: { type: 'text' } }, 'without a known `type`'],
  [{ a: null }, 'without a known `type`'],
  [{ a: { type: 'array' } }, 'are not texts'],
  [{ a: { type: 'number', default: 'x' } }, 'does not accept'],
])('a schema of options is checked: %j', (schema, says) => {
  if (says === undefined) expect(schemaMistake(schema)).toBeUndefined()
  else expect(schemaMistake(schema)).toContain(says)
})
