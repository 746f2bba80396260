import { spawn, spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { VERSION } from '../../src/core/version.ts'
import { personAt } from '../e2e/terminal.ts'
import { holdpointProgram } from '../installed.ts'

/** The installed command line, if Claude Code has the Holdpoint plugin from a marketplace that is this repository. */

const ROOT = join(import.meta.dirname, '..', '..')
const ID = 'holdpoint@holdpoint'
const INIT = ['init', '--host', 'claude-code', '--scope', 'user', '--yes']

let folder: string
let user: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'holdpoint-plugin-')))
  user = join(folder, 'user')
  mkdirSync(join(folder, 'project'), { recursive: true })
  const source = { source: 'directory', path: ROOT }
  claude('plugins/known_marketplaces.json', { holdpoint: { source, installLocation: ROOT } })
  claude('plugins/installed_plugins.json', {
    version: 2,
    plugins: { [ID]: [{ scope: 'user', version: VERSION }] },
  })
  claude('settings.json', { enabledPlugins: { [ID]: true } })
})
afterEach(() => {
  person('uninstall', '--yes')
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

const home = (...path: string[]) => join(user, '.config', 'holdpoint', ...path)
const data = () => join(user, '.claude', 'plugins', 'data', 'holdpoint-holdpoint')

function claude(path: string, value: object): void {
  write(join(user, '.claude', path), value)
}

function write(file: string, value: object): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, JSON.stringify(value))
}

const place = () => ({ cwd: join(folder, 'project'), env: { PATH: process.env.PATH, HOME: user } })
const person = (...args: string[]) => personAt(place(), args)

function holdpoint(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(holdpointProgram(), args, { ...place(), encoding: 'utf8' })
  return { exitCode: status, text: `${stdout}${stderr}`, stdout }
}

interface Entry {
  readonly command: string
  readonly args: readonly string[]
}

/** The hook of an event, as Claude Code starts it. */
function entry(from: 'plugin' | 'settings', event: string): Entry {
  const root = join(ROOT, 'plugin')
  const file = from === 'plugin' ? join(root, 'hooks', 'hooks.json') : join(user, '.claude', 'settings.json')
  const text = readFileSync(file, 'utf8')
    .replaceAll(['$', '{CLAUDE_PLUGIN_ROOT}'].join(''), root)
    .replaceAll(['$', '{CLAUDE_PLUGIN_DATA}'].join(''), data())
  return JSON.parse(text).hooks[event][0].hooks[0]
}

function call(
  from: 'plugin' | 'settings',
  event: string,
  more: object,
): Promise<{ code: number | null; out: string }> {
  const { command, args } = entry(from, event)
  const project = join(folder, 'project')
  const payload = { session_id: 's', transcript_path: '/t', cwd: project, hook_event_name: event, ...more }
  return new Promise((resolve, reject) => {
    const env = { PATH: '/usr/bin:/bin', HOME: user, CLAUDE_PROJECT_DIR: project }
    const child = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'pipe'] })
    let out = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (out += chunk))
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, out }))
    child.stdin.on('error', () => {})
    child.stdin.end(`${JSON.stringify(payload)}\n`)
  })
}

const bash = (command: string, id = command) => ({
  tool_name: 'Bash',
  tool_use_id: id,
  tool_input: { command },
})

function journal(): readonly { event: string; effect: string; input?: string }[] {
  const lines = holdpoint('log', '--json').stdout.split('\n')
  return lines.filter((line) => line.includes('"session":"s"')).map((line) => JSON.parse(line))
}

describe('the plugin and the hooks of `init`', () => {
  it('are both listed, and both work', () => {
    const { exitCode, text } = holdpoint(...INIT)
    expect(text).toContain(`${ID} ${VERSION} is enabled too.`)
    expect(text.match(/live 13 of 13 events/g)).toHaveLength(2)
    expect(exitCode).toBe(0)
    expect(readFileSync(join(data(), 'home'), 'utf8')).toBe(`${home()}\n`)
    expect(JSON.parse(holdpoint('doctor', '--json').stdout).agents[0].plugin).toMatchObject({
      id: ID,
      enabled: true,
      root: join(ROOT, 'plugin'),
    })
  })

  it.each(['with', 'without'])('decide and record each event once, %s the daemon', async (how) => {
    holdpoint(...INIT)
    if (how === 'without') {
      holdpoint('daemon', 'stop')
      rmSync(home('run'), { recursive: true, force: true })
      writeFileSync(home('run'), 'no daemon can live here')
    }
    rmSync(home('journal'), { recursive: true, force: true })
    const events: readonly [string, object][] = [
      ['SessionStart', { source: 'startup' }],
      ['UserPromptSubmit', { prompt: 'go' }],
      ['PreToolUse', bash('git push --force')],
      ['PreToolUse', bash('ls')],
      ['PostToolUse', { ...bash('ls'), tool_response: {} }],
      ['Stop', { stop_hook_active: false }],
    ]
    for (const [event, more] of events) {
      const [own, theirs] = await Promise.all([call('settings', event, more), call('plugin', event, more)])
      expect(theirs).toEqual({ code: 0, out: '{}\n' })
      expect(own.out.includes('"deny"')).toBe(JSON.stringify(more).includes('--force'))
    }
    expect(journal().map(({ event }) => event)).toEqual(events.map(([event]) => event))
  })

  it('let the plugin decide when the settings are emptied', async () => {
    holdpoint(...INIT)
    await call('settings', 'SessionStart', { source: 'startup' })
    claude('settings.json', { enabledPlugins: { [ID]: true } })
    expect((await call('plugin', 'PreToolUse', bash('git push --force'))).out).toContain('"deny"')
    expect(journal().at(-1)).toMatchObject({ event: 'PreToolUse', effect: 'deny' })
  })
})

