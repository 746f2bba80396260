import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { call, createWorld, type World } from '../e2e/command.ts'

let world: World
beforeEach(() => {
  world = createWorld()
})
afterEach(async () => {
  await world.run(['daemon', 'stop'])
  world.remove()
})

const env = () => ({ HOME: join(world.folder, 'user') })
const run = (args: readonly string[]) => world.run(args, { env: env() })
const settings = () => join(world.project, '.claude/settings.local.json')
const read = (path: string) => readFileSync(path, 'utf8')
const adopted = () => join(world.project, '.holdpoint/adopted.local.json')

/** Says no to `rm`, notes its name, and breaks when told to. */
const GUARD = `#!/bin/sh
input=$(cat)
echo "$0" >> "$CLAUDE_PROJECT_DIR/ran"
case "$input" in
  *break-me*) exit 1 ;;
  *"rm "*) echo "no rm here" >&2; exit 2 ;;
esac
`

const SETTINGS = `{
    "permissions": { "allow": ["Bash(ls)"] },
    "hooks": {
        "PreToolUse": [
            { "matcher": "Bash", "hooks": [
                { "type": "command", "command": "\\"$CLAUDE_PROJECT_DIR\\"/.claude/hooks/guard.sh", "timeout": 5 },
                { "type": "prompt", "prompt": "is this fine?" }
            ] }
        ]
    }
}
`

/** Settings with hooks of their own, and Holdpoint installed beside them. */
async function installed(): Promise<string> {
  world.write('.claude/hooks/guard.sh', GUARD, 0o755)
  world.write('.claude/settings.local.json', SETTINGS)
  const ran = await run(['init', '--host', 'claude-code', '--pack', 'safety', '--scope', 'local', '--yes'])
  expect(ran.stderr).toBe('')
  expect(await run(['trust', '--yes'])).toMatchObject({ exitCode: 0 })
  return read(settings())
}

const judge = async (command: string) => {
  const ran = await world.hook(call('Bash', { command }, { cwd: world.project }), [], { env: env() })
  return ran.stdout + ran.stderr
}

