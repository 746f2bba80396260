import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createSandbox, type Ran, type RunOptions, type Sandbox } from '../e2e/command.ts'

/** The test-driven collective, with the built program. */

let sandbox: Sandbox
beforeEach(() => {
  sandbox = createSandbox()
})
afterEach(() => sandbox.remove())

/** Uses the collective's own format: the input of its scripts, and their output. */
const runDialect = (payload: unknown, args: readonly string[] = [], options: RunOptions = {}): Promise<Ran> =>
  sandbox.hook(payload, args, { host: 'collective', env: { TZ: 'UTC' }, ...options })
/** Uses the format of Claude Code. */
const claude = (event: string, fields: object = {}, args = ['--pack', 'collective']): Promise<Ran> => {
  const base = {
    session_id: 's1',
    transcript_path: '/tmp/t.jsonl',
    cwd: sandbox.project,
    hook_event_name: event,
  }
  return sandbox.hook({ ...base, ...fields }, args, { env: { TZ: 'UTC' } })
}
const said = ({ stdout }: Ran) => JSON.parse(stdout)
const shell = (command: string) => ({
  hook_event_name: 'PreToolUse',
  tool_name: 'Bash',
  tool_input: { command },
})
const READY = 'The module is done, with tests.\n\nCOLLECTIVE_HANDOFF_READY'
const HANDS = `${READY}\n\nUse the unit-testing-agent subagent to test the module.`
const ROUTE = 'Handoff from module-development-agent. Use the unit-testing-agent subagent to test the module.'
const agent = { agent_id: 'a1', agent_type: 'module-development-agent' }
const stop = (text: string, more: object = {}) =>
  claude('SubagentStop', { ...agent, stop_hook_active: false, last_assistant_message: text, ...more })
const returned = (text: string, id = 'a1') =>
  claude('PostToolUse', {
    tool_name: 'Agent',
    tool_use_id: `call-${id}`,
    tool_input: { subagent_type: 'module-development-agent', prompt: 'x' },
    tool_response: { status: 'completed', agentId: id, content: [{ type: 'text', text }] },
  })
/** A test suite that fails until the file `fixed` exists, and counts how often it ran. */
const suite = (text = 'test -e fixed || { echo "Tests  2 failed"; exit 1; }') =>
  sandbox.write('package.json', JSON.stringify({ scripts: { test: `echo run >> runs; ${text}` } }))
const runs = () => {
  const path = join(sandbox.project, 'runs')
  return existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n').length : 0
}
const recovery = () => join(sandbox.project, '.claude/compact-recovery.json')

