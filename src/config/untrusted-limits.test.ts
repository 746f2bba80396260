import { describe, expect, it } from 'vitest'
import type { HookEntry, Layer } from '../core/layer.ts'
import { untrustedLimits } from './untrusted-limits.ts'

const entry = (type: string, ...on: HookEntry['on']): HookEntry => ({
  on,
  match: {},
  actor: {},
  run: { type, command: 'x' },
  origin: { file: 'SKILL.md' },
})
const layerOf = (file: string, hooks: readonly HookEntry[]): Layer => ({
  ...{ rank: 'frontmatter', file, trusted: false, packs: [], settings: {}, problems: [] },
  hooks,
})
const rules = (count: number) => Array.from({ length: count }, () => entry('rule', 'PreToolUse'))
const headOf = (length: number) => `---${'x'.repeat(length - 3)}\n---\n`

describe('skills that are not trusted', () => {
  it('keep one hook of code for each event, to report it, and all that run nothing', () => {
    const hooks = [
      entry('command', 'PreToolUse'),
      entry('rule', 'PreToolUse'),
      entry('command', 'PreToolUse'),
      entry('command', 'Stop'),
      entry('module', 'Stop'),
      entry('command', 'PreToolUse', 'Stop'),
      entry('rule', 'PreToolUse'),
    ]
    const limits = untrustedLimits()
    const left = limits.withoutCode(layerOf('a', hooks)).hooks
    expect(left).toEqual([0, 1, 3, 5, 6].map((i) => hooks[i]))
    // Each file reports its own.
    expect(limits.withoutCode(layerOf('b', hooks.slice(0, 1))).hooks).toHaveLength(1)
    expect(limits.problems()).toEqual([])
  })

  it('have 2,000 hooks together, and the first file without all of its own is named', () => {
    const limits = untrustedLimits()
    expect(limits.withoutCode(layerOf('a', rules(1999))).hooks).toHaveLength(1999)
    expect(limits.withoutCode(layerOf('b', rules(1))).hooks).toHaveLength(1)
    expect(limits.problems()).toEqual([])
    expect(limits.withoutCode(layerOf('c', rules(2))).hooks).toEqual([])
    expect(limits.withoutCode(layerOf('d', rules(1)))).toEqual(layerOf('d', []))
    expect(limits.withoutCode(layerOf('e', [])).hooks).toEqual([])
    expect(limits.problems()).toEqual([
      {
        code: 'CONFIG_TOO_LARGE',
        severity: 'warning',
        message:
          'The skills and agents that are not trusted have too many hooks: the hooks of 2 files were left out.',
        fix: 'Run `holdpoint trust` for the files you use, or remove the others.',
        file: 'c',
      },
    ])
  })

  it('have four megabytes of front matter together', () => {
    const limits = untrustedLimits()
    const megabyte = 1024 * 1024
    expect(limits.takesText('a', headOf(3 * megabyte))).toBe(true)
    expect(limits.takesText('b', `\uFEFF${headOf(megabyte - 1)}`)).toBe(true)
    expect(limits.problems()).toEqual([])
    // A file without any is still read, and one that never ends counts as a whole.
    expect(limits.takesText('c', `text\n${headOf(10)}`)).toBe(true)
    expect(limits.takesText('d', '---')).toBe(false)
    expect(limits.takesText('e', '--- x')).toBe(false)
    expect(limits.problems()).toMatchObject([{ file: 'd', message: expect.stringContaining('of 2 files') }])
  })

  it('have 64 megabytes of text together', () => {
    const limits = untrustedLimits()
    const text = 'x'.repeat(32 * 1024 * 1024)
    expect([text, text, 'x', ''].map((each, i) => limits.takesText(`${i}`, each))).toEqual([
      true,
      true,
      false,
      true,
    ])
  })
})