describe('the plugin alone', () => {
  it('works with `init --renew`, and `doctor` says what that means', async () => {
    const { text, exitCode } = holdpoint('init', '--renew')
    expect(text).toContain(`${ID} ${VERSION} is enabled and guards this agent.`)
    expect(text).toContain('live 13 of 13 events')
    expect(exitCode).toBe(0)
    expect((await call('plugin', 'PreToolUse', bash('git push --force'))).out).toContain('"deny"')
    expect((await call('plugin', 'PreToolUse', bash('ls'))).out).toBe('{}\n')
  })

  it('denies every call before `init`, and after `uninstall`, which says so', async () => {
    const stopped = { code: 2, out: expect.stringContaining('Run in a terminal: npx holdpoint init') }
    write(join(data(), 'home'), {})
    writeFileSync(join(data(), 'home'), home())
    expect(await call('plugin', 'PreToolUse', bash('ls'))).toEqual(stopped)
    holdpoint('init', '--renew')
    expect(await call('plugin', 'PreToolUse', bash('ls'))).toMatchObject({ code: 0 })
    expect(person('uninstall', '--host', 'codex').text).not.toContain('no longer installed')
    expect(await call('plugin', 'PreToolUse', bash('ls'))).toMatchObject({ code: 0 })
    expect(person('uninstall').text).toContain(`claude plugin uninstall ${ID}`)
    expect(existsSync(join(data(), 'home'))).toBe(false)
    writeFileSync(join(data(), 'home'), home())
    expect(await call('plugin', 'PreToolUse', bash('ls'))).toEqual(stopped)
  })

  it('is reported if it starts another Holdpoint', () => {
    holdpoint('init', '--renew')
    const other = join(folder, 'other')
    const { text, exitCode } = holdpoint('doctor', '--home', other)
    expect(text).toContain(`it starts the Holdpoint in ${home()}, not this one in ${other}`)
    expect(exitCode).toBe(1)
  })

  it('is reported as off if the project switches it off', () => {
    holdpoint('init', '--renew')
    write(join(folder, 'project', '.claude', 'settings.json'), { enabledPlugins: { [ID]: false } })
    const { text } = holdpoint('doctor')
    expect(text).toContain(
      `${ID} ${VERSION} is switched off in ${join(folder, 'project', '.claude', 'settings.json')}`,
    )
    expect(text).toContain('not installed here')
  })
})

describe('`explain --last`', () => {
  it('explains the newest denial of the session, through the program of the plugin', async () => {
    holdpoint('init', '--renew')
    const explain = (session: string, ...more: string[]) =>
      spawnSync(
        join(ROOT, 'plugin', 'bin', 'holdpoint'),
        ['explain', '--last', '--session', session, ...more],
        {
          env: { HOME: user },
          encoding: 'utf8',
        },
      )
    expect(explain('s')).toMatchObject({ status: 0, stdout: 'No call was stopped in this session.\n' })
    await call('plugin', 'PreToolUse', bash('git push --force'))
    await call('plugin', 'PreToolUse', bash('rm -rf ~'))
    await call('plugin', 'PreToolUse', bash('ls'))
    const { status, stdout } = explain('s')
    expect(status).toBe(0)
    expect(stdout).toContain('rm -rf ~')
    expect(stdout).toMatch(/^To allow exactly this call once, run `holdpoint allow \w{4}-\w{4}`/m)
    expect(JSON.parse(explain('s', '--json').stdout)).toMatchObject({ effect: 'deny', input: 'rm -rf ~' })
    expect(explain('other').stdout).toBe('No call was stopped in this session.\n')
  })
})
