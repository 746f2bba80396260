import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { programFiles } from '../handlers/program-files.ts'
import { arePinned, pinOf } from './trust.ts'

const root = mkdtempSync(join(tmpdir(), 'holdpoint-python-files-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const entry = { run: { type: 'command', python: 'pack.hooks.audit', protocol: 'massgen', root } }

it('a Python hook is pinned with its packages, and with files that would be found first', () => {
  mkdirSync(join(root, 'pack'))
  writeFileSync(join(root, 'pack', '__init__.py'), '')
  writeFileSync(join(root, 'pack', 'hooks.py'), 'def audit(event): pass\n')
  const files = programFiles(entry) ?? []
  expect(files.map((file) => file.slice(root.length + 1))).toEqual([
    'pack.py',
    'pack/__init__.py',
    'pack/hooks.py',
    'pack/hooks/__init__.py',
  ])
  const pins = new Map(files.map((file) => [file, pinOf(file)]))
  expect(arePinned(programFiles(entry), pins)).toBe(true)
  expect(arePinned(programFiles(entry), new Map())).toBe(false)
  for (const [name, text] of [
    ['pack/hooks.py', 'def audit(event): return {}\n'],
    ['pack/__init__.py', 'import os\n'],
    ['pack.py', ''],
  ] as const) {
    const path = join(root, name)
    const before = pins.get(path)
    writeFileSync(path, text)
    expect(arePinned(programFiles(entry), pins), name).toBe(false)
    pins.set(path, before === undefined ? '' : pinOf(path))
  }
})
