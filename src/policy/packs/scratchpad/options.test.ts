import { describe, expect, it } from 'vitest'
import { optionMistakes } from '../../../core/pack-options.ts'
import { PAD_OPTIONS, readPadOptions } from './options.ts'

describe('the scratchpad options', () => {
  it('have the defaults of the protocol', () => {
    expect(readPadOptions({})).toEqual({
      folder: '.claude/scratchpad',
      headings: ['What I did', 'Cross-agent observations', 'Unresolved'],
      except: [],
      exclude: ['coordinator', 'ego'],
      sources: ['startup'],
      sinceSession: false,
      limits: { coordinator: 25, ego: 20, commits: 5, tail: 3, characters: 9_000, blocks: 3 },
    })
  })

  it('are used as written', () => {
    const written = {
      folder: './notes/',
      headings: ['Done'],
      except: ['Explore'],
      exclude: [],
      sources: ['startup', 'clear'],
      sinceSession: true,
      limits: { ego: 0, minLines: 5, maxLines: 80 },
    }
    expect(readPadOptions(written)).toMatchObject({ ...written, folder: 'notes' })
    expect(readPadOptions(written).limits).toMatchObject({
      coordinator: 25,
      ego: 0,
      minLines: 5,
      maxLines: 80,
    })
  })

  it.each([
    ['folder', '/etc'],
    ['folder', '../elsewhere'],
    ['folder', 'a/../../b'],
    ['folder', '~/notes'],
    ['folder', ''],
    ['folder', 'a{date}'],
    ['folder', 7],
    ['headings', 'Done'],
    ['headings', ['']],
    ['exclude', [1]],
    ['sources', {}],
    ['sinceSession', 'yes'],
    ['limits', { coordinator: -1 }],
    ['limits', { lines: 3 }],
    ['limits', { blocks: 8 }],
    ['limits', []],
  ])('are reported if they cannot be used, and the default is used: %s %j', (key, value) => {
    expect(optionMistakes({ [key]: value }, PAD_OPTIONS)).toMatchObject([
      { option: key, message: expect.stringContaining(`The option \`${key}\` must be`) },
    ])
    expect(readPadOptions({ [key]: value })).toEqual(readPadOptions({}))
  })
})
