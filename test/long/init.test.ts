import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createSandbox, type Sandbox } from '../e2e/command.ts'

/**
 * `init`, `doctor` and `uninstall` on the files of agents that are not installed: what they write, prove and
 * remove.
 */

let sandbox: Sandbox
let userHome: string
beforeEach(() => {
  sandbox = createSandbox()
  userHome = join(sandbox.folder, 'user')
  mkdirSync(userHome)
})
afterEach(() => sandbox.remove())

const run = (...args: string[]) =>
  sandbox.run([...args, '--home', sandbox.home], {
    env: { HOME: userHome, PATH: `${join(sandbox.folder, 'bin')}:${process.env.PATH}` },
  })
const person = (...args: string[]) =>
  sandbox.person([...args, '--home', sandbox.home], {
    HOME: userHome,
    PATH: `${join(sandbox.folder, 'bin')}:${process.env.PATH}`,
  })
const init = (...args: string[]) =>
  run('init', '--host', 'claude-code', '--pack', 'safety', '--yes', '--scope', 'user', ...args)
const settings = () => join(userHome, '.claude', 'settings.json')
const read = () => JSON.parse(readFileSync(settings(), 'utf8'))

/** A program on PATH that can only print its version. */
function agent(name: string, version: string): void {
  mkdirSync(join(sandbox.folder, 'bin'), { recursive: true })
  const path = join(sandbox.folder, 'bin', name)
  writeFileSync(path, `#!/bin/sh\necho "${version} (fake)"\n`)
  chmodSync(path, 0o755)
}

