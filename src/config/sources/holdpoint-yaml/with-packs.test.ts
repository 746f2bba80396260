import { describe, expect, it } from 'vitest'
import { withPacks } from './with-packs.ts'

describe('enabling packs in a configuration', () => {
  it.each<[string, string | undefined, string]>([
    ['no file', undefined, 'version: 1\npacks:\n  safety: true\n  self: true\n'],
    ['an empty file', '\n', 'version: 1\npacks:\n  safety: true\n  self: true\n'],
    [
      'a file without packs',
      '# mine\nversion: 1 # keep\n',
      '# mine\nversion: 1 # keep\npacks:\n  safety: true\n  self: true\n',
    ],
    [
      'a pack that is already enabled',
      'version: 1\npacks:\n  safety: { level: strict } # mine\n',
      'version: 1\npacks:\n  safety: { level: strict } # mine\n  self: true\n',
    ],
    [
      'all there',
      'version: 1\npacks: {self:  true, safety: false}',
      'version: 1\npacks: {self:  true, safety: false}',
    ],
  ])('%s', (_name, before, after) => {
    expect(withPacks(before, { add: ['safety', 'self'] })).toEqual({ ok: true, value: after })
  })

  it.each(['packs: [safety]\n', 'a: [\n'])('says what is wrong with %j and changes nothing', (text) => {
    expect(withPacks(text, { add: ['safety'] }).ok).toBe(false)
  })

  it.each<[string, Parameters<typeof withPacks>[1], string, string]>([
    [
      'on: a pack that was off',
      { on: ['safety'] },
      'packs: { safety: false }\n',
      'packs: { safety: true }\n',
    ],
    [
      'on: a pack with options stays as it is',
      { on: ['safety'] },
      'packs: { safety: { level: strict } }\n',
      'packs: { safety: { level: strict } }\n',
    ],
    ['off', { off: ['secrets'] }, 'packs:\n  mux: true\n', 'packs:\n  mux: true\n  secrets: false\n'],
    [
      'an option of a pack that is on',
      { options: { safety: { undoable: 'ask' } } },
      'packs:\n  safety: true # mine\n',
      'packs:\n  safety: { undoable: ask } # mine\n',
    ],
    [
      'an option of a pack that is off',
      { options: { safety: { undoable: 'ask' } } },
      'packs:\n  safety: false\n',
      'packs:\n  safety: false\n',
    ],
  ])('%s', (_name, changes, before, after) => {
    expect(withPacks(before, changes)).toEqual({ ok: true, value: after })
  })
})
