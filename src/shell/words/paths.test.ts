import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { baseName, isInside, resolveForm, resolvePath } from './paths.ts'
import { patternForm } from './words.ts'

const place = { cwd: '/srv/project', home: '/home/dev' }

describe('resolvePath', () => {
  it.each([
    ['/', '/'],
    ['/a/../..', '/'],
    ['/tmp/../etc', '/etc'],
    ['//etc//passwd', '/etc/passwd'],
    ['.', '/srv/project'],
    ['./a/./b/', '/srv/project/a/b'],
    ['..', '/srv'],
    ['../../../..', '/'],
    ['~', '/home/dev'],
    ['~/x', '/home/dev/x'],
    ['~/..', '/home'],
    ['~x', '/srv/project/~x'],
    ['a b', '/srv/project/a b'],
    ['', '/srv/project'],
  ])('%s is %s', (text, path) => {
    expect(resolvePath(text, place)).toBe(path)
  })

  it('knows nothing of relative paths in an unknown folder', () => {
    expect(resolvePath('a', { cwd: undefined, home: '/home/dev' })).toBeUndefined()
    expect(resolvePath('/a', { cwd: undefined, home: '/home/dev' })).toBe('/a')
    expect(resolvePath('~/a', { cwd: undefined, home: '/home/dev' })).toBe('/home/dev/a')
  })

  it('always gives an absolute path that resolves to itself', () => {
    const texts = fc
      .array(fc.constantFrom('a', '.', '..', '', '~', 'b c'), { maxLength: 8 })
      .map((parts) => parts.join('/'))
    fc.assert(
      fc.property(texts, (text) => {
        const path = resolvePath(text, place) ?? ''
        expect(path).toMatch(/^\//)
        expect(path.split('/').some((part) => part === '.' || part === '..')).toBe(false)
        expect(resolvePath(path, place)).toBe(path)
      }),
    )
  })
})

describe('resolveForm', () => {
  it('keeps patterns as parts of their own', () => {
    const path = resolveForm(patternForm('../*.log'), place)
    expect(path.parts).toEqual([patternForm('srv'), patternForm('*.log')])
  })

  it('is not anchored when the beginning is unknown', () => {
    const path = resolveForm(
      [
        { kind: 'unknown', text: '$X' },
        { kind: 'text', text: '/a/../.env' },
      ],
      place,
    )
    expect(path.anchored).toBe(false)
    expect(path.parts.at(-1)).toEqual(patternForm('.env'))
  })

  it.each([
    ['link', false],
    ['link/', true],
    ['link/.', true],
    ['/', true],
  ])('%s written as a folder: %s', (text, folder) => {
    expect(resolveForm(patternForm(text), place).folder).toBe(folder)
  })
})

it.each([
  ['/a/b', '/a', true],
  ['/a', '/a', true],
  ['/ab', '/a', false],
  ['/x', '/', true],
])('%s inside %s: %s', (path, folder, expected) => {
  expect(isInside(path, folder)).toBe(expected)
})

it.each([
  ['/usr/bin/git', 'git'],
  ['git', 'git'],
  ['/a/b/', 'b'],
  ['', ''],
])('the name in %s is %s', (path, name) => {
  expect(baseName(path)).toBe(name)
})