describe('the dialect of the collective', () => {
  it('allows harmless calls and blocks others, with its own pack on (R-002-65, R-002-81)', async () => {
    expect(await runDialect(shell('ls'))).toEqual({
      stdout: '{"decision":"allow"}\n',
      stderr: '',
      exitCode: 0,
    })
    for (const [command, rule] of [
      ['rm -rf build', 'rm-rf'],
      ['sudo rm x', 'sudo-rm'],
      ['cat ../../../x', 'climbing'],
      [`perl -e 'system("ls")'`, 'system-call'],
      [`php -r 'exec("ls");'`, 'exec-call'],
      ['git push -f', 'force-push'],
    ]) {
      const ran = await runDialect(shell(command ?? ''))
      expect(said(ran)).toMatchObject({ decision: 'block' })
      expect(said(ran).reason, command).toContain(`collective/block-destructive-commands/${rule}`)
      // R-002-83, R-002-74: users read standard error.
      expect(ran.stderr).toContain(rule)
    }
    expect(said(await runDialect(shell('echo rm -rf foo'))).decision).toBe('allow')
    expect(said(await runDialect(shell('git push --force-with-lease'))).decision).toBe('allow')
  })

  it('logs one line for each event, with the state (R-002-82, R-002-96, R-002-100)', async () => {
    await runDialect(shell('rm -rf build'))
    await runDialect({ hook_event_name: 'SubagentStart', agent_type: 'stranger' })
    const logs = join(sandbox.home, 'state', 'logs')
    expect(readdirSync(logs).sort()).toEqual([
      'block-destructive-commands.log',
      'subagent-context-inject.log',
    ])
    for (const name of readdirSync(logs)) {
      const lines = readFileSync(join(logs, name), 'utf8').trimEnd().split('\n')
      for (const line of lines) expect(line).toMatch(/^\[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\] \S/)
    }
  })

  it('warns of an unknown agent and continues', async () => {
    const ran = await runDialect({ hook_event_name: 'SubagentStart', agent_type: 'stranger' })
    expect(said(ran)).toMatchObject({
      decision: 'warn',
      message: expect.stringContaining('Unknown agent name'),
    })
    expect(said(ran).hookSpecificOutput.additionalContext).toContain('.claude/agent-memory/stranger')
  })

  it('blocks after a Task and names the next agent; the answer is shown to the user (R-002-22, R-002-24)', async () => {
    const task = (text: string) => ({
      hook_event_name: 'PostToolUse',
      tool_name: 'Task',
      tool_input: { subagent_type: 'module-development-agent' },
      tool_response: { content: [{ type: 'text', text }] },
    })
    expect(said(await runDialect(task('Use the unit-testing-agent subagent to test the module.')))).toEqual({
      decision: 'block',
      reason: ROUTE,
    })
    expect(said(await runDialect(task('The module is built.')))).toEqual({ decision: 'allow' })
    suite()
    const held = said(await runDialect(task(READY)))
    expect(held).toMatchObject({ decision: 'block' })
    expect(held.reason).toContain('use the module-development-agent subagent to fix this')
    sandbox.write('fixed', '')
    expect(said(await runDialect(task(HANDS)))).toMatchObject({ decision: 'block', reason: ROUTE })
  })

  it.each(['', '{', '[]', '\u0000\u0001', '{"hook_event_name":"PreToolUse","tool_input":{"command":"rm -rf'])(
    'logs what cannot be read, and goes on: %j (R-002-75)',
    async (stdin) => {
      const ran = await runDialect(stdin)
      expect(ran).toMatchObject({ stdout: '{"decision":"allow"}\n', exitCode: 0 })
      expect(ran.stderr).toContain('could not be judged')
    },
  )

  it('blocks an event that can be read but is wrong, and reports it (R-002-76)', async () => {
    const ran = await runDialect({ hook_event_name: 'PreToolUse', tool_name: 'Bash' })
    expect(ran).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining('tool_input') })
  })

  it('repairs an escaped exclamation mark, and checks the result (R-002-79)', async () => {
    const payload =
      '{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"echo hi\\! && rm -rf a"}}'
    expect(said(await runDialect(payload))).toMatchObject({ decision: 'block' })
  })

  it('answers an event of Claude Code so that Claude Code obeys', async () => {
    const ran = await runDialect({ ...shell('rm -rf a'), transcript_path: '/t', session_id: 's' })
    expect(said(ran).hookSpecificOutput.permissionDecision).toBe('deny')
  })
})