describe('adopt', () => {
  it('takes command hooks over: the agent has them no more, Holdpoint runs them, and gives them back', async () => {
    const before = await installed()
    const ran = await run(['adopt', '--scope', 'local', '--yes'])
    expect(ran).toMatchObject({ exitCode: 0, stderr: '' })
    expect(ran.stdout).toContain('when it cannot answer, the call goes on, as before')
    const after = JSON.parse(read(settings()))
    // Ours, once for the event, and what only the agent can run.
    expect(after.hooks.PreToolUse).toEqual([
      { matcher: 'Bash', hooks: [{ type: 'prompt', prompt: 'is this fine?' }] },
      JSON.parse(before).hooks.PreToolUse[1],
    ])
    expect(after.permissions).toEqual({ allow: ['Bash(ls)'] })
    expect(await judge('rm notes.txt')).toContain('no rm here')
    expect(read(join(world.project, 'ran')).trim().split('\n')).toHaveLength(1)

    expect(await run(['adopt', '--undo', '--scope', 'local'])).toMatchObject({ exitCode: 0, stderr: '' })
    expect(read(settings())).toBe(before)
    expect(existsSync(adopted())).toBe(false)
    expect(await judge('rm notes.txt')).not.toContain('no rm here')
  })

  it.each([
    [[], false],
    [['--closed'], true],
  ])('a hook that breaks, adopted with %j', async (args, isStopped) => {
    await installed()
    await run(['adopt', '--scope', 'local', '--yes', ...args])
    const said = await judge('echo break-me')
    expect(said.includes('"permissionDecision":"deny"')).toBe(isStopped)
    expect(said).toContain(isStopped ? 'its policy for that is' : 'its policy lets the call go on')
  })

  it('a settings file that changed since keeps its changes, and gets the hooks back as they were', async () => {
    await installed()
    await run(['adopt', '--scope', 'local', '--yes', '--closed'])
    const changed = JSON.parse(read(settings()))
    writeFileSync(settings(), JSON.stringify({ ...changed, model: 'new' }))
    expect((await run(['adopt', '--undo', '--scope', 'local'])).stdout).toContain('has changed since')
    const after = JSON.parse(read(settings()))
    expect(after.model).toBe('new')
    expect(after.hooks.PreToolUse.at(-1)).toEqual({
      matcher: 'Bash',
      hooks: [JSON.parse(SETTINGS).hooks.PreToolUse[0].hooks[0]],
    })
    expect(await judge('rm notes.txt')).not.toContain('no rm here')
  })

  it('a second time takes only what is new, and undo gives back everything', async () => {
    await installed()
    await run(['adopt', '--scope', 'local', '--yes'])
    expect((await run(['adopt', '--scope', 'local', '--yes'])).stdout).toContain('nothing to adopt')
    const now = JSON.parse(read(settings()))
    now.hooks.PreToolUse.push({ matcher: 'Edit', hooks: [{ type: 'command', command: 'true' }] })
    writeFileSync(settings(), JSON.stringify(now))
    await run(['adopt', '--scope', 'local', '--yes'])
    expect(JSON.parse(read(adopted())).hooks.PreToolUse).toHaveLength(2)
    await run(['adopt', '--undo', '--scope', 'local'])
    expect(read(settings())).toContain('guard.sh')
    expect(read(settings())).toContain('"Edit"')
  })

  it('without Holdpoint in the agent nothing is taken: nobody would run it', async () => {
    world.write('.claude/hooks/guard.sh', GUARD, 0o755)
    world.write('.claude/settings.local.json', SETTINGS)
    const ran = await run(['adopt', '--scope', 'local', '--yes'])
    expect(ran.stdout).toContain('Holdpoint is not started at PreToolUse; run `holdpoint init`')
    expect(read(settings())).toBe(SETTINGS)
    expect(existsSync(adopted())).toBe(false)
  })

  it.each<[string, () => void, string]>([
    [
      'a configuration nobody vouched for',
      () => world.write('.holdpoint/config.local.yaml', 'version: 1\n# new\n'),
      'HOOK_UNTRUSTED',
    ],
    [
      'a configuration that is no YAML',
      () => world.write('.holdpoint/config.local.yaml', 'a: ['),
      'HOOK_UNTRUSTED',
    ],
    [
      'comments in the settings',
      () => writeFileSync(settings(), `// x\n${read(settings())}`),
      'CONFIG_VALUE',
    ],
    ['settings that are no JSON', () => writeFileSync(settings(), 'x'), 'CONFIG_VALUE'],
    [
      'settings of ten megabytes',
      () => writeFileSync(settings(), ' '.repeat(10 * 1024 * 1024)),
      'CONFIG_TOO_LARGE',
    ],
    ['settings that may not be written', () => chmodSync(settings(), 0o444), 'STATE_UNWRITABLE'],
  ])('%s: nothing changes', async (_name, harm, code) => {
    await installed()
    harm()
    const before = [read(settings()), read(join(world.project, '.holdpoint/config.local.yaml'))]
    const ran = await run(['adopt', '--scope', 'local', '--yes'])
    expect(ran.exitCode).not.toBe(0)
    expect(ran.stderr).toContain(code)
    expect([read(settings()), read(join(world.project, '.holdpoint/config.local.yaml'))]).toEqual(before)
    expect(existsSync(adopted())).toBe(false)
  })

  it('hooks of the user, in every project; one with a relative path stays', async () => {
    const folder = join(env().HOME, '.claude')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'guard.sh'), GUARD, { mode: 0o755 })
    const hooks = ['~/.claude/guard.sh', './guard.sh'].map((command) => ({ type: 'command', command }))
    const own = join(folder, 'settings.json')
    writeFileSync(own, JSON.stringify({ hooks: { PreToolUse: [{ hooks }] } }))
    await run(['init', '--host', 'claude-code', '--pack', 'safety', '--scope', 'user', '--yes'])
    const before = read(own)
    const ran = await run(['adopt', '--scope', 'user', '--yes'])
    expect(ran.stdout).toContain('stays: its path depends on the folder of the session')
    expect(read(own)).not.toContain('~/.claude/guard.sh')
    expect(read(own)).toContain('./guard.sh')
    expect(await judge('rm notes.txt')).toContain('no rm here')
    await run(['adopt', '--undo', '--scope', 'user'])
    expect(read(own)).toBe(before)
  })

  it('asks before it changes anything', async () => {
    const before = await installed()
    const ran = await run(['adopt', '--scope', 'local'])
    expect(ran.stderr).toContain('Nobody is here to ask')
    expect(read(settings())).toBe(before)
  })

  it('is undone by uninstall, so that no hook is left that nobody runs', async () => {
    await installed()
    await run(['adopt', '--yes', '--scope', 'local'])
    expect(existsSync(adopted())).toBe(true)
    expect(await run(['uninstall'])).toMatchObject({ exitCode: 0 })
    expect(read(settings())).toContain('guard.sh')
    expect(existsSync(adopted())).toBe(false)
  })

  it('has nothing to undo where nothing was adopted', async () => {
    expect(await run(['adopt', '--undo'])).toMatchObject({ exitCode: 78 })
  })
})

