import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { playAlone, programOf, shownOn } from '../examples/play.ts'

/** The example package as its authors have it: with the built Holdpoint installed. */
const root = join(import.meta.dirname, '..', '..')
let folder = ''

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-team-policies-'))
  cpSync(join(root, 'examples/team-policies'), folder, { recursive: true })
  const link = (name: string, target: string) => {
    mkdirSync(dirname(join(folder, 'node_modules', name)), { recursive: true })
    symlinkSync(target, join(folder, 'node_modules', name))
  }
  link('holdpoint', root)
  for (const name of ['vitest', 'fast-check', '@types/node']) link(name, join(root, 'node_modules', name))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function run(
  program: string,
  ...args: readonly string[]
): { readonly said: string; readonly status: number | null } {
  const { stdout, stderr, status } = spawnSync(process.execPath, [join(root, program), ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: folder, NO_COLOR: '1' },
  })
  return { said: stdout + stderr, status }
}

describe('the example package of a team', () => {
  // Three starts of Holdpoint, each with the pack in another process.
  it('K-41: prints what its page shows', () => {
    expect(playAlone(programOf('team-policies') ?? '')).toBe(shownOn('team-policies'))
  })

  it('passes the contract suite, plain and in disguise', () => {
    const { said, status } = run('node_modules/vitest/vitest.mjs', 'run', '--root', folder)
    expect([status, said]).toEqual([0, expect.stringMatching(/Tests {2}\d{2,} passed/)])
  })

  it('compiles under `strict`, and a misspelt option does not', () => {
    const options = {
      ...{ target: 'ES2023', lib: ['ES2023'], module: 'NodeNext', moduleResolution: 'NodeNext' },
      ...{
        types: ['node'],
        strict: true,
        skipLibCheck: true,
        noEmit: true,
        allowImportingTsExtensions: true,
      },
    }
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: options, include: ['*.ts'] }),
    )
    expect(run('node_modules/typescript/bin/tsc', '-p', folder)).toMatchObject({ status: 0 })
    const wrong = `import { defineGuard } from 'holdpoint'
import { deploy } from './deploy.ts'
import { OPTIONS } from './options.ts'
defineGuard({ ...deploy, options: OPTIONS, check: ({ options }) => ({ caught: options.targest.join() }) })
`
    writeFileSync(join(folder, 'wrong.ts'), wrong)
    expect(run('node_modules/typescript/bin/tsc', '-p', folder).said).toContain("'targest' does not exist")
  })
})