describe('a handoff on Claude Code', () => {
  it('is blocked while tests fail, allowed when they pass, and reported to the parent', async () => {
    suite()
    await claude('PreToolUse', {
      tool_name: 'Agent',
      tool_use_id: 'call-a1',
      tool_input: { subagent_type: agent.agent_type },
    })
    await claude('SubagentStart', agent)
    const held = said(await stop(HANDS))
    expect(held).toMatchObject({ decision: 'block' })
    expect(held.reason).toContain('`npm test` must succeed: it exited with code 1.')
    expect(held.reason).toContain('Tests  2 failed')
    sandbox.write('fixed', '')
    expect(said(await stop(HANDS, { stop_hook_active: true })).decision).toBeUndefined()
    expect(runs()).toBe(2)
    expect(said(await returned(HANDS))).toMatchObject({ decision: 'block', reason: ROUTE })
    expect(runs()).toBe(2)
    expect(said(await claude('Stop', { stop_hook_active: false, last_assistant_message: 'Bye.' }))).toEqual(
      {},
    )
  })

  it('of an agent in parallel to its parent is reported at the next call, or at the end of the turn', async () => {
    await claude('SubagentStart', agent)
    await stop('Use the unit-testing-agent subagent to test the module.')
    const call = {
      tool_name: 'Bash',
      tool_use_id: 'b1',
      tool_input: { command: 'ls' },
      tool_response: { stdout: '' },
    }
    expect(said(await claude('PostToolUse', call)).hookSpecificOutput.additionalContext).toContain(ROUTE)
    const again = { ...call, tool_use_id: 'b2' }
    expect(said(await claude('PostToolUse', again)).hookSpecificOutput).toBeUndefined()
    await claude('SubagentStart', { ...agent, agent_id: 'a2' })
    await stop('Use the unit-testing-agent subagent to test the module.', { agent_id: 'a2' })
    expect(said(await claude('Stop', { stop_hook_active: false }))).toMatchObject({
      decision: 'block',
      reason: ROUTE,
    })
    expect(said(await claude('Stop', { stop_hook_active: true })).decision).toBeUndefined()
  })

  it('fails after three attempts: the stop is allowed, and the workflow ends, also for the parent', async () => {
    suite('exit 1')
    await claude('SubagentStart', agent)
    for (const active of [false, true, true]) {
      expect(said(await stop(READY, { stop_hook_active: active })).decision).toBe('block')
    }
    const last = said(await stop(READY, { stop_hook_active: true }))
    expect(last).toMatchObject({ systemMessage: expect.stringContaining('sent back 3 times') })
    expect([last.decision, last.continue]).toEqual([undefined, undefined])
    // The parent notifies the user, and then it ends: a run without a user must not end with an empty answer.
    const parent = said(await returned(READY))
    expect(JSON.stringify(parent)).toContain('sent back 3 times')
    expect(said(await claude('Stop', { stop_hook_active: false })).decision).toBeUndefined()
  })

  it('of two agents of one type at once is counted for each agent', async () => {
    suite('exit 1')
    await Promise.all(['a1', 'a2'].map((id) => claude('SubagentStart', { ...agent, agent_id: id })))
    for (const active of [false, true, true]) {
      const both = await Promise.all(
        ['a1', 'a2'].map((id) => stop(READY, { agent_id: id, stop_hook_active: active })),
      )
      expect(both.map((ran) => said(ran).decision)).toEqual(['block', 'block'])
    }
    const both = await Promise.all(
      ['a1', 'a2'].map((id) => stop(READY, { agent_id: id, stop_hook_active: true })),
    )
    expect(both.map((ran) => said(ran).systemMessage)).toEqual(
      Array(2).fill(expect.stringContaining('sent back 3 times')),
    )
  })

  it.each([
    ['hangs', 'sleep 600', 'it was stopped after 1 s, its time limit'],
    ['prints without end', 'yes flood | head -c 30000000; exit 1', 'exited with code 1'],
    ['kills itself', 'kill -9 $$', 'SIGKILL'],
    ['kills its group', 'kill -9 0', 'must succeed'],
  ])('is blocked by a test that %s', async (_name, command, says) => {
    // Only the test that hangs has a short timeout, so that a slow machine changes no other answer.
    const timeoutMs = command.startsWith('sleep') ? 1_000 : 60_000
    sandbox.userConfig(
      `version: 1\npacks: { collective: { test: ${JSON.stringify(command)}, timeoutsMs: { test: ${timeoutMs} } } }\n`,
    )
    const ran = await claude('SubagentStop', { ...agent, last_assistant_message: READY }, [])
    expect(said(ran).reason).toContain(says)
    expect(ran.stdout.length).toBeLessThan(10_000)
  })

  it('answers before the hook’s own deadline, whatever the tests do', async () => {
    sandbox.userConfig('version: 1\npacks: { collective: { test: sleep 1, build: sleep 600 } }\n')
    const args = ['--deadline-ms', '15000']
    const ran = await claude('SubagentStop', { ...agent, last_assistant_message: READY }, args)
    expect(said(ran).reason).toContain('Build: `sleep 600` must succeed')
    expect(said(ran).reason).toContain('because the host does not wait longer for one answer')
  })

  it('runs no tests of an untrusted project, and says how to trust it', async () => {
    suite('touch ran')
    sandbox.config('version: 1\npacks: { collective: { build: "touch built" } }\n')
    const asked = () => claude('SubagentStop', { ...agent, last_assistant_message: READY }, [])
    expect(said(await asked()).reason).toContain('holdpoint trust')
    expect(existsSync(join(sandbox.project, 'ran'))).toBe(false)
    const trusted = await sandbox.person(['trust', '--yes'])
    expect(trusted.exitCode).toBe(0)
    expect(trusted.stdout).toContain('pack collective runs: build: touch built; otherwise the tests')
    expect(trusted.stdout).not.toContain('runs no programs')
    expect(said(await asked()).decision).toBeUndefined()
    expect(existsSync(join(sandbox.project, 'ran')) && existsSync(join(sandbox.project, 'built'))).toBe(true)
  })

  it('takes no command from an untrusted file, only the user’s own', async () => {
    sandbox.userConfig('version: 1\npacks: { collective: { test: "touch own" } }\n')
    sandbox.config('version: 1\npacks: { collective: { test: "touch foreign", build: "touch foreign" } }\n')
    await claude('SubagentStop', { ...agent, last_assistant_message: READY }, [])
    expect(existsSync(join(sandbox.project, 'own'))).toBe(true)
    expect(existsSync(join(sandbox.project, 'foreign'))).toBe(false)
  })

  it('of a finished phase goes to the validating agent', async () => {
    const text = 'ORCHESTRATION STATUS: phase 1 COMPLETED'
    const held = said(await claude('Stop', { stop_hook_active: false, last_assistant_message: text }))
    expect(held.reason).toContain('Use the tdd-validation-agent subagent to')
    expect(
      said(await claude('Stop', { stop_hook_active: true, last_assistant_message: text })).decision,
    ).toBeUndefined()
  })

  it('works with every kind of test output', async () => {
    for (const tool_response of [
      null,
      7,
      'text',
      [],
      [null],
      { content: 7 },
      { status: 'completed' },
      'x'.repeat(3e6),
    ]) {
      const ran = await claude('PostToolUse', { tool_name: 'Agent', tool_input: {}, tool_response })
      expect(ran.exitCode).toBe(0)
      expect(said(ran).decision).toBeUndefined()
    }
  })
})

