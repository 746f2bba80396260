import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createWorld, type Ran, type RunOptions, type World } from '../e2e/command.ts'

/** The test-driven collective, on the built program. */

let world: World
beforeEach(() => {
  world = createWorld()
})
afterEach(() => world.remove())

/** In the collective's own words: what its scripts are given, and what they print. */
const speak = (payload: unknown, args: readonly string[] = [], options: RunOptions = {}): Promise<Ran> =>
  world.hook(payload, args, { host: 'collective', env: { TZ: 'UTC' }, ...options })
/** As Claude Code. */
const claude = (event: string, fields: object = {}, args = ['--pack', 'collective']): Promise<Ran> => {
  const base = {
    session_id: 's1',
    transcript_path: '/tmp/t.jsonl',
    cwd: world.project,
    hook_event_name: event,
  }
  return world.hook({ ...base, ...fields }, args, { env: { TZ: 'UTC' } })
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
/** A test suite that fails until somebody mends it, and counts how often it ran. */
const suite = (text = 'test -e fixed || { echo "Tests  2 failed"; exit 1; }') =>
  world.write('package.json', JSON.stringify({ scripts: { test: `echo run >> runs; ${text}` } }))
const runs = () => {
  const path = join(world.project, 'runs')
  return existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n').length : 0
}
const recovery = () => join(world.project, '.claude/compact-recovery.json')

describe('the dialect', () => {
  it('allows what is harmless and blocks what is not, with its own pack on (R-002-65, R-002-81)', async () => {
    expect(await speak(shell('ls'))).toEqual({ stdout: '{"decision":"allow"}\n', stderr: '', exitCode: 0 })
    for (const [command, rule] of [
      ['rm -rf build', 'rm-rf'],
      ['sudo rm x', 'sudo-rm'],
      ['cat ../../../x', 'climbing'],
      [`perl -e 'system("ls")'`, 'system-call'],
      [`php -r 'exec("ls");'`, 'exec-call'],
      ['git push -f', 'force-push'],
    ]) {
      const ran = await speak(shell(command ?? ''))
      expect(said(ran)).toMatchObject({ decision: 'block' })
      expect(said(ran).reason, command).toContain(`collective/block-destructive-commands/${rule}`)
      // R-002-83, R-002-74: people read standard error.
      expect(ran.stderr).toContain(rule)
    }
    expect(said(await speak(shell('echo rm -rf foo'))).decision).toBe('allow')
    expect(said(await speak(shell('git push --force-with-lease'))).decision).toBe('allow')
  })

  it('logs what it did, a line each, with the state (R-002-82, R-002-96, R-002-100)', async () => {
    await speak(shell('rm -rf build'))
    await speak({ hook_event_name: 'SubagentStart', agent_type: 'stranger' })
    const logs = join(world.home, 'state', 'logs')
    expect(readdirSync(logs).sort()).toEqual([
      'block-destructive-commands.log',
      'subagent-context-inject.log',
    ])
    for (const name of readdirSync(logs)) {
      const lines = readFileSync(join(logs, name), 'utf8').trimEnd().split('\n')
      for (const line of lines) expect(line).toMatch(/^\[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\] \S/)
    }
  })

  it('warns of an unknown agent and goes on', async () => {
    const ran = await speak({ hook_event_name: 'SubagentStart', agent_type: 'stranger' })
    expect(said(ran)).toMatchObject({
      decision: 'warn',
      message: expect.stringContaining('Unknown agent name'),
    })
    expect(said(ran).hookSpecificOutput.additionalContext).toContain('.claude/agent-memory/stranger')
  })

  it('blocks after a Task and names the next agent; the answer is the user’s to read (R-002-22, R-002-24)', async () => {
    const task = (text: string) => ({
      hook_event_name: 'PostToolUse',
      tool_name: 'Task',
      tool_input: { subagent_type: 'module-development-agent' },
      tool_response: { content: [{ type: 'text', text }] },
    })
    expect(said(await speak(task('Use the unit-testing-agent subagent to test the module.')))).toEqual({
      decision: 'block',
      reason: ROUTE,
    })
    expect(said(await speak(task('The module is built.')))).toEqual({ decision: 'allow' })
    suite()
    const held = said(await speak(task(READY)))
    expect(held).toMatchObject({ decision: 'block' })
    expect(held.reason).toContain('use the module-development-agent subagent to fix this')
    world.write('fixed', '')
    expect(said(await speak(task(HANDS)))).toMatchObject({ decision: 'block', reason: ROUTE })
  })

  it.each(['', '{', '[]', '\u0000\u0001', '{"hook_event_name":"PreToolUse","tool_input":{"command":"rm -rf'])(
    'logs what cannot be read, and goes on: %j (R-002-75)',
    async (stdin) => {
      const ran = await speak(stdin)
      expect(ran).toMatchObject({ stdout: '{"decision":"allow"}\n', exitCode: 0 })
      expect(ran.stderr).toContain('could not be judged')
    },
  )

  it('blocks what is read and wrong, and says so (R-002-76)', async () => {
    const ran = await speak({ hook_event_name: 'PreToolUse', tool_name: 'Bash' })
    expect(ran).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining('tool_input') })
  })

  it('mends an escaped exclamation mark, and judges what it finds (R-002-79)', async () => {
    const payload =
      '{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"echo hi\\! && rm -rf a"}}'
    expect(said(await speak(payload))).toMatchObject({ decision: 'block' })
  })

  it('gives what Claude Code sent an answer that Claude Code obeys', async () => {
    const ran = await speak({ ...shell('rm -rf a'), transcript_path: '/t', session_id: 's' })
    expect(said(ran).hookSpecificOutput.permissionDecision).toBe('deny')
  })
})

