import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createWorld, type World } from '../e2e/command.ts'

/** `init`, `doctor` and `uninstall` on the files of agents that are not there: what they write, prove and take out. */

let world: World
let userHome: string
beforeEach(() => {
  world = createWorld()
  userHome = join(world.folder, 'user')
  mkdirSync(userHome)
})
afterEach(() => world.remove())

const run = (...args: string[]) =>
  world.run([...args, '--home', world.home], {
    env: { HOME: userHome, PATH: `${join(world.folder, 'bin')}:${process.env.PATH}` },
  })
const init = (...args: string[]) =>
  run('init', '--host', 'claude-code', '--pack', 'safety', '--yes', '--scope', 'user', ...args)
const settings = () => join(userHome, '.claude', 'settings.json')
const read = () => JSON.parse(readFileSync(settings(), 'utf8'))

/** A program on PATH that only knows its version. */
function agent(name: string, version: string): void {
  mkdirSync(join(world.folder, 'bin'), { recursive: true })
  const path = join(world.folder, 'bin', name)
  writeFileSync(path, `#!/bin/sh\necho "${version} (fake)"\n`)
  chmodSync(path, 0o755)
}

describe('init', () => {
  it('writes one entry per event, proves each live, and says so', async () => {
    const ran = await init()
    expect(ran).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('live 13 of 13 events') })
    expect(Object.keys(read().hooks)).toHaveLength(13)
    expect(readFileSync(join(world.home, 'config.yaml'), 'utf8')).toBe(
      'version: 1\npacks:\n  safety: true\n  self: true\n',
    )
    expect(ran.stdout).toContain('unknown version')
  })

  it('twice is once, and foreign hooks stay', async () => {
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
    await run('uninstall', '--yes')
    expect(readFileSync(settings(), 'utf8')).toBe(foreign)
  })

  it('writes what the version it finds understands', async () => {
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

  it('inside a repository is for this checkout alone', async () => {
    mkdirSync(join(world.project, '.git'))
    await run('init', '--host', 'claude-code', '--pack', 'safety', '--yes')
    expect(existsSync(join(world.project, '.claude', 'settings.local.json'))).toBe(true)
    expect(existsSync(settings())).toBe(false)
  })

  it('vouches for the policy it wrote, and for none that was there before', async () => {
    mkdirSync(join(world.project, '.git'))
    const told = () => world.hook({ hook_event_name: 'SubagentStart', agent_id: 'a1', agent_type: 'writer' })
    const project = ['--scope', 'project', '--pack', 'scratchpad']
    await init(...project)
    expect((await told()).stdout).toContain('additionalContext')
    world.config('version: 1\npacks: { collective: true }\n')
    expect((await init(...project)).stdout).toContain('tell the agent nothing until `holdpoint trust`')
    expect((await told()).stdout).not.toContain('additionalContext')
  })

  it('for a whole project names nothing of this machine, and tells others how to get it', async () => {
    await run('init', '--host', 'claude-code', '--pack', 'safety', '--yes', '--scope', 'project')
    const file = join(world.project, '.claude', 'settings.json')
    const text = readFileSync(file, 'utf8')
    expect(text).not.toContain(world.folder)
    const [{ command }] = JSON.parse(text).hooks.PreToolUse[0].hooks
    const payload = {
      session_id: 's',
      cwd: world.project,
      hook_event_name: 'PreToolUse',
      tool_name: 'Bash',
      tool_input: { command: 'git push -f' },
    }
    const start = (holdpoint: string) => {
      const env = {
        PATH: process.env.PATH,
        HOME: userHome,
        CLAUDE_PROJECT_DIR: world.project,
        HOLDPOINT_HOME: holdpoint,
      }
      return spawnSync('sh', ['-c', command], { input: JSON.stringify(payload), env, encoding: 'utf8' })
    }
    expect(JSON.parse(start(world.home).stdout).hookSpecificOutput.permissionDecision).toBe('deny')
    const elsewhere = start('/nowhere')
    expect(elsewhere.status).toBe(2)
    expect(elsewhere.stderr).toContain('npx holdpoint init')
    await run('uninstall', '--yes')
    expect(existsSync(file)).toBe(false)
    expect(existsSync(join(world.project, '.holdpoint', 'bin', 'holdpoint-hook'))).toBe(false)
  })

  it('guards every agent it finds', async () => {
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
    ['no agent', ['init', '--yes'], 'No agent was found'],
    ['an unknown agent', ['init', '--host', 'nonesuch', '--yes'], 'Hosts: claude-code, codex'],
    [
      'an unknown pack',
      ['init', '--host', 'claude-code', '--pack', 'nope', '--yes'],
      'There is no pack "nope"',
    ],
    ['nobody to ask', ['init', '--host', 'claude-code'], '--yes'],
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

describe('the installed entry', () => {
  it('judges, whatever the caller sets in its environment', async () => {
    await init()
    const { command, args } = read().hooks.PreToolUse[0].hooks[0]
    const evil = join(world.folder, 'evil.js')
    writeFileSync(evil, 'process.exit(0)')
    const input = JSON.stringify({
      session_id: 's',
      cwd: world.project,
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
      XDG_CONFIG_HOME: world.project,
    }
    const ran = spawnSync(command, args, { input, env, encoding: 'utf8' })
    expect(JSON.parse(ran.stdout).hookSpecificOutput.permissionDecision).toBe('deny')
  })

  it('started without its arguments, as an old agent does, stops everything', async () => {
    await init()
    const ran = spawnSync(read().hooks.PreToolUse[0].hooks[0].command, [], { input: '{}', encoding: 'utf8' })
    expect(ran.status).toBe(2)
    expect(ran.stdout).toBe('')
  })
})

describe('doctor', () => {
  it('finds what makes hooks dead or weak', async () => {
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
    expect((await run('doctor')).stdout).toContain('our entries are gone')
    writeFileSync(settings(), good)
    writeFileSync(join(world.home, 'bin', 'holdpoint-hook'), '#!/bin/sh\nexit 0\n')
    const dead = await run('doctor')
    expect(dead.stdout).toContain('NOT live')
    expect(dead.exitCode).toBe(1)
    expect(JSON.parse((await run('doctor', '--json')).stdout).agents[0].wrong.length).toBeGreaterThan(0)
  })
})

describe('uninstall', () => {
  it('leaves no file it made, and no entry of its own', async () => {
    await init()
    const ran = await run('uninstall', '--yes')
    expect(ran.exitCode).toBe(0)
    expect(existsSync(settings())).toBe(false)
    expect(existsSync(join(world.home, 'bin', 'holdpoint-hook'))).toBe(false)
    expect(existsSync(`${settings()}.holdpoint-backup`)).toBe(false)
    expect((await run('uninstall', '--yes')).exitCode).toBe(0)
  })

  it('keeps what was changed since', async () => {
    mkdirSync(join(userHome, '.claude'))
    writeFileSync(settings(), '{"model": "opus"}\n')
    await init()
    writeFileSync(settings(), readFileSync(settings(), 'utf8').replace('"opus"', '"sonnet"'))
    await run('uninstall', '--yes')
    expect(read()).toEqual({ model: 'sonnet' })
  })
})
