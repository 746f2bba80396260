import { describe, expect, it } from 'vitest'
import { withPacks } from './with-packs.ts'

describe('switching packs on in a configuration', () => {
  it.each<[string, string | undefined, string]>([
    ['no file', undefined, 'version: 1\npacks:\n  safety: true\n  self: true\n'],
    ['an empty file', '\n', 'version: 1\npacks:\n  safety: true\n  self: true\n'],
    [
      'a file without packs',
      '# mine\nversion: 1 # keep\n',
      '# mine\nversion: 1 # keep\npacks:\n  safety: true\n  self: true\n',
    ],
    [
      'a pack that is there',
      'version: 1\npacks:\n  safety: { level: strict } # mine\n',
      'version: 1\npacks:\n  safety: { level: strict } # mine\n  self: true\n',
    ],
    [
      'all there',
      'version: 1\npacks: {self:  true, safety: false}',
      'version: 1\npacks: {self:  true, safety: false}',
    ],
  ])('%s', (_name, before, after) => {
    expect(withPacks(before, ['safety', 'self'])).toEqual({ ok: true, value: after })
  })

  it.each(['packs: [safety]\n', 'a: [\n'])('says what is wrong with %j and changes nothing', (text) => {
    expect(withPacks(text, ['safety']).ok).toBe(false)
  })
})
