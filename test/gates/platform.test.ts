import { expect, test } from 'vitest'
import { checkPlatform, checkTests, NAMED_IN_TESTS, NAMING, namesProc, READS_COMMANDS } from './platform.ts'
import { readTree } from './tree.ts'

const isCode = (path: string) =>
  /\.(?:ts|tsx|c|h|py|sh)$/.test(path) && !/\.(?:test|cases|fixture|testing)\.tsx?$/.test(path)
const files = readTree(['src', 'bin', 'native', 'packages/fleet/src', 'python/src'], isCode)

test('only the folder for the platform reads /proc', () => {
  expect(files.size).toBeGreaterThan(1_000)
  expect(checkPlatform(files), 'ask src/system/platform instead, which knows what a Mac has').toEqual([])
})

const isTest = (path: string) => /^test\/.*\.ts$|\.test\.ts$/.test(path)
const tests = readTree(['src', 'test'], (path) => isTest(path) && !READS_COMMANDS.test(path))

test('a test that reads /proc says that it needs Linux', () => {
  expect(tests.size).toBeGreaterThan(300)
  expect(checkTests(tests), 'use isLinux and onLinux of src/library/testing/linux-only.ts').toEqual([])
  expect(checkTests(new Map([['test/a.test.ts', "readFileSync('/proc/self/stat')"]]))).toEqual([
    'test/a.test.ts',
  ])
})

test('each exception is still needed', () => {
  expect([...NAMING.keys()].filter((path) => !namesProc(files.get(path) ?? ''))).toEqual([])
  expect([...NAMED_IN_TESTS.keys()].filter((path) => !namesProc(tests.get(path) ?? ''))).toEqual([])
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
