import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { call, createSandbox, type Sandbox } from '../e2e/command.ts'

let sandbox: Sandbox
beforeEach(() => {
  sandbox = createSandbox()
})
afterEach(async () => {
  await sandbox.run(['daemon', 'stop'])
  await sandbox.remove()
})

const env = () => ({ HOME: join(sandbox.folder, 'user') })
const run = (args: readonly string[]) =>
  /^(?:adopt|trust|uninstall)$/.test(args[0] ?? '')
    ? sandbox.person(args, env())
    : sandbox.run(args, { env: env() })
const settings = () => join(sandbox.project, '.claude/settings.local.json')
const read = (path: string) => readFileSync(path, 'utf8')
const adopted = () => join(sandbox.project, '.holdpoint/adopted.local.json')

/** Denies `rm`, writes its name to a file, and fails on request. */
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

/** Settings with hooks of the user, next to the installed hooks of Holdpoint. */
async function installed(): Promise<string> {
  sandbox.write('.claude/hooks/guard.sh', GUARD, 0o755)
  sandbox.write('.claude/settings.local.json', SETTINGS)
  sandbox.write('.holdpoint/config.local.yaml', 'version: 1\n')
  const ran = await run(['init', '--host', 'claude-code', '--pack', 'safety', '--scope', 'local', '--yes'])
  expect(ran.stderr).toBe('')
  expect(await run(['trust', '--yes'])).toMatchObject({ exitCode: 0 })
  return read(settings())
}

const judge = async (command: string) => {
  const ran = await sandbox.hook(call('Bash', { command }, { cwd: sandbox.project }), [], { env: env() })
  return ran.stdout + ran.stderr
}

describe('holdpoint adopt', () => {
  it('moves command hooks from the agent to Holdpoint, which runs them, and moves them back', async () => {
    const before = await installed()
    const ran = await run(['adopt', '--scope', 'local', '--yes'])
    expect(ran).toMatchObject({ exitCode: 0 })
    expect(ran.stdout).toContain('if it fails, the call continues, as before')
    const after = JSON.parse(read(settings()))
    // Holdpoint's hook, once for the event, and the hooks that only the agent can run.
    expect(after.hooks.PreToolUse).toEqual([
      { matcher: 'Bash', hooks: [{ type: 'prompt', prompt: 'is this fine?' }] },
      JSON.parse(before).hooks.PreToolUse[1],
    ])
    expect(after.permissions).toEqual({ allow: ['Bash(ls)'] })
    expect(await judge('rm notes.txt')).toContain('no rm here')
    expect(read(join(sandbox.project, 'ran')).trim().split('\n')).toHaveLength(1)

    expect(await run(['adopt', '--undo', '--scope', 'local'])).toMatchObject({ exitCode: 0 })
    expect(read(settings())).toBe(before)
    expect(existsSync(adopted())).toBe(false)
    expect(await judge('rm notes.txt')).not.toContain('no rm here')
  })

  it.each([
    [[], false],
    [['--closed'], true],
  ])('applies the failure policy to a hook that breaks, adopted with %j', async (args, isStopped) => {
    await installed()
    await run(['adopt', '--scope', 'local', '--yes', ...args])
    const said = await judge('echo break-me')
    expect(said.includes('"permissionDecision":"deny"')).toBe(isStopped)
    expect(said).toContain(isStopped ? 'its failure policy is' : 'its failure policy allows the call')
  })

  it('keeps later changes of the settings file, and gives the hooks back as they were', async () => {
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

  it('adopts only new hooks the second time, and undo gives back all of them', async () => {
    await installed()
    await run(['adopt', '--scope', 'local', '--yes'])
    expect((await run(['adopt', '--scope', 'local', '--yes'])).stdout).toContain('no hooks to adopt')
    const now = JSON.parse(read(settings()))
    now.hooks.PreToolUse.push({ matcher: 'Edit', hooks: [{ type: 'command', command: 'true' }] })
    writeFileSync(settings(), JSON.stringify(now))
    await run(['adopt', '--scope', 'local', '--yes'])
    expect(JSON.parse(read(adopted())).hooks.PreToolUse).toHaveLength(2)
    await run(['adopt', '--undo', '--scope', 'local'])
    expect(read(settings())).toContain('guard.sh')
    expect(read(settings())).toContain('"Edit"')
  })

  it('adopts nothing if Holdpoint is not installed in the agent, because the hooks would not run', async () => {
    sandbox.write('.claude/hooks/guard.sh', GUARD, 0o755)
    sandbox.write('.claude/settings.local.json', SETTINGS)
    const ran = await run(['adopt', '--scope', 'local', '--yes'])
    expect(ran.stdout).toContain(
      '`holdpoint init` did not add a hook for PreToolUse in this scope, so it would never run',
    )
    expect(read(settings())).toBe(SETTINGS)
    expect(existsSync(adopted())).toBe(false)
  })

  it.each<[string, () => void, string]>([
    [
      'an untrusted configuration',
      () => sandbox.write('.holdpoint/config.local.yaml', 'version: 1\n# new\n'),
      'HOOK_UNTRUSTED',
    ],
    [
      'a configuration that is not YAML',
      () => sandbox.write('.holdpoint/config.local.yaml', 'a: ['),
      'HOOK_UNTRUSTED',
    ],
    [
      'comments in the settings',
      () => writeFileSync(settings(), `// x\n${read(settings())}`),
      'CONFIG_VALUE',
    ],
    ['settings that are not JSON', () => writeFileSync(settings(), 'x'), 'CONFIG_VALUE'],
    [
      'settings of ten megabytes',
      () => writeFileSync(settings(), ' '.repeat(10 * 1024 * 1024)),
      'CONFIG_TOO_LARGE',
    ],
    ['settings that cannot be written', () => chmodSync(settings(), 0o444), 'STATE_UNWRITABLE'],
  ])('changes nothing for %s', async (_name, harm, code) => {
    await installed()
    harm()
    const before = [read(settings()), read(join(sandbox.project, '.holdpoint/config.local.yaml'))]
    const ran = await run(['adopt', '--scope', 'local', '--yes'])
    expect(ran.exitCode).not.toBe(0)
    expect(ran.stderr).toContain(code)
    expect([read(settings()), read(join(sandbox.project, '.holdpoint/config.local.yaml'))]).toEqual(before)
    expect(existsSync(adopted())).toBe(false)
  })

  it('adopts hooks of the user for every project, except one with a relative path', async () => {
    const folder = join(env().HOME, '.claude')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'guard.sh'), GUARD, { mode: 0o755 })
    const hooks = ['~/.claude/guard.sh', './guard.sh'].map((command) => ({ type: 'command', command }))
    const own = join(folder, 'settings.json')
    writeFileSync(own, JSON.stringify({ hooks: { PreToolUse: [{ hooks }] } }))
    await run(['init', '--host', 'claude-code', '--pack', 'safety', '--scope', 'user', '--yes'])
    const before = read(own)
    const ran = await run(['adopt', '--scope', 'user', '--yes'])
    expect(ran.stdout).toContain('not adopted: its path depends on the folder of the session')
    expect(read(own)).not.toContain('~/.claude/guard.sh')
    expect(read(own)).toContain('./guard.sh')
    expect(await judge('rm notes.txt')).toContain('no rm here')
    await run(['adopt', '--undo', '--scope', 'user'])
    expect(read(own)).toBe(before)
  })

  it('asks before it changes anything', async () => {
    const before = await installed()
    const ran = await run(['adopt', '--scope', 'local'])
    expect(ran.stdout).toContain('Nothing was changed.')
    const piped = await sandbox.run(['adopt', '--scope', 'local', '--yes'], { env: env() })
    expect(piped.stderr).toContain('is only for people')
    expect(read(settings())).toBe(before)
  })

  it('is undone by uninstall, so that every hook still runs', async () => {
    await installed()
    await run(['adopt', '--yes', '--scope', 'local'])
    expect(existsSync(adopted())).toBe(true)
    expect(await run(['uninstall'])).toMatchObject({ exitCode: 0 })
    expect(read(settings())).toContain('guard.sh')
    expect(existsSync(adopted())).toBe(false)
  })

  it('has nothing to undo if nothing was adopted', async () => {
    expect(await run(['adopt', '--undo'])).toMatchObject({ exitCode: 78 })
  })
})

