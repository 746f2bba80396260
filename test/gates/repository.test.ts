import { describe, expect, test } from 'vitest'
import { ERRORS } from '../../src/core/errors.ts'
import { checkErrorPage, checkLockFile, checkText, FILE_MAX_BYTES } from './repository.ts'
import { readText, repositoryFiles, sizeBytes } from './tree.ts'

const files = repositoryFiles()

test('no file names a path of the machine on which it was written', () => {
  expect(files.length).toBeGreaterThan(20)
  expect(files.flatMap((path) => checkText(path, readText(path)))).toEqual([])
})

test('no file is too large', () => {
  expect(files.filter((path) => sizeBytes(path) > FILE_MAX_BYTES)).toEqual([])
})

test('the error page and the table of errors agree', () => {
  expect(checkErrorPage(readText('docs/reference/errors.md'), ERRORS)).toEqual([])
})

test('the README says how to start and how to test', () => {
  const readme = readText('README.md')
  expect(readme).toContain('npm ci && npm start')
  expect(readme).toContain('npm ci && npm test')
})

test('the continuous integration runs the tests', () => {
  expect(readText('.ci/run')).toMatch(/^[^#\n]*\bnpm (?:run )?test\b/m)
})

test.each(['package-lock.json', 'test/hosts/package-lock.json', '.ci/zig/package-lock.json'])(
  '%s names the packages of every platform',
  (path) => {
    expect(checkLockFile(JSON.parse(readText(path)))).toEqual([])
  },
)

test('a lock file without the package of a platform is noticed', () => {
  const root = { optionalDependencies: { 'a-linux': '1.0.0', 'a-darwin': '1.0.0' } }
  expect(checkLockFile({ packages: { '': root, 'node_modules/a-linux': {} } })).toEqual(['a-darwin'])
})

describe('the check of file texts', () => {
  // In pieces, so that this file does not name them either.
  const place = (...parts: string[]) => parts.join('/')

  test.each([
    place('see ..', 'shared', 'notes.md'),
    place('cwd: "', 'work', 'main"'),
    place('', 'home', 'carol', 'src'),
    place('"', 'Users', 'carol'),
    ['C:', 'Users', 'carol'].join('\\'),
  ])('finds %s', (line) => {
    expect(checkText('a.md', `first\n${line}`)).toEqual([expect.stringContaining('a.md:2 names')])
  })

  test.each([
    '/home/dev/.ssh and /home/alice/project',
    'C:\\Users\\dev',
    'src/../sharedness',
    `${place('.', 'work', 'out')} and ${place('$DIR', 'work', 'out')}`,
    '/tmp/home/.claude',
  ])('accepts %s', (line) => {
    expect(checkText('a.md', line)).toEqual([])
  })
})

describe('the check of the error page', () => {
  const table = { A_B: { exit: 2, fix: 'Use `a|b`.' } }
  const row = '| `A_B` | 2 | It broke. | Use `a\\|b`. |'

  test('accepts equal rows', () => {
    expect(checkErrorPage(`| code | exit |\n|---|---|\n${row}`, table)).toEqual([])
  })

  test.each([
    ['a missing row', '', 'A_B is not on the page'],
    ['a row too many', `${row}\n| \`C\` | 1 | x | y |`, 'C is on the page and in no table'],
    ['another exit code', row.replace('2', '3'), 'A_B exits with 2; the page says 3'],
    ['another advice', row.replace('Use', 'Take'), 'A_B advises'],
    ['no meaning', row.replace('It broke.', ''), 'A_B has no meaning'],
  ])('finds %s', (_name, page, says) => {
    expect(checkErrorPage(page, table)).toEqual([expect.stringContaining(says)])
  })
})
