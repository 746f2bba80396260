import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isIn, oncePerText } from './once-per-text.ts'

it('computes once for each text, also if nothing is found', () => {
  const asked: string[] = []
  const find = oncePerText((text) => {
    asked.push(text)
    return text === 'nothing' ? undefined : text.length
  })
  expect(['four', 'nothing', 'four', 'nothing'].map(find)).toEqual([4, undefined, 4, undefined])
  expect(asked).toEqual(['four', 'nothing'])
})

it('does not keep long texts, and starts again when it is full', () => {
  let calls = 0
  const find = oncePerText((text) => {
    calls += 1
    return text.length
  })
  const long = 'x'.repeat(10_000)
  expect([find(long), find(long), calls]).toEqual([10_000, 10_000, 2])
  for (let n = 0; n < 1_001; n += 1) find(`path ${n}`)
  calls = 0
  // The first was forgotten with all the others; the last was kept since.
  find('path 1000')
  find('path 0')
  expect(calls).toBe(1)
})

it('gives what the function itself gives, in any order', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 3 })), (texts) => {
      const find = oncePerText((text) => text.toUpperCase())
      expect(texts.map(find)).toEqual(texts.map((text) => text.toUpperCase()))
    }),
  )
})

it('asks whether a pattern is in a text as the pattern itself does', () => {
  const patterns = [/\bmake\b/, /a+/, /^$/]
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom('make', 'aab', '', 'b'), fc.nat(2))), (questions) => {
      for (const [text, at] of questions) {
        const pattern = patterns[at] as RegExp
        expect(isIn(text, pattern)).toBe(pattern.test(text))
      }
    }),
  )
})