describe('imported hooks', () => {
  const codex = (command: string) =>
    sandbox.hook(
      {
        ...{ session_id: '01a1dea2-cbcc-7782-8970-8cd9f5f37070', turn_id: 't', transcript_path: null },
        ...{ cwd: sandbox.project, model: 'm', permission_mode: 'default', hook_event_name: 'PreToolUse' },
        ...{ tool_name: 'Bash', tool_input: { command }, tool_use_id: 'call_1' },
      },
      [],
      { host: 'codex', env: env() },
    )

  it('from the settings apply to other agents, and Claude Code runs them itself', async () => {
    sandbox.userConfig('version: 1\nimports: [claude-settings]\n')
    const own = join(env().HOME, '.claude')
    mkdirSync(own, { recursive: true })
    writeFileSync(join(own, 'guard.sh'), GUARD, { mode: 0o755 })
    const hook = { type: 'command', command: '~/.claude/guard.sh' }
    const hooks = { PreToolUse: [{ matcher: { toolName: 'Bash' }, hooks: [hook] }] }
    writeFileSync(join(own, 'settings.json'), JSON.stringify({ hooks }))
    expect((await codex('rm notes.txt')).stdout).toContain('no rm here')
    expect(await judge('rm notes.txt')).not.toContain('no rm here')
  })

  it('from files of a project run only if they are trusted', async () => {
    sandbox.userConfig('version: 1\nimports: [claude-settings]\n')
    sandbox.write('.claude/hooks/guard.sh', GUARD, 0o755)
    sandbox.write('.claude/settings.json', SETTINGS)
    expect((await codex('rm notes.txt')).stdout).not.toContain('no rm here')
    expect(existsSync(join(sandbox.project, 'ran'))).toBe(false)
  })

  it('of a skill apply only while that skill is active, and `explain` shows it (R-001-07, R-001-30)', async () => {
    const block = '{"action": "block", "reason": "Read is forbidden for MUX orchestrator."}'
    sandbox.write('.claude/pre-tool-use.sh', `#!/bin/sh\necho '${block}'\n`, 0o755)
    const script = '.claude/pre-tool-use.sh'
    const preToolUseHook = { enabled: true, script, skillScope: ['mux'], debug: true }
    sandbox.write('.claude/settings.json', JSON.stringify({ preToolUseHook }))
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
