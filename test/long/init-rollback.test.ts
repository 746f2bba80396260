import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createSandbox, type Sandbox } from '../e2e/command.ts'
import { holdpointProgram } from '../installed.ts'

/** `init` writes everything or nothing, and `uninstall` says what it leaves. */

let sandbox: Sandbox
let userHome: string
beforeEach(() => {
  sandbox = createSandbox()
  userHome = join(sandbox.folder, 'user')
  mkdirSync(userHome)
})
afterEach(() => sandbox.remove())

const env = () => ({ HOME: userHome, PATH: `${process.env.PATH}` })
const home = () => sandbox.home
const run = (...args: string[]) => sandbox.run(args, { env: env() })
const person = (...args: string[]) => sandbox.person(args, env())
const init = (...args: string[]) =>
  run('init', '--host', 'claude-code', '--host', 'qwen', '--scope', 'user', '--yes', ...args)
const settings = (agent: string) => join(userHome, `.${agent}`, 'settings.json')

function write(path: string, text: string): void {
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, text)
}

/** Every file below a folder with its text, so that two moments can be compared. */
function filesOf(folder: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => !entry.isDirectory())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map((path) => [path, readFileSync(path, 'latin1')]),
  )
}

describe('an init that fails changes nothing', () => {
  it.each<[string, string]>([
    ['settings that are no JSON', 'not json'],
    ['settings that are a list', '[]'],
    ['settings with a NUL byte', '{"a": "\0"}'],
    ['hooks that are no object', '{"hooks": "none"}'],
  ])('%s of the second agent', async (_name, text) => {
    write(settings('qwen'), text)
    const before = filesOf(userHome)
    const ran = await init()
    expect(ran.exitCode).not.toBe(0)
    expect(ran.stderr).toContain(settings('qwen'))
    expect(filesOf(userHome)).toEqual(before)
    expect(existsSync(home())).toBe(false)
  })

  it('a file that cannot be written although it can be read', async () => {
    write(settings('claude'), '{ "model": "opus" }\n')
    write(settings('qwen'), '{}\n')
    chmodSync(settings('qwen'), 0o400)
    const before = filesOf(userHome)
    const ran = await init()
    expect(ran).toMatchObject({ exitCode: expect.any(Number), stderr: expect.stringContaining('read-only') })
    expect(ran.exitCode).not.toBe(0)
    expect(filesOf(userHome)).toEqual(before)
  })

  it('a fault in the middle: what was written is taken back', async () => {
    write(settings('claude'), '{ "model": "opus" }\n')
    // The lock of this file cannot be made, which shows only when the first agent has its hooks.
    write(settings('qwen'), '{}\n')
    mkdirSync(`${settings('qwen')}.holdpoint-new`, { recursive: true })
    write(join(`${settings('qwen')}.holdpoint-new`, 'mine.txt'), 'mine')
    const before = filesOf(userHome)
    const ran = await init()
    expect(ran.exitCode).not.toBe(0)
    expect(ran.stdout).toContain('hooks written to')
    expect(ran.stderr).toContain('Nothing was changed.')
    expect(filesOf(userHome)).toEqual(before)
    expect(existsSync(home())).toBe(false)
  })

  it('a fault in a later init: the installation before it stays whole', async () => {
    await init()
    const before = filesOf(userHome)
    write(join(home(), 'config.yaml'), 'version: 1\npacks: { safety: true }\n')
    rmSync(settings('qwen'))
    mkdirSync(`${settings('qwen')}.holdpoint-new`, { recursive: true })
    write(join(`${settings('qwen')}.holdpoint-new`, 'mine.txt'), 'mine')
    const ran = await init('--pack', 'production')
    expect(ran.exitCode).not.toBe(0)
    expect(readFileSync(join(home(), 'config.yaml'), 'utf8')).toBe('version: 1\npacks: { safety: true }\n')
    expect(readFileSync(settings('claude'), 'utf8')).toBe(before[settings('claude')])
    expect(existsSync(settings('qwen'))).toBe(false)
    expect((await run('test', 'rm -rf ~')).exitCode).toBe(2)
  })
})

