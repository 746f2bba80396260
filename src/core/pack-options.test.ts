import { describe, expect, expectTypeOf, it } from 'vitest'
import {
  editorSchema,
  type OptionsOf,
  optionMistakes,
  type PackOptions,
  schemaMistake,
  usableOptions,
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

const NESTED = {
  commands: {
    anyOf: [
      { type: 'boolean', enum: [false] },
      { type: 'string', pattern: '\\S' },
    ],
  },
  limits: {
    type: 'object',
    properties: { lines: { type: 'integer', minimum: 0 }, all: { type: 'boolean' } },
  },
  words: { type: 'array', items: { type: 'string', pattern: '\\S' }, default: ['a'] },
  roots: { type: 'array', items: { type: 'string' }, ifWrong: [] },
} as const satisfies PackOptions

describe('options with forms and parts', () => {
  it('have types', () => {
    expectTypeOf<OptionsOf<typeof NESTED>>().toEqualTypeOf<{
      readonly commands: false | string | undefined
      readonly limits: { readonly lines?: number; readonly all?: boolean } | undefined
      readonly words: readonly string[]
      readonly roots: readonly string[] | undefined
    }>()
  })

  it.each([
    [{ commands: false, limits: { lines: 0, all: true }, words: ['b'] }, []],
    [{ commands: true }, ['The option `commands` must be `false` or a text.']],
    [{ commands: ' ' }, ['The option `commands` must be `false` or a text.']],
    [{ limits: { lines: 1.5 } }, ['The option `limits` must be a mapping of lines, all.']],
    [{ limits: { line: 1 } }, ['The option `limits` must be a mapping of lines, all.']],
  ])('%j', (given, messages) => {
    expect(optionMistakes(given, NESTED).map(({ message }) => message)).toEqual(messages)
  })

  it('a wrong part counts as missing, and the others stay', () => {
    const given = { commands: null, limits: { lines: -1, all: true }, words: ['', 'b', 3], roots: 7, more: 1 }
    expect(usableOptions(given, NESTED)).toEqual({ limits: { all: true }, words: ['b'], roots: [] })
    expect(usableOptions({ limits: { lines: -1 }, words: [''] }, NESTED)).toEqual({ words: ['a'] })
  })

  it('are marked by editors', () => {
    expect(editorSchema(NESTED.limits)).toMatchObject({ additionalProperties: false })
    expect(editorSchema(NESTED.roots)).toEqual({ type: 'array', items: { type: 'string' } })
  })

  it.each([
    [{ a: { anyOf: [] } }, 'with an empty `anyOf`'],
    [{ a: { anyOf: [{ type: 'text' }] } }, 'without a known `type`'],
    [{ a: { type: 'object' } }, 'a mapping whose `properties` is not a mapping'],
    [{ a: { type: 'string', pattern: '(' } }, 'not a regular expression'],
  ])('a schema is checked: %j', (schema, says) => {
    expect(schemaMistake(schema)).toContain(says)
  })
})
