import { expect, test } from 'vitest'
import { checkPlatform, NAMING, namesProc } from './platform.ts'
import { readTree } from './tree.ts'

const isCode = (path: string) =>
  /\.(?:ts|tsx|c|h|py|sh)$/.test(path) && !/\.(?:test|cases|fixture|testing)\.tsx?$/.test(path)
const files = readTree(['src', 'bin', 'native', 'packages/fleet/src', 'python/src'], isCode)

test('only the folder for the platform reads /proc', () => {
  expect(files.size).toBeGreaterThan(1_000)
  expect(checkPlatform(files), 'ask src/system/platform instead, which knows what a Mac has').toEqual([])
})

test('each exception is still needed', () => {
  expect([...NAMING.keys()].filter((path) => !namesProc(files.get(path) ?? ''))).toEqual([])
})

test('a file that reads /proc is found, and a comment is not', () => {
  const seeded = new Map([
    ['src/daemon/a.ts', 'const text = readFileSync(`/proc/${pid}/stat`)'],
    ['src/daemon/b.ts', "readdirSync('/proc')"],
    ['src/daemon/c.ts', '/** A file of /proc. */\n// in /proc\nconst a = 1'],
    ['src/policy/packs/d.ts', "const LINKS = '/proc/self/fd'"],
    ['src/system/platform/e.ts', "const FOLDER = '/proc'"],
    ['python/src/holdpoint/f.py', '# in /proc\nopen(f"/proc/{pid}/stat")'],
  ])
  expect(checkPlatform(seeded)).toEqual(['src/daemon/a.ts', 'src/daemon/b.ts', 'python/src/holdpoint/f.py'])
})
