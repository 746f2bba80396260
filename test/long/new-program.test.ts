import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..', '..')
const NEEDED = ['package.json', 'tsconfig.json', 'biome.json', 'vitest.config.ts', 'scripts', 'src']

test('`npm run new program` makes a program whose tests pass', () => {
  const copy = mkdtempSync(join(tmpdir(), 'holdpoint-new-'))
  try {
    for (const each of NEEDED) cpSync(join(root, each), join(copy, each), { recursive: true })
    mkdirSync(join(copy, 'test'))
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'junction')
    const run = (...args: string[]) => execFileSync(process.execPath, args, { cwd: copy, encoding: 'utf8' })
    expect(run('scripts/new.mjs', 'program', 'files/frob')).toContain('npm test -- files/frob')
    expect(run('scripts/test.mjs', 'files/frob')).toMatch(/4 passed/)
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}, 300_000)