describe('init', () => {
  it('writes one hook for each event, proves that each works, and reports it', async () => {
    const ran = await init()
    expect(ran).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('live 13 of 13 events') })
    expect(Object.keys(read().hooks)).toHaveLength(13)
    expect(readFileSync(join(sandbox.home, 'config.yaml'), 'utf8')).toBe(
      'version: 1\npacks:\n  safety: true\n  secrets: true\n  self: true\n',
    )
    expect(ran.stdout).toContain('unknown version')
  })

  it('changes nothing the second time, and keeps other hooks', async () => {
    mkdirSync(join(userHome, '.claude'))
    const foreign =
      '{\n\t"model": "opus", // mine\n\t"hooks": { "Stop": [ { "hooks": [ { "type": "command", "command": "say done" } ] } ] },\n}\n'
    writeFileSync(settings(), foreign)
    await init()
    const once = readFileSync(settings(), 'utf8')
    expect(once).toContain('say done')
    expect(once).toContain('// mine')
    await init()
    expect(readFileSync(settings(), 'utf8')).toBe(once)
    await person('uninstall', '--yes')
    expect(readFileSync(settings(), 'utf8')).toBe(foreign)
  })

  it('writes the hooks that the installed version supports', async () => {
    agent('claude', '2.1.325')
    await init()
    expect(read().hooks.PreToolUse[0].hooks[0]).toMatchObject({
      args: expect.any(Array),
      onFailure: 'block',
      timeout: 30,
    })
    agent('claude', '2.1.138')
    await init()
    const old = read().hooks.PreToolUse[0].hooks[0]
    expect(old.args ?? old.onFailure).toBeUndefined()
    expect(old.command).toContain('--on-failure')
  })

  it('inside a repository leaves nothing in the work tree', async () => {
    mkdirSync(join(sandbox.project, '.git'))
    await run('init', '--host', 'claude-code', '--pack', 'safety', '--yes')
    expect(existsSync(join(sandbox.project, '.claude'))).toBe(false)
    expect(existsSync(join(sandbox.project, '.holdpoint'))).toBe(false)
    expect(existsSync(settings())).toBe(true)
  })

  it('for this checkout keeps the choice of packs out of the work tree', async () => {
    await run(
      'init',
      '--host',
      'claude-code',
      '--pack',
      'safety',
      '--pack',
      'mux',
      '--yes',
      '--scope',
      'local',
    )
    const packs = (file: string) => readFileSync(file, 'utf8').match(/\w+(?=: true)/g)
    expect(packs(join(sandbox.home, 'config.yaml'))).toEqual(['safety', 'secrets', 'self'])
    expect(packs(join(sandbox.project, '.holdpoint', 'config.local.yaml'))).toEqual(['mux'])
  })

  it('moves the choice of an older version out of the checkout', async () => {
    await run('init', '--host', 'claude-code', '--pack', 'safety', '--yes', '--scope', 'local')
    rmSync(join(sandbox.home, 'config.yaml'))
    sandbox.write('.holdpoint/config.local.yaml', 'version: 1\npacks:\n  production: true\n')
    await run('init', '--renew')
    expect(existsSync(join(sandbox.home, 'config.yaml'))).toBe(false)
    await person('trust', '--yes')
    await run('init', '--renew')
    expect(readFileSync(join(sandbox.home, 'config.yaml'), 'utf8')).toContain('production: true')
  })

  it('trusts the policy it wrote, and none that existed before', async () => {
    mkdirSync(join(sandbox.project, '.git'))
    const told = () =>
      sandbox.hook({ hook_event_name: 'SubagentStart', agent_id: 'a1', agent_type: 'writer' })
    const project = ['init', '--host', 'claude-code', '--yes', '--scope', 'project', '--pack', 'scratchpad']
    await person(...project)
    expect((await told()).stdout).toContain('additionalContext')
    sandbox.config('version: 1\npacks: { collective: true }\n')
    expect((await person(...project)).stdout).toContain('until you run `holdpoint trust`')
    expect((await told()).stdout).not.toContain('additionalContext')
  })

  it('for a whole project contains no path of this machine, and tells others how to install it', async () => {
    await run('init', '--host', 'claude-code', '--pack', 'safety', '--yes', '--scope', 'project')
    const file = join(sandbox.project, '.claude', 'settings.json')
    const text = readFileSync(file, 'utf8')
    expect(text).not.toContain(sandbox.folder)
    const [{ command }] = JSON.parse(text).hooks.PreToolUse[0].hooks
    const payload = {
      session_id: 's',
      cwd: sandbox.project,
      hook_event_name: 'PreToolUse',
      tool_name: 'Bash',
      tool_input: { command: 'git push -f' },
    }
    const start = (holdpoint: string) => {
      const env = {
        PATH: process.env.PATH,
        HOME: userHome,
        CLAUDE_PROJECT_DIR: sandbox.project,
        HOLDPOINT_HOME: holdpoint,
      }
      return spawnSync('sh', ['-c', command], { input: JSON.stringify(payload), env, encoding: 'utf8' })
    }
    expect(JSON.parse(start(sandbox.home).stdout).hookSpecificOutput.permissionDecision).toBe('deny')
    const elsewhere = start('/nowhere')
    expect(elsewhere.status).toBe(2)
    expect(elsewhere.stderr).toContain('npx holdpoint init')
    await person('uninstall', '--yes')
    expect(existsSync(file)).toBe(false)
    expect(existsSync(join(sandbox.project, '.holdpoint', 'bin', 'holdpoint-hook'))).toBe(false)
  })

  it('guards every agent that it finds', async () => {
    agent('claude', '2.1.325')
    agent('codex', '0.166.0')
    const ran = await run('init', '--yes', '--scope', 'user')
    expect(ran.exitCode).toBe(0)
    expect(ran.stdout).toContain('type /hooks, and trust the Holdpoint entries')
    expect(existsSync(join(userHome, '.codex', 'hooks.json'))).toBe(true)
    expect(Object.keys(JSON.parse(readFileSync(join(userHome, '.codex', 'hooks.json'), 'utf8')))).toEqual([
      'hooks',
    ])
  })

  it.each<[string, string[], string]>([
    ['no agent', ['init', '--yes'], 'No supported agent was found'],
    ['an unknown agent', ['init', '--host', 'nonesuch', '--yes'], 'Hosts: claude-code, codex'],
    ['an unknown pack', ['init', '--host', 'claude-code', '--pack', 'nope', '--yes'], 'Unknown pack "nope"'],
    ['a missing terminal', ['init', '--host', 'claude-code'], '--yes'],
  ])('says what to do about %s, and changes nothing', async (_name, args, message) => {
    const ran = await run(...args)
    expect(ran.exitCode).not.toBe(0)
    expect(ran.stderr).toContain(message)
    expect(existsSync(settings())).toBe(false)
  })

  it.each(['not json at all', '[]', '{"hooks": "none"}'])(
    'leaves settings it cannot read alone: %s',
    async (text) => {
      mkdirSync(join(userHome, '.claude'))
      writeFileSync(settings(), text)
      const ran = await init()
      expect(ran.exitCode).not.toBe(0)
      expect(ran.stderr).toContain('settings.json')
      expect(readFileSync(settings(), 'utf8')).toBe(text)
    },
  )
})