describe('compaction and recovery', () => {
  const start = async (source: string) => said(await claude('SessionStart', { source }))
  const rules = () => {
    sandbox.write('.claude-collective/INDEX.md', 'The rules.')
    sandbox.write('.claude-collective/DECISION.md', 'The choice.')
  }

  it('save the current work, restore it once, and give it to agents later', async () => {
    rules()
    await claude('UserPromptSubmit', { prompt: 'Build the shop.' })
    await claude('SubagentStart', agent)
    await stop('Use the unit-testing-agent subagent to test the module.')
    await claude('PreCompact', { trigger: 'auto' })
    expect(JSON.parse(readFileSync(recovery(), 'utf8'))).toMatchObject({
      saved_at: expect.stringMatching(/^\d{4}-/),
      active_agent: 'unit-testing-agent',
      current_task: { description: 'Build the shop.' },
      handoff_state: { from: 'module-development-agent', to: 'unit-testing-agent' },
      version: '2.1',
    })
    const { additionalContext } = (await start('compact')).hookSpecificOutput
    for (const part of ['The rules.', 'The choice.', 'Build the shop.', 'hands over to unit-testing-agent'])
      expect(additionalContext).toContain(part)
    expect(existsSync(recovery())).toBe(false)
    expect((await start('resume')).hookSpecificOutput.additionalContext).not.toContain('Build the shop.')
    const begun = said(await claude('SubagentStart', { agent_id: 'a9', agent_type: 'research-agent' }))
    expect(begun.hookSpecificOutput.additionalContext).toContain('Build the shop.')
  })

  it('report a corrupt recovery file and lose nothing else', async () => {
    rules()
    sandbox.write('.claude/compact-recovery.json', '{"saved_at": ')
    const started = await start('startup')
    expect(started.systemMessage).toContain('.claude/compact-recovery.json is not JSON')
    expect(started.hookSpecificOutput.additionalContext).toContain('The rules.')
    await claude('PreCompact', { trigger: 'manual' })
    expect(JSON.parse(readFileSync(recovery(), 'utf8')).version).toBe('2.1')
  })

  it('neither save nor read through a link out of the project', async () => {
    mkdirSync(join(sandbox.project, '.claude'))
    const victim = join(sandbox.folder, 'victim.json')
    writeFileSync(victim, '{"active_agent": "spy"}')
    symlinkSync(victim, recovery())
    expect(JSON.stringify(await start('startup'))).not.toContain('spy')
    await claude('PreCompact', { trigger: 'auto' })
    expect(readFileSync(victim, 'utf8')).toContain('spy')
    rmSync(recovery())
    rmSync(join(sandbox.project, '.claude'), { recursive: true })
    symlinkSync(sandbox.folder, join(sandbox.project, '.claude'))
    await claude('PreCompact', { trigger: 'auto' })
    expect(existsSync(join(sandbox.folder, 'compact-recovery.json'))).toBe(false)
  })

  it('report a file where a folder should be, and do not stop the compaction', async () => {
    sandbox.write('.claude', 'a file')
    const ran = said(await claude('PreCompact', { trigger: 'auto' }))
    expect(ran.decision).toBeUndefined()
    expect(ran.systemMessage).toContain('could not keep .claude/compact-recovery.json')
  })
})

