import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { call, createSandbox, type Sandbox } from '../e2e/command.ts'
import { atTerminal } from '../e2e/terminal.ts'
import { eventually } from '../processes.ts'

let sandbox: Sandbox
let calls = 0
beforeEach(() => {
  sandbox = createSandbox()
  sandbox.userConfig('version: 1\npacks: { safety: true, self: true }\n')
})
afterEach(() => sandbox.remove())

async function pushIsDenied(): Promise<boolean> {
  calls += 1
  const { stdout } = await sandbox.hook(
    call('Bash', { command: 'git push --force' }, { tool_use_id: `toolu_${calls}` }),
  )
  return JSON.parse(stdout).hookSpecificOutput?.permissionDecision === 'deny'
}

const startSession = async () =>
  (await sandbox.hook({ session_id: 's', hook_event_name: 'SessionStart', source: 'startup' })).stdout
const records = async (...words: string[]) =>
  (await sandbox.run(['log', '--json', ...words])).stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
const file = (name: string) => join(sandbox.home, name)
const pauseAll = (more = {}) => {
  const sinceMs = Date.now() - 1_000
  return { version: 1, sinceMs, untilMs: sinceMs + 7_200_000, packs: 'all', ...more }
}

describe('a forged pause', () => {
  it('switches nothing off, is reported in messages, journal and doctor, and can be removed', async () => {
    writeFileSync(file('pause.json'), JSON.stringify(pauseAll()), { mode: 0o600 })
    expect(await pushIsDenied()).toBe(true)
    expect(await startSession()).toContain('no person made it with `holdpoint pause`')
    const kept = await records('--event', 'PreToolUse')
    expect(JSON.stringify(kept)).toContain('UNSIGNED_ENTRY')
    expect((await sandbox.run(['doctor'])).stdout).toContain('UNSIGNED_ENTRY')
    expect((await sandbox.run(['pause'])).stdout).toContain('is ignored')
    await sandbox.run(['pause', '--end'])
    expect(existsSync(file('pause.json'))).toBe(false)
    expect(await startSession()).not.toContain('UNSIGNED_ENTRY')
  })

  it('made from a real one switches nothing off either', async () => {
    await sandbox.person(['pause', '10m'], {}, { type: 'pause' })
    const real = JSON.parse(readFileSync(file('pause.json'), 'utf8'))
    for (const change of [{ packs: 'all' }, { untilMs: real.untilMs + 1 }, { by: undefined }]) {
      writeFileSync(file('pause.json'), JSON.stringify({ ...real, packs: 'all', ...change }), { mode: 0o600 })
      expect(await pushIsDenied()).toBe(true)
    }
  })

  it('does not count if the key is missing, invalid or of another home', async () => {
    await sandbox.person(['pause', '10m', '--all'], {}, { type: 'pause' })
    expect(await pushIsDenied()).toBe(false)
    const key = readFileSync(file('person.pub'))
    rmSync(file('person.pub'))
    expect(await pushIsDenied()).toBe(true)
    writeFileSync(file('person.pub'), 'x')
    expect(await pushIsDenied()).toBe(true)
    writeFileSync(file('person.pub'), key)
    expect(await pushIsDenied()).toBe(false)
  })
})

describe('a forged plan in the cache', () => {
  it.each<[string, (text: string) => string]>([
    [
      'without hooks',
      (text) =>
        text.replace(/"hooks":\[.*?\],"index":\{.*?\},"settings"/s, '"hooks":[],"index":{},"settings"'),
    ],
    [
      'with a pause',
      (text) =>
        text.replaceAll('"options":{', '"options":{"holdpoint":{"pausedUntilMs":9e15,"exceptions":[]},'),
    ],
    ['of 0.1.0', (text) => text.slice(text.indexOf('{')).replace(/"deny"/g, '"off"')],
  ])('%s is not used', async (_name, change) => {
    // A plan is kept once its files are a moment old.
    const name = await eventually(async () => {
      expect(await pushIsDenied()).toBe(true)
      return existsSync(file('cache')) && readdirSync(file('cache'))[0]
    }, 'the plan is in the cache')
    const path = join(file('cache'), name)
    const text = readFileSync(path, 'utf8')
    expect(change(text)).not.toBe(text)
    writeFileSync(path, change(text))
    expect(await pushIsDenied()).toBe(true)
  })
})