describe('an installed hook', () => {
  it('decides the same, whatever the caller sets in its environment', async () => {
    await init()
    const { command, args } = read().hooks.PreToolUse[0].hooks[0]
    const evil = join(sandbox.folder, 'evil.js')
    writeFileSync(evil, 'process.exit(0)')
    const input = JSON.stringify({
      session_id: 's',
      cwd: sandbox.project,
      hook_event_name: 'PreToolUse',
      tool_name: 'Bash',
      tool_input: { command: 'git push -f' },
      tool_use_id: 't',
    })
    const env = {
      PATH: '/nowhere',
      HOME: '/nowhere',
      HOLDPOINT_HOME: '/nowhere',
      NODE_OPTIONS: `--require ${evil}`,
      NODE_PATH: '/nowhere',
      XDG_CONFIG_HOME: sandbox.project,
    }
    const ran = spawnSync(command, args, { input, env, encoding: 'utf8' })
    expect(JSON.parse(ran.stdout).hookSpecificOutput.permissionDecision).toBe('deny')
  })

  it('that is started without its arguments, as an old agent does, denies every call', async () => {
    await init()
    const ran = spawnSync(read().hooks.PreToolUse[0].hooks[0].command, [], { input: '{}', encoding: 'utf8' })
    expect(ran.status).toBe(2)
    expect(ran.stdout).toBe('')
  })
})

describe('doctor', () => {
  it('finds what makes hooks fail or weak', async () => {
    await init()
    expect((await run('doctor')).exitCode).toBe(0)
    const good = readFileSync(settings(), 'utf8')
    writeFileSync(
      settings(),
      good.replace('{', '{"disableAllHooks": true, "env": {"NODE_OPTIONS": "--require ./x.js"},'),
    )
    const weak = await run('doctor')
    expect(weak.exitCode).toBe(1)
    expect(weak.stdout).toMatch(/disableAllHooks/)
    expect(weak.stdout).toMatch(/NODE_OPTIONS/)
    writeFileSync(settings(), '{}')
    expect((await run('doctor')).stdout).toContain('the Holdpoint hooks are missing')
    writeFileSync(settings(), good)
    writeFileSync(join(sandbox.home, 'bin', 'holdpoint-hook'), '#!/bin/sh\nexit 0\n')
    const dead = await run('doctor')
    expect(dead.stdout).toContain('NOT live')
    expect(dead.exitCode).toBe(1)
    expect(JSON.parse((await run('doctor', '--json')).stdout).agents[0].wrong.length).toBeGreaterThan(0)
  })
})

describe('uninstall', () => {
  it('leaves no file and no hook of Holdpoint', async () => {
    await init()
    const ran = await person('uninstall', '--yes')
    expect(ran.exitCode).toBe(0)
    expect(existsSync(settings())).toBe(false)
    expect(existsSync(join(sandbox.home, 'bin', 'holdpoint-hook'))).toBe(false)
    expect(existsSync(`${settings()}.holdpoint-backup`)).toBe(false)
    expect((await person('uninstall', '--yes')).exitCode).toBe(0)
  })

  it('keeps later changes', async () => {
    mkdirSync(join(userHome, '.claude'))
    writeFileSync(settings(), '{"model": "opus"}\n')
    await init()
    writeFileSync(settings(), readFileSync(settings(), 'utf8').replace('"opus"', '"sonnet"'))
    await person('uninstall', '--yes')
    expect(read()).toEqual({ model: 'sonnet' })
  })
})
