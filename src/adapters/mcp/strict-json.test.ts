import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ambiguityIn } from './strict-json.ts'

describe('JSON that two parsers may read differently', () => {
  it.each<[string, string, string]>([
    ['a key twice', '{"method":"ping","method":"tools/call"}', 'has the key "method" twice'],
    ['a key twice, once escaped', '{"method":1,"\\u006dethod":2}', 'has the key "method" twice'],
    ['in a nested object', '{"a":[{"b":{"c":1,"d":2,"c":3}}]}', 'has the key "c" twice'],
    ['after a list', '{"a":[1,2],"a":3}', 'has the key "a" twice'],
    ['after a text with quotes', '{"a":"\\"","b":"\\\\","a":3}', 'has the key "a" twice'],
    ['the empty key twice', '{"":1,"":2}', 'has the key "" twice'],
    ['nested too deeply', '['.repeat(501) + ']'.repeat(501), 'is nested too deeply'],
  ])('%s', (_name, text, wrong) => {
    JSON.parse(text)
    expect(ambiguityIn(text)).toBe(wrong)
  })

  it.each([
    '{"a":{"a":{"a":1}}}',
    '[{"a":1},{"a":1}]',
    '{"a":"a","b":"a"}',
    '{"a":"{\\"a\\":1,\\"a\\":2}"}',
    '{"\\\\":1,"\\\\\\\\":2}',
    '"a"',
    '[["a","a"],"a"]',
    '['.repeat(500) + ']'.repeat(500),
  ])('is not: %s', (text) => {
    JSON.parse(text)
    expect(ambiguityIn(text)).toBeUndefined()
  })
})

it('finds nothing in the output of JSON.stringify, and every key that was added again', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.json()), fc.boolean(), (object, isSpaced) => {
      const text = JSON.stringify(object, null, isSpaced ? 2 : undefined)
      expect(ambiguityIn(text)).toBeUndefined()
      for (const key of Object.keys(object)) {
        const twice = `{${JSON.stringify(key)}:0,${text.slice(1)}`
        expect(ambiguityIn(twice)).toBe(`has the key ${JSON.stringify(key)} twice`)
      }
    }),
    { numRuns: 50 },
  )
})
