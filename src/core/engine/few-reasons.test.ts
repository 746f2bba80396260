import { describe, expect, it, test } from 'vitest'
import type { Finding } from '../decision.ts'
import { leftOutText, listedOf, reasonsOf } from './few-reasons.ts'

const finding = (reason: string | undefined, more: Partial<Finding> = {}): Finding => ({
  ...{ hook: `rule-${reason}`, hookIndex: 0, effect: 'deny' },
  ...(reason === undefined ? {} : { reason }),
  ...more,
})
const unsure = (reason: string, more: Partial<Finding> = {}) =>
  finding(reason, { detail: { unknown: 'what it deletes' }, ...more })
const many = (count: number, make: (reason: string) => Finding) =>
  Array.from({ length: count }, (_, i) => make(`${i}`))
const texts = (findings: readonly Finding[]) => reasonsOf(findings).map(({ text }) => text)

describe('the reasons of a decision', () => {
  it('have everything that their hooks said, and nothing that they did not', () => {
    const all = { guard: 'g', question: 'q', ifDenied: 'i' }
    expect(reasonsOf([finding('a', all), finding(undefined), finding('b')])).toStrictEqual([
      { hook: 'rule-a', text: 'a', ...all },
      { hook: 'rule-b', text: 'b' },
    ])
    expect(reasonsOf([])).toEqual([])
    expect(reasonsOf([finding(undefined)])).toEqual([])
  })

  it('are all listed if there are five', () => {
    expect(texts(many(5, unsure))).toEqual(['0', '1', '2', '3', '4'])
  })

  it('are the first three if there are more and none is certain; the rest is counted', () => {
    expect(texts(many(6, unsure))).toEqual(['0', '1', '2\n3 more guards could not check this call.'])
  })

  it('are those that are certain, if there are more', () => {
    expect(texts([...many(5, unsure), finding('sure')])).toEqual([
      'sure\n5 more guards could not check this call.',
    ])
    expect(texts(many(7, finding))).toHaveLength(7)
    // A detail of another kind is no doubt.
    const other = many(6, (reason) => finding(reason, { detail: { unknown: 7 } }))
    expect(texts(other)).toEqual(['0', '1', '2', '3', '4', '5'])
    expect(texts(many(6, (reason) => finding(reason, { detail: 'unknown' })))).toHaveLength(6)
  })

  it('count the rest in the question to a person, too', () => {
    const [, , last] = reasonsOf(many(6, (reason) => unsure(reason, { question: `${reason}?` })))
    expect(last?.question).toBe('2?\n3 more guards could not check this call.')
    expect(reasonsOf(many(6, unsure))[2]).not.toHaveProperty('question')
  })

  test.each([
    [1, '1 more guard could not check this call.'],
    [2, '2 more guards could not check this call.'],
  ])('%d that are left out', (count, text) => {
    expect(leftOutText(count)).toBe(text)
  })

  it('of a list of anything are chosen in the same way', () => {
    const isPossible = (each: string) => each.endsWith('?')
    expect(listedOf(['a', 'b?', 'c?', 'd?', 'e?', 'f?'], isPossible)).toEqual(['a'])
    expect(listedOf(['a', 'b?', 'c?', 'd?', 'e?'], isPossible)).toHaveLength(5)
  })
})