describe('imports', () => {
  const codex = (command: string) =>
    world.hook(
      {
        ...{ session_id: '01a1dea2-cbcc-7782-8970-8cd9f5f37070', turn_id: 't', transcript_path: null },
        ...{ cwd: world.project, model: 'm', permission_mode: 'default', hook_event_name: 'PreToolUse' },
        ...{ tool_name: 'Bash', tool_input: { command }, tool_use_id: 'call_1' },
      },
      [],
      { host: 'codex', env: env() },
    )

  it('hooks of the settings hold for other agents, and are left to Claude Code there', async () => {
    world.userConfig('version: 1\nimports: [claude-settings]\n')
    const own = join(env().HOME, '.claude')
    mkdirSync(own, { recursive: true })
    writeFileSync(join(own, 'guard.sh'), GUARD, { mode: 0o755 })
    const hook = { type: 'command', command: '~/.claude/guard.sh' }
    const hooks = { PreToolUse: [{ matcher: { toolName: 'Bash' }, hooks: [hook] }] }
    writeFileSync(join(own, 'settings.json'), JSON.stringify({ hooks }))
    expect((await codex('rm notes.txt')).stdout).toContain('no rm here')
    expect(await judge('rm notes.txt')).not.toContain('no rm here')
  })

  it('what lies in a project runs only when somebody vouched for it', async () => {
    world.userConfig('version: 1\nimports: [claude-settings]\n')
    world.write('.claude/hooks/guard.sh', GUARD, 0o755)
    world.write('.claude/settings.json', SETTINGS)
    expect((await codex('rm notes.txt')).stdout).not.toContain('no rm here')
    expect(existsSync(join(world.project, 'ran'))).toBe(false)
  })

  it("a skill's own hook judges its skill alone, and can be watched doing so (R-001-07, R-001-30)", async () => {
    const block = '{"action": "block", "reason": "Read is forbidden for MUX orchestrator."}'
    world.write('.claude/pre-tool-use.sh', `#!/bin/sh\necho '${block}'\n`, 0o755)
    const script = '.claude/pre-tool-use.sh'
    const preToolUseHook = { enabled: true, script, skillScope: ['mux'], debug: true }
    world.write('.claude/settings.json', JSON.stringify({ preToolUseHook }))
    const config = ['--config', '.claude/settings.json']
    expect(await run(['trust', '--yes', ...config])).toMatchObject({ exitCode: 0 })
    const args = ['--tool', 'Read', '--args', '{"file_path": "/path"}', ...config]
    const { stdout } = await run(['explain', ...args, '--skill', 'mux'])
    for (const part of ['Read', 'preToolUseHook.skillScope[0]', 'deny', 'forbidden for MUX']) {
      expect(stdout).toContain(part)
    }
    expect((await run(['test', ...args])).stdout).toContain('ALLOWED')
  })
})
