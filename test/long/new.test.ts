import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '..', '..')
/** Installed, built or generated elsewhere; the copy needs none of them. */
const LEFT_OUT = ['.git', 'node_modules', 'dist', 'python', 'packages']
let copy: string

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'holdpoint-new-'))
  for (const name of readdirSync(root).filter((each) => !LEFT_OUT.includes(each)))
    cpSync(join(root, name), join(copy, name), {
      recursive: true,
      filter: (path) => !path.includes('node_modules'),
    })
  for (const name of ['node_modules', 'packages', 'python'])
    symlinkSync(join(root, name), join(copy, name), 'junction')
})
afterAll(() => rmSync(copy, { recursive: true, force: true }))

function run(...args: string[]): string {
  return execFileSync(process.execPath, args, {
    cwd: copy,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

/** One copy gets a member of every family, one after the other: together they must pass as well. */
describe('`npm run new` makes skeletons whose tests pass:', () => {
  test.each([
    ['program', 'files/frob', 'files/frob'],
    ['guard', 'production/frob-records', 'production/frob-records'],
    ['pack', 'frobs', 'src/policy/packs/frobs'],
    ['host', 'frob-agent', 'src/hosts/frob-agent'],
    ['handler', 'frob-queue', 'src/handlers/frob-queue'],
    ['source', 'frob-json', 'src/config/sources/frob-json'],
    ['command', 'frob-all', 'src/commands/help.test.ts'],
  ])(
    '%s %s',
    (kind, name, tests) => {
      expect(run('scripts/new.mjs', kind, name)).toContain('Run: npm')
      expect(run('scripts/test.mjs', tests)).toMatch(/\d+ passed/)
    },
    300_000,
  )

  test('the types, the lint and the gates of the repository', () => {
    run('node_modules/typescript/bin/tsc', '--noEmit')
    run('node_modules/@biomejs/biome/bin/biome', 'check', 'src', 'test/e2e')
    const gates = ['families', 'rooms', 'names'].map((name) => `test/gates/${name}.test.ts`)
    const tables = [
      'src/policy/packs/packs.test.ts',
      'src/handlers/kind-of.test.ts',
      'src/hosts/transcripts.test.ts',
      'src/config/sources/index.test.ts',
    ]
    expect(run('scripts/test.mjs', ...gates, ...tables)).toMatch(/\d+ passed/)
  }, 600_000)
})
