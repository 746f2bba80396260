import { describe, expect, it } from 'vitest'
import { createBoardTokens } from './tokens.ts'

describe('a link', () => {
  it('gives a token once, and the token is accepted from then on', () => {
    const tokens = createBoardTokens()
    const token = tokens.redeem(tokens.issue())
    expect(tokens.accepts(token)).toBe(true)
    expect(tokens.accepts(token)).toBe(true)
  })

  it('that is used twice takes the token of the first use away: one of the two was not the person', () => {
    const tokens = createBoardTokens()
    const code = tokens.issue()
    const first = tokens.redeem(code)
    expect(tokens.redeem(code)).toBe('used')
    expect(tokens.accepts(first)).toBe(false)
  })

  it('is worth nothing in another start of the board', () => {
    const [before, now] = [createBoardTokens(), createBoardTokens()]
    expect(now.redeem(before.issue())).toBe('unknown')
    expect(now.accepts(before.redeem(before.issue()))).toBe(false)
  })

  it('that is one of many unused links stops working, so that codes do not pile up', () => {
    const tokens = createBoardTokens()
    const codes = Array.from({ length: 33 }, () => tokens.issue())
    expect(tokens.redeem(codes[0] ?? '')).toBe('unknown')
    expect(tokens.accepts(tokens.redeem(codes[32] ?? ''))).toBe(true)
  })
})

it.each([undefined, '', 'unknown', 'used', 'a'.repeat(32)])('does not accept the token %j', (token) => {
  const tokens = createBoardTokens()
  tokens.redeem(tokens.issue())
  expect(tokens.accepts(token)).toBe(false)
})
