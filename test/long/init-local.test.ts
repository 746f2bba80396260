import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createSandbox, type Sandbox } from '../e2e/command.ts'

/** `init --scope local`: everything is for one person, so git must not see any of it. */

let sandbox: Sandbox
let userHome: string
beforeEach(() => {
  sandbox = createSandbox()
  userHome = join(sandbox.folder, 'user')
  mkdirSync(userHome)
  git('init', '--quiet')
})
afterEach(() => sandbox.remove())

const env = () => ({ HOME: userHome, PATH: `${process.env.PATH}` })
const init = (...args: string[]) =>
  sandbox.run(['init', '--host', 'claude-code', '--scope', 'local', '--yes', ...args], { env: env() })
const person = (...args: string[]) => sandbox.person(args, env(), { process: true, type: 'yes' })
const exclude = () => readFileSync(join(sandbox.project, '.git', 'info', 'exclude'), 'utf8')
const seen = () => git('status', '--porcelain', '--untracked-files=all')

function git(...args: string[]): string {
  const options = {
    cwd: sandbox.project,
    env: { ...process.env, HOME: userHome },
    encoding: 'utf8',
  } as const
  return spawnSync('git', args, options).stdout
}

const PACKS = ['mux', 'mux-legacy', 'collective', 'scratchpad', 'production']

describe.each(PACKS)('with the pack %s', (pack) => {
  it('git sees nothing, and nothing is left after uninstall --purge', async () => {
    const [before, beforeInit] = [exclude(), seen()]
    const { stdout } = await init('--pack', pack)
    expect(stdout).toContain('live 13 of 13 events')
    expect(seen()).toBe(beforeInit)
    // A second time, when git ignores all of it already.
    await init('--pack', pack)
    expect(seen()).toBe(beforeInit)
    expect(await person('uninstall', '--yes')).toMatchObject({ exitCode: 0 })
    expect(seen()).toBe(beforeInit)
    expect(await person('uninstall', '--purge')).toMatchObject({ exitCode: 0 })
    expect(exclude()).toBe(before)
    expect(existsSync(join(sandbox.project, '.holdpoint'))).toBe(false)
    expect(existsSync(join(sandbox.project, '.claude'))).toBe(false)
  })
})

describe('the skills of the pack mux', () => {
  const skill = (...names: string[]) => join(sandbox.project, '.claude', 'skills', 'mux', ...names)

  it('are among the files that are listed before anything is written', async () => {
    const listed = (text: string) => text.slice(0, text.indexOf('Policy:'))
    expect(listed((await init('--pack', 'mux')).stdout)).toContain('/.claude/skills/mux (new)')
    expect((await init('--pack', 'mux', '--dry-run')).stdout).toMatch(/skills\/mux\/SKILL\.md is copied/)
  })

  it('are hidden from git, but not a file of the user in the same folder', async () => {
    mkdirSync(skill(), { recursive: true })
    writeFileSync(skill('SKILL.md'), 'My own skill.\n')
    writeFileSync(skill('notes.md'), 'My notes.\n')
    await init('--pack', 'mux')
    expect(seen().match(/skills\/.*/g)).toEqual(['skills/mux/SKILL.md', 'skills/mux/notes.md'])
  })
})

it('says that the exclusions of git cannot be written, before it writes anything', async () => {
  const folder = join(sandbox.project, '.git', 'info')
  chmodSync(folder, 0o500)
  const ran = await init('--pack', 'mux')
  chmodSync(folder, 0o700)
  expect(ran.exitCode).toBe(74)
  expect(ran.stderr).toContain(`${folder} The folder of the file is read-only.`)
  expect(ran.stdout).not.toContain('These files change')
  expect(existsSync(join(sandbox.project, '.claude'))).toBe(false)
  expect(existsSync(join(sandbox.project, '.holdpoint'))).toBe(false)
})
