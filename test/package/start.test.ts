import { spawnSync } from 'node:child_process'
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

/** `npm start` in a checkout with a small build: when it builds, and what it prints if it cannot. */

const SCRIPTS = join(import.meta.dirname, '..', '..', 'scripts')
const BUILD = `
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { buildId, noteBuilt } from './build-id.mjs'
const id = buildId(process.cwd())
for (const folder of ['dist', 'build']) rmSync(folder, { recursive: true, force: true })
mkdirSync('dist')
writeFileSync('dist/holdpoint.cjs', 'console.log("played", process.argv[2]); process.exitCode = 7')
writeFileSync('dist/board.json.br', '')
if (process.env.FAILS) { console.error('cannot compile'); process.exit(3) }
if (process.env.CHANGES) appendFileSync('src/index.ts', '// changed while the build runs')
noteBuilt(process.cwd(), id, ['dist/holdpoint.cjs', 'dist/board.json.br'])
console.log('built')
`

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-start-'))
  for (const name of ['src', 'scripts']) mkdirSync(join(folder, name))
  writeFileSync(join(folder, 'src', 'index.ts'), '')
  for (const name of ['start.mjs', 'built.mjs', 'build-id.mjs']) {
    cpSync(join(SCRIPTS, name), join(folder, 'scripts', name))
  }
  writeFileSync(join(folder, 'scripts', 'build.mjs'), BUILD)
  const manifest = { version: '1.0.0', bin: { holdpoint: 'dist/holdpoint.cjs' } }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
  for (const name of ['esbuild', 'typescript']) {
    mkdirSync(join(folder, 'node_modules', name), { recursive: true })
  }
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function start(env: NodeJS.ProcessEnv = {}) {
  const ran = spawnSync(process.execPath, ['scripts/start.mjs'], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...env },
    encoding: 'utf8',
  })
  return { exitCode: ran.status, stdout: ran.stdout, stderr: ran.stderr }
}

const BUILT = 'Building dist/. This is done once, and again when the sources change.\nbuilt\n\nplayed demo\n'

describe('npm start', () => {
  it('builds once, plays the demo every time, and exits with the exit code of the demo', () => {
    expect(start()).toEqual({ exitCode: 7, stdout: BUILT, stderr: '' })
    expect(start()).toEqual({ exitCode: 7, stdout: 'played demo\n', stderr: '' })
  })

  it('builds again if dist/ is missing', () => {
    start()
    rmSync(join(folder, 'dist'), { recursive: true })
    expect(start().stdout).toBe(BUILT)
  })

  it('builds again after a change of a source', () => {
    start()
    appendFileSync(join(folder, 'src', 'index.ts'), '\n')
    expect(start().stdout).toBe(BUILT)
    expect(start().stdout).toBe('played demo\n')
  })

  it('builds again if a source was changed while it was built', () => {
    start({ CHANGES: '1' })
    expect(start().stdout).toBe(BUILT)
    expect(start().stdout).toBe('played demo\n')
  })

  it('does not use the output of a failed build, and builds again', () => {
    const failed = start({ FAILS: '1' })
    expect(failed.exitCode).toBe(3)
    expect(failed.stderr).toBe(
      'cannot compile\nholdpoint: The build failed: see above. If a package is missing, run `npm ci`.\n',
    )
    expect(failed.stdout).not.toContain('played')
    expect(start().stdout).toBe(BUILT)
  })

  it('says to run npm ci if nothing is installed', () => {
    rmSync(join(folder, 'node_modules'), { recursive: true })
    expect(start()).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: 'holdpoint: The dependencies are not installed. Run `npm ci` first, then `npm start` again.\n',
    })
  })

  it('is the script that package.json starts', () => {
    const { scripts } = JSON.parse(readFileSync(join(SCRIPTS, '..', 'package.json'), 'utf8'))
    expect(scripts.start).toBe('node scripts/start.mjs')
  })
})

describe('scripts/built.mjs', () => {
  const built = (env: NodeJS.ProcessEnv = {}) =>
    spawnSync(process.execPath, ['scripts/built.mjs'], {
      cwd: folder,
      env: { PATH: process.env.PATH, ...env },
      encoding: 'utf8',
    })

  it('builds once, and leaves standard output to what comes next', () => {
    expect(built()).toMatchObject({ status: 0, stdout: '', stderr: 'built\n' })
    expect(built()).toMatchObject({ status: 0, stdout: '', stderr: '' })
  })

  it('fails as the build did', () => {
    expect(built({ FAILS: '1' })).toMatchObject({ status: 3, stderr: 'cannot compile\n' })
  })
})
