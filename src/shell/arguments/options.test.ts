import { describe, expect, it } from 'vitest'
import { spellWord } from '../words/spell.ts'
import { exactWord, unknownWord, type Word } from '../words/words.ts'
import { isSet, readOptions, valuesOf } from './options.ts'

const table = 'f|force r|R|recursive u|user= force-with-lease=? color=? v|verbose'

function words(text: string): readonly Word[] {
  return text.split(' ').map((each) => (each.startsWith('$') ? unknownWord(each) : exactWord(each)))
}

function spelled(text: string, how?: { stopAtOperand: boolean }) {
  const read = readOptions(words(text), table, how)
  const options = read.options.map(({ name, value }) =>
    value === undefined ? name : `${name}=${spellWord(value)}`,
  )
  return { options, operands: read.operands.map(spellWord) }
}

describe('readOptions', () => {
  it.each([
    ['-rf x', ['recursive', 'force'], ['x']],
    ['x -R', ['recursive'], ['x']],
    ['-uroot x', ['user=root'], ['x']],
    ['-u root x', ['user=root'], ['x']],
    ['-fu root x', ['force', 'user=root'], ['x']],
    ['--user root x', ['user=root'], ['x']],
    ['--user=root x', ['user=root'], ['x']],
    ['--user=a=b', ['user=a=b'], []],
    ['--use root', ['user=root'], []],
    ['--rec x', ['recursive'], ['x']],
    ['--force-w x', ['force-with-lease'], ['x']],
    ['--for x', ['for'], ['x']],
    ['--no-force', ['no-force'], []],
    ['--color x', ['color'], ['x']],
    ['--color=always x', ['color=always'], ['x']],
    ['-- -f', [], ['-f']],
    ['-u -- x', ['user=--'], ['x']],
    ['-f - x', ['force'], ['-', 'x']],
    ['-z x', ['z'], ['x']],
    ['-u', ['user'], []],
  ])('%s', (text, options, operands) => {
    expect(spelled(text)).toEqual({ options, operands })
  })

  it('stops at the first operand when the rest is another command', () => {
    expect(spelled('-f sh -c x', { stopAtOperand: true })).toEqual({
      options: ['force'],
      operands: ['sh', '-c', 'x'],
    })
    expect(readOptions(words('-u me sh -c x'), table, { stopAtOperand: true }).operandsAt).toBe(2)
  })

  it('reports words that may be options as doubtful, and keeps them as operands', () => {
    const read = readOptions(words('$FLAGS x'), table)
    expect(read.doubtful.map((word) => word.source)).toEqual(['$FLAGS'])
    expect(read.operands).toHaveLength(2)
  })

  it('takes every text a word may be', () => {
    const either: Word = { ...exactWord('-f'), forms: [...exactWord('-f').forms, ...exactWord('x').forms] }
    const read = readOptions([either], table)
    expect(isSet(read, 'force')).toBe(true)
    expect(read.operands.map(spellWord)).toEqual(['x'])
  })

  it('reads the part of an option that is known', () => {
    const half: Word = {
      ...exactWord(''),
      forms: [
        [
          { kind: 'text', text: '--user=' },
          { kind: 'unknown', text: '$X' },
        ],
      ],
    }
    expect(valuesOf(readOptions([half], table), 'user').map(spellWord)).toEqual(['‹$X›'])
  })
})

describe('isSet', () => {
  it.each([
    ['--force', true],
    ['--force --no-force', false],
    ['--no-force -f', true],
    ['-v', false],
  ])('%s', (text, expected) => {
    expect(isSet(readOptions(words(text), table), 'force')).toBe(expected)
  })
})