describe('an init that is interrupted', () => {
  it('by a signal takes everything back, or is complete', async () => {
    write(settings('claude'), '{ "model": "opus" }\n')
    const before = filesOf(userHome)
    const words = ['init', '--host', 'claude-code', '--host', 'qwen', '--scope', 'user', '--yes']
    const child = spawn(process.execPath, [holdpointProgram(), ...words], {
      env: { ...env(), HOLDPOINT_HOME: home() },
      cwd: sandbox.project,
    })
    // While it writes, if the signal is fast enough.
    child.stdout.once('data', () => child.kill('SIGINT'))
    const [exitCode] = (await once(child, 'close')) as [number | null]
    if (exitCode === 0) return expect(existsSync(settings('qwen'))).toBe(true)
    expect(filesOf(userHome)).toEqual(before)
    expect(existsSync(home())).toBe(false)
  })

  it('by a kill is said by status, completed by the next init, and removed by uninstall', async () => {
    mkdirSync(home(), { recursive: true })
    const gone = spawn(process.execPath, ['-e', ''])
    await once(gone, 'close')
    // What a killed `init` leaves: its lock.
    writeFileSync(join(home(), 'init.lock'), `${gone.pid} x`)
    expect((await run('status')).stdout).toContain('INTERRUPTED')
    expect(await init()).toMatchObject({ exitCode: 0 })
    expect((await run('status')).stdout).not.toContain('INTERRUPTED')
    writeFileSync(join(home(), 'init.lock'), `${gone.pid} x`)
    await person('uninstall', '--yes')
    expect(existsSync(join(home(), 'init.lock'))).toBe(false)
  })
})

describe('uninstall', () => {
  it('says what it leaves, and --purge removes it', async () => {
    write(settings('claude'), '{ "model": "opus" }\n')
    const before = filesOf(userHome)
    await init()
    write(settings('claude'), readFileSync(settings('claude'), 'utf8').replace('opus', 'haiku'))
    const { stdout } = await person('uninstall', '--yes')
    expect(stdout).toMatch(/Left in place:\n {2}.*\/home \(your configuration, .* MB\)/)
    expect(stdout).toContain('~/.claude/settings.json.holdpoint-backup')
    expect(stdout).toContain('holdpoint uninstall --purge')

    const refused = await run('uninstall', '--purge', '--yes')
    expect(refused).toMatchObject({ stderr: expect.stringContaining('not a terminal') })
    const purged = await sandbox.person(['uninstall', '--purge'], env(), { process: true, type: 'yes' })
    expect(purged.stdout).toContain('Removed.')
    const after = filesOf(userHome)
    expect(Object.keys(after)).toEqual(Object.keys(before))
    expect(after[settings('claude')]).toContain('haiku')
  })

  it('--purge is for all agents at once, and not while hooks are left', async () => {
    await init()
    const part = await sandbox.person(['uninstall', '--purge', '--host', 'qwen', '--yes'], env(), {
      process: true,
    })
    expect(part.exitCode).toBe(64)
    expect(existsSync(settings('qwen'))).toBe(true)
  })
})

describe('a file of one person in a work tree', () => {
  it('is kept out of git, with the choice of packs, until it is removed', async () => {
    const git = (...args: string[]) =>
      spawnSync('git', args, {
        cwd: sandbox.project,
        env: { ...process.env, HOME: userHome },
        encoding: 'utf8',
      }).stdout
    git('init', '--quiet')
    appendFileSync(join(sandbox.project, '.git', 'info', 'exclude'), '/mine\n')
    await run('init', '--host', 'claude-code', '--scope', 'local', '--pack', 'mux', '--yes')
    expect(existsSync(join(sandbox.project, '.holdpoint', 'config.local.yaml'))).toBe(true)
    expect(git('status', '--porcelain', '--untracked-files=all')).not.toMatch(/config\.local|settings\.local/)
    const said = (await person('uninstall', '--yes')).stdout
    expect(said).toContain('config.local.yaml')
    expect(git('status', '--porcelain', '--untracked-files=all')).not.toContain('config.local')
    expect(readFileSync(join(sandbox.project, '.git', 'info', 'exclude'), 'utf8')).toContain('/mine')
  })
})