describe('a handoff on Claude Code', () => {
  it('is held while tests fail, let through when they pass, and told to the parent', async () => {
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
    world.write('fixed', '')
    expect(said(await stop(HANDS, { stop_hook_active: true })).decision).toBeUndefined()
    expect(runs()).toBe(2)
    expect(said(await returned(HANDS))).toMatchObject({ decision: 'block', reason: ROUTE })
    expect(runs()).toBe(2)
    expect(said(await claude('Stop', { stop_hook_active: false, last_assistant_message: 'Bye.' }))).toEqual(
      {},
    )
  })

  it('of an agent beside its parent is told at the next call, or at the end of the turn', async () => {
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

  it('fails after three tries: let go, the workflow ends, the parent’s too', async () => {
    suite('exit 1')
    await claude('SubagentStart', agent)
    for (const active of [false, true, true]) {
      expect(said(await stop(READY, { stop_hook_active: active })).decision).toBe('block')
    }
    const last = said(await stop(READY, { stop_hook_active: true }))
    expect(last).toMatchObject({ continue: false, stopReason: expect.stringContaining('sent back 3 times') })
    expect(last.decision).toBeUndefined()
    expect(said(await returned(READY))).toMatchObject({ continue: false })
    expect(said(await claude('Stop', { stop_hook_active: false })).decision).toBeUndefined()
  })

  it('of two agents of one type at once counts each for itself', async () => {
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
    expect(both.map((ran) => said(ran).continue)).toEqual([false, false])
  })

  it.each([
    ['hangs', 'sleep 600', 'it was stopped after 1 s, its limit'],
    ['floods', 'yes flood | head -c 30000000; exit 1', 'exited with code 1'],
    ['kills itself', 'kill -9 $$', 'SIGKILL'],
    ['kills its group', 'kill -9 0', 'must succeed'],
  ])('is held by a test that %s', async (_name, command, says) => {
    // Only the hanging one has a short time, so that a slow machine changes no other answer.
    const timeoutMs = command.startsWith('sleep') ? 1_000 : 60_000
    world.userConfig(
      `version: 1\npacks: { collective: { test: ${JSON.stringify(command)}, timeoutsMs: { test: ${timeoutMs} } } }\n`,
    )
    const ran = await claude('SubagentStop', { ...agent, last_assistant_message: READY }, [])
    expect(said(ran).reason).toContain(says)
    expect(ran.stdout.length).toBeLessThan(10_000)
  })

  it('answers before the hook’s own deadline, whatever the tests do', async () => {
    world.userConfig('version: 1\npacks: { collective: { test: sleep 1, build: sleep 600 } }\n')
    const args = ['--deadline-ms', '15000']
    const ran = await claude('SubagentStop', { ...agent, last_assistant_message: READY }, args)
    expect(said(ran).reason).toContain('Build: `sleep 600` must succeed')
    expect(said(ran).reason).toContain('because a stop may not be held any longer for one answer')
  })

  it('runs nothing for a project nobody vouched for, and says how', async () => {
    suite('touch ran')
    world.config('version: 1\npacks: { collective: { build: "touch built" } }\n')
    const asked = () => claude('SubagentStop', { ...agent, last_assistant_message: READY }, [])
    expect(said(await asked()).reason).toContain('holdpoint trust')
    expect(existsSync(join(world.project, 'ran'))).toBe(false)
    const trusted = await world.run(['trust', '--yes'])
    expect(trusted.exitCode).toBe(0)
    expect(trusted.stdout).toContain('pack collective runs: build: touch built; else the tests')
    expect(trusted.stdout).not.toContain('runs no programs')
    expect(said(await asked()).decision).toBeUndefined()
    expect(existsSync(join(world.project, 'ran')) && existsSync(join(world.project, 'built'))).toBe(true)
  })

  it('takes no command from a stranger’s file beside the person’s own', async () => {
    world.userConfig('version: 1\npacks: { collective: { test: "touch own" } }\n')
    world.config('version: 1\npacks: { collective: { test: "touch foreign", build: "touch foreign" } }\n')
    await claude('SubagentStop', { ...agent, last_assistant_message: READY }, [])
    expect(existsSync(join(world.project, 'own'))).toBe(true)
    expect(existsSync(join(world.project, 'foreign'))).toBe(false)
  })

  it('of a finished phase goes to the validating agent', async () => {
    const text = 'ORCHESTRATION STATUS: phase 1 COMPLETED'
    const held = said(await claude('Stop', { stop_hook_active: false, last_assistant_message: text }))
    expect(held.reason).toContain('Use the tdd-validation-agent subagent to')
    expect(
      said(await claude('Stop', { stop_hook_active: true, last_assistant_message: text })).decision,
    ).toBeUndefined()
  })

  it('survives output of every kind', async () => {
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
    world.write('.claude-collective/INDEX.md', 'The rules.')
    world.write('.claude-collective/DECISION.md', 'The choice.')
  }

  it('what went on is saved, given back once, and given to agents later', async () => {
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

  it('a corrupt recovery file is said and loses nothing else', async () => {
    rules()
    world.write('.claude/compact-recovery.json', '{"saved_at": ')
    const started = await start('startup')
    expect(started.systemMessage).toContain('.claude/compact-recovery.json is not JSON')
    expect(started.hookSpecificOutput.additionalContext).toContain('The rules.')
    await claude('PreCompact', { trigger: 'manual' })
    expect(JSON.parse(readFileSync(recovery(), 'utf8')).version).toBe('2.1')
  })

  it('neither saves nor reads through a link out of the project', async () => {
    mkdirSync(join(world.project, '.claude'))
    const victim = join(world.folder, 'victim.json')
    writeFileSync(victim, '{"active_agent": "spy"}')
    symlinkSync(victim, recovery())
    expect(JSON.stringify(await start('startup'))).not.toContain('spy')
    await claude('PreCompact', { trigger: 'auto' })
    expect(readFileSync(victim, 'utf8')).toContain('spy')
    rmSync(recovery())
    rmSync(join(world.project, '.claude'), { recursive: true })
    symlinkSync(world.folder, join(world.project, '.claude'))
    await claude('PreCompact', { trigger: 'auto' })
    expect(existsSync(join(world.folder, 'compact-recovery.json'))).toBe(false)
  })

  it('a file where a folder should be stops no compaction, and is said', async () => {
    world.write('.claude', 'a file')
    const ran = said(await claude('PreCompact', { trigger: 'auto' }))
    expect(ran.decision).toBeUndefined()
    expect(ran.systemMessage).toContain('could not keep .claude/compact-recovery.json')
  })
})

describe('`init --pack collective`', () => {
  it('is a working set-up: always as Claude Code', async () => {
    const userHome = join(world.folder, 'user')
    mkdirSync(userHome)
    const init = ['init', '--host', 'claude-code', '--pack', 'collective', '--yes', '--scope', 'user']
    const env = { HOME: userHome }
    const ran = await world.run([...init, '--home', world.home], { env })
    expect(ran).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('Packs on: collective, self') })
    const { hooks } = JSON.parse(readFileSync(join(userHome, '.claude', 'settings.json'), 'utf8'))
    const start = (event: string, fields: object) => {
      const [{ command, args }] = hooks[event][0].hooks
      expect(args[0]).toBe('claude-code')
      const base = { session_id: 's', transcript_path: '/t', cwd: world.project, hook_event_name: event }
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
    await world.run(['daemon', 'stop', '--home', world.home], { env })
  })
})
