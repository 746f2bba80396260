import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lastPart, mayMatch, mayMatchName } from './patterns.ts'
import { type Form, patternForm } from './words.ts'

describe('mayMatch', () => {
  it.each([
    ['*', 'anything', true],
    ['*.env', 'prod.env', true],
    ['.e?v', '.env', true],
    ['.e?v', '.enev', false],
    ['id_*', 'id_rsa', true],
    ['id_[a-e]*', 'id_ecdsa', true],
    ['id_[a-e]*', 'id_rsa', false],
    ['[!i]*', 'id_rsa', false],
    ['[^i]*', 'rsa', true],
    ['a*b*c', 'aXXbYYc', true],
    ['a*b*c', 'aXXcYYb', false],
    ['[[:alpha:]]*', 'x', true],
    ['[]x]', ']', true],
    ['[ab', '[ab', true],
  ])('%s against %s', (pattern, text, expected) => {
    expect(mayMatch(patternForm(pattern), text)).toBe(expected)
  })

  it('takes an extended pattern for anything', () => {
    expect(mayMatch([{ kind: 'glob', text: '!(x)' }], 'x')).toBe(true)
  })

  it('takes an unknown for anything, also with slashes', () => {
    const form: Form = [
      { kind: 'unknown', text: '$X' },
      { kind: 'text', text: '/.env' },
    ]
    expect(mayMatch(form, '/a/b/.env')).toBe(true)
    expect(mayMatch(form, '/a/b/.environment')).toBe(false)
  })

  it('agrees with a regular expression on stars and plain letters', () => {
    const letters = fc.array(fc.constantFrom('a', 'b', '*'), { maxLength: 8 }).map((each) => each.join(''))
    const words = fc.array(fc.constantFrom('a', 'b'), { maxLength: 8 }).map((each) => each.join(''))
    fc.assert(
      fc.property(letters, words, (pattern, word) => {
        const expected = new RegExp(`^${pattern.replace(/\*+/g, '.*')}$`).test(word)
        expect(mayMatch(patternForm(pattern), word)).toBe(expected)
      }),
    )
  })

  it('is quick on patterns that make regular expressions explode', () => {
    expect(mayMatch(patternForm('*a'.repeat(30)), `${'a'.repeat(5000)}b`)).toBe(false)
  })
})

describe('mayMatchName', () => {
  it.each([
    ['*', '.env', false],
    ['?env', '.env', false],
    ['[.]env', '.env', false],
    ['.*', '.env', true],
    ['*', 'env', true],
  ])('%s against %s', (pattern, name, expected) => {
    expect(mayMatchName(patternForm(pattern), name)).toBe(expected)
  })
})

describe('lastPart', () => {
  it.each([
    ['/usr/bin/rm', 'rm'],
    ['rm', 'rm'],
    ['/bin/r?', 'r?'],
    ['a*/b', 'b'],
  ])('%s ends in %s', (path, name) => {
    expect(lastPart(patternForm(path))).toEqual(patternForm(name))
  })
})