describe('trust without a person', () => {
  it('is refused without a terminal and in a process of an agent, even with --yes', async () => {
    sandbox.config('version: 1\nhooks: { PreToolUse: [ { run: "true" } ] }\n')
    expect(await sandbox.run(['trust', '--yes'])).toMatchObject({
      exitCode: 64,
      stderr: expect.stringContaining('is only for people'),
    })
    const below = await atTerminal(sandbox, ['trust', '--yes'], { above: { CLAUDECODE: '1' } })
    expect(below).toMatchObject({ exitCode: 64, text: expect.stringContaining('CLAUDECODE') })
    expect(existsSync(file('trust.json'))).toBe(false)
  })

  it('of 0.1.0 does not count, and the message says how to renew it', async () => {
    sandbox.config('version: 1\nhooks: { PreToolUse: [ { run: "exit 2" } ] }\n')
    mkdirSync(sandbox.home, { recursive: true })
    const path = join(sandbox.project, '.holdpoint', 'config.yaml')
    const text = readFileSync(path)
    const hash = (await import('node:crypto')).createHash('sha256').update(text).digest('hex')
    writeFileSync(file('trust.json'), JSON.stringify({ version: 1, files: { [path]: hash } }))
    expect(await startSession()).toContain('Run `holdpoint trust` in a terminal')
    expect((await sandbox.run(['trust', '--list'])).stdout).toContain('no person signed')
    expect((await sandbox.person(['trust', '--yes'])).exitCode).toBe(0)
    expect(await startSession()).not.toContain('UNSIGNED_ENTRY')
  })
})

describe('the journal', () => {
  it('contains every pause, resume, trust and revoke, with user and terminal', async () => {
    sandbox.config('version: 1\nhooks: { PreToolUse: [ { run: "true" } ] }\n')
    await atTerminal(sandbox, ['pause', '10m'], { type: 'pause' })
    await sandbox.run(['pause', '--end'])
    await sandbox.person(['trust', '--yes'])
    await sandbox.run(['trust', '--revoke'])
    const kept = (await records()).filter(({ host }) => host === 'person')
    expect(kept.map(({ event }) => event)).toEqual(['Pause', 'Resume', 'Trust', 'Revoke'])
    expect(kept[0].extra).toMatchObject({
      user: expect.any(String),
      terminal: expect.stringContaining('/dev/pts'),
    })
    expect(kept[1].extra).toMatchObject({ terminal: 'none' })
  })
})

describe('a PIN', () => {
  it('is requested by pause, and without it nothing is signed', async () => {
    const set = await atTerminal(sandbox, ['pin', 'set'], { type: ['correct horse', 'correct horse'] })
    expect(set).toMatchObject({ exitCode: 0, text: expect.stringContaining('The PIN is set') })
    expect(set.text).not.toContain('correct horse')
    const wrong = await sandbox.person(['pause', '10m', '--all'], {}, { type: 'wrong one' })
    expect(wrong).toMatchObject({ exitCode: 77, stdout: expect.stringContaining('The PIN is wrong') })
    expect(await pushIsDenied()).toBe(true)
    const right = await sandbox.person(['pause', '10m', '--all'], {}, { type: ['correct horse', 'pause'] })
    expect(right.exitCode).toBe(0)
    expect(await pushIsDenied()).toBe(false)
    expect(readFileSync(file('person.key'), 'utf8')).not.toContain('"key"')
  })

  it('is not set if it is too short or typed differently, and a reset makes all signatures invalid', async () => {
    expect((await sandbox.person(['pin', 'set'], {}, { type: ['short', 'short'] })).exitCode).toBe(64)
    expect(
      (await sandbox.person(['pin', 'set'], {}, { type: ['long enough', 'long enougj'] })).exitCode,
    ).toBe(64)
    expect((await sandbox.run(['pin', 'status'])).stdout).toContain('No PIN is set')
    expect((await sandbox.run(['pin', 'set'])).exitCode).toBe(64)
    await sandbox.person(['pause', '10m', '--all'], {}, { type: 'pause' })
    expect(await pushIsDenied()).toBe(false)
    await sandbox.person(['pin', 'reset'], {}, { type: 'reset' })
    expect(await pushIsDenied()).toBe(true)
  })
})