describe('`init --pack collective`', () => {
  it('makes a set-up that works, always with the format of Claude Code', async () => {
    const userHome = join(sandbox.folder, 'user')
    mkdirSync(userHome)
    const init = ['init', '--host', 'claude-code', '--pack', 'collective', '--yes', '--scope', 'user']
    const env = { HOME: userHome }
    const ran = await sandbox.run([...init, '--home', sandbox.home], { env })
    expect(ran).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^ +collective .*^ +safety /ms) })
    const { hooks } = JSON.parse(readFileSync(join(userHome, '.claude', 'settings.json'), 'utf8'))
    const start = (event: string, fields: object) => {
      const [{ command, args }] = hooks[event][0].hooks
      expect(args[0]).toBe('claude-code')
      const base = { session_id: 's', transcript_path: '/t', cwd: sandbox.project, hook_event_name: event }
      const options = {
        env: { PATH: process.env.PATH, HOME: userHome, TZ: 'UTC' },
        encoding: 'utf8',
      } as const
      const { stdout } = spawnSync(command, args, {
        input: JSON.stringify({ ...base, ...fields }),
        ...options,
      })
      return JSON.parse(stdout)
    }
    const denied = start('PreToolUse', {
      tool_name: 'Bash',
      tool_use_id: 't',
      tool_input: { command: 'rm -rf a' },
    })
    expect(denied.hookSpecificOutput.permissionDecision).toBe('deny')
    suite()
    expect(start('SubagentStop', { ...agent, last_assistant_message: READY })).toMatchObject({
      decision: 'block',
    })
    start('PreCompact', { trigger: 'auto' })
    expect(existsSync(recovery())).toBe(true)
    await sandbox.run(['daemon', 'stop', '--home', sandbox.home], { env })
  })
})
