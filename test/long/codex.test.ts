import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createSandbox, type Ran, type Sandbox } from '../e2e/command.ts'

let sandbox: Sandbox
beforeEach(() => {
  sandbox = createSandbox()
})
afterEach(() => sandbox.remove())

const NOTHING: Ran = { stdout: '', stderr: '', exitCode: 0 }

/** Runs `holdpoint hook codex` with a payload as Codex 0.166.0 sends it. */
function hook(payload: object, args: readonly string[] = []): Promise<Ran> {
  const base = {
    session_id: '01a1dea2-cbcc-7782-8970-8cd9f5f37070',
    turn_id: '01a1dea2-cc7a-7bf1-a6ef-ecd535c953b6',
    transcript_path: null,
    cwd: sandbox.project,
    model: 'gpt-5.5',
    permission_mode: 'bypassPermissions',
  }
  return sandbox.hook({ ...base, ...payload }, args, { host: 'codex' })
}

let calls = 0
function call(tool: string, input: object, more: object = {}): Promise<Ran> {
  calls += 1
  return hook({
    hook_event_name: 'PreToolUse',
    tool_name: tool,
    tool_input: input,
    tool_use_id: `call_${calls}`,
    ...more,
  })
}
const bash = (command: string) => call('Bash', { command })
const patch = (...lines: readonly string[]) => ['*** Begin Patch', ...lines, '*** End Patch', ''].join('\n')

/** The reason of a denial. Only a notice may be next to it: with one more field, Codex would run the tool. */
function denied(ran: Ran): string {
  const { hookSpecificOutput, systemMessage: _notice, ...others } = JSON.parse(ran.stdout)
  const { permissionDecisionReason, ...rest } = hookSpecificOutput
  expect([ran.exitCode, ran.stderr, others]).toEqual([0, '', {}])
  expect(rest).toEqual({ hookEventName: 'PreToolUse', permissionDecision: 'deny' })
  expect(permissionDecisionReason).toMatch(/\S/)
  return permissionDecisionReason
}

describe('holdpoint hook codex', () => {
  it('denies a call with a reason, or prints nothing', async () => {
    expect(denied(await bash('git push --force'))).toContain('Instead:')
    expect(await bash('git status')).toEqual(NOTHING)
    expect(await call('mcp__stub__echo', { text: 'x' })).toEqual(NOTHING)
  })

  it('denies instead of asking, because Codex would not ask', async () => {
    sandbox.config('version: 1\npacks: { safety: { guards: { safety/git/force-push: ask } } }\n')
    expect(denied(await bash('git push --force'))).toContain('Force push')
  })

  it('puts a new input into the denial, unless the hook may allow the call', async () => {
    const answer = (decision: string) =>
      `echo '{"hookSpecificOutput":{${decision}"updatedInput":{"command":"ls -l"}}}'`
    const config = (decision: string, more: string) =>
      `version: 1\nhooks:\n  PreToolUse:\n    - { run: ${JSON.stringify(answer(decision))}, rewrites: true${more} }\n`
    sandbox.userConfig(config('', ''))
    expect(denied(await bash('ls'))).toContain('exactly this input: {"command":"ls -l"}')
    sandbox.userConfig(config('"permissionDecision":"allow",', ''))
    expect(denied(await bash('ls'))).toContain('exactly this input: {"command":"ls -l"}')
    sandbox.userConfig(config('"permissionDecision":"allow",', ', grants: true'))
    expect(await bash('ls')).toEqual({
      stdout:
        '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","updatedInput":{"command":"ls -l"}}}\n',
      stderr: '',
      exitCode: 0,
    })
  })

  it('checks a patch by which a hook replaced another one', async () => {
    const evil = patch('*** Add File: .env', '+A=1')
    const answer = { hookSpecificOutput: { permissionDecision: 'allow', updatedInput: { command: evil } } }
    sandbox.write('answer.json', JSON.stringify(answer))
    sandbox.userConfig(
      `version: 1\npacks: { secrets: true }\nhooks:\n  PreToolUse:\n    - { run: "cat ${sandbox.project}/answer.json", rewrites: true, grants: true }\n`,
    )
    const harmless = patch('*** Add File: a.txt', '+x')
    expect(denied(await call('apply_patch', { command: harmless }))).toContain('.env')
  })

  it.each([
    ['added', ['*** Add File: .env', '+A=1']],
    ['updated', ['*** Update File: apps/web/.env.local', '@@', '-A=1', '+A=2']],
    ['deleted', ['*** Delete File: .env']],
    ['moved away', ['*** Update File: .env', '*** Move to: notes.txt', '@@', '-A=1', '+A=2']],
    ['moved in', ['*** Update File: notes.txt', '*** Move to: .env', '@@', '-A=1', '+A=2']],
    ['one of many', ['*** Add File: a', '+x', '*** Add File: certs/server.key', '+x']],
  ])('denies a patch by which a secret is %s, as a tool and in the shell', async (_name, lines) => {
    const text = patch(...lines)
    expect(denied(await call('apply_patch', { command: text }))).toMatch(/\.env|server\.key/)
    for (const command of [`apply_patch <<'EOF'\n${text}EOF`, `cd sub && apply_patch '${text}'`]) {
      expect(denied(await bash(command))).toMatch(/\.env|server\.key/)
    }
  })

  it('lets a patch of ordinary files pass, whatever it writes into them', async () => {
    const text = patch('*** Add File: .env.example', '+A=', '*** Update File: a.md', '@@', '+see .env')
    expect(await call('apply_patch', { command: text })).toEqual(NOTHING)
    expect(await bash(`apply_patch <<'EOF'\n${text}EOF`)).toEqual(NOTHING)
  })

  it.each(['Edit', 'Write', 'apply_patch', 'Edit|Write'])('runs hooks on %s for a patch', async (match) => {
    sandbox.userConfig(
      `version: 1\nhooks:\n  PreToolUse:\n    - { match: "${match}", run: "echo no edits today >&2; exit 2" }\n`,
    )
    const text = patch('*** Add File: a.txt', '+x')
    expect(denied(await call('apply_patch', { command: text }))).toContain('no edits today')
    expect(await bash('ls')).toEqual(NOTHING)
  })

  it.each(['Agent', 'Task', 'spawn_agent'])('runs hooks on %s for a new agent', async (match) => {
    sandbox.userConfig(
      `version: 1\nhooks:\n  PreToolUse:\n    - { match: "${match}", run: "echo work alone >&2; exit 2" }\n`,
    )
    expect(denied(await call('spawn_agent', { message: 'please' }))).toContain('work alone')
  })

  it('checks a sub-agent whose start was not seen', async () => {
    const agent = { agent_id: '01a1dea2-d3ca-7ae2-96f9-f53f5e29cd92', agent_type: 'default' }
    expect(await hook({ hook_event_name: 'SubagentStart', ...agent })).toEqual(NOTHING)
    expect(denied(await call('Bash', { command: 'cat .env' }, agent))).toContain('.env')
    const stop = { hook_event_name: 'SubagentStop', stop_hook_active: false, last_assistant_message: 'done' }
    expect(await hook({ ...stop, ...agent })).toEqual(NOTHING)
  })

  it('blocks a stop as often as allowed, then allows it and notifies the user', async () => {
    sandbox.userConfig(
      'version: 1\nsettings: { stopBlocksMax: 1 }\nhooks:\n  Stop:\n    - { run: "echo notes are missing >&2; exit 2" }\n',
    )
    const stop = (active: boolean) =>
      hook({ hook_event_name: 'Stop', stop_hook_active: active, last_assistant_message: 'end' })
    expect(JSON.parse((await stop(false)).stdout)).toEqual({ decision: 'block', reason: 'notes are missing' })
    const second = JSON.parse((await stop(true)).stdout)
    expect(Object.keys(second)).toEqual(['systemMessage'])
    expect(second.systemMessage).toContain('notes are missing')
  })

  it('cuts a long reason without cutting a character', async () => {
    // A long command is cut in the reason. For one of these two, the cut is inside a character.
    for (const start of ['', 'x']) {
      const ran = await bash(`git push --force origin ${start}${'😀'.repeat(150)}`)
      expect(denied(ran)).toContain('Force push')
      expect(ran.stdout.replaceAll('\\\\', '')).not.toMatch(/\\ud[89a-f]/)
    }
  })

  it.each([
    ['empty input', ''],
    ['half a payload', '{"hook_event_name":"PreToolUse","tool_na'],
    ['a patch that is not text', { tool_name: 'apply_patch', tool_input: { command: 5 } }],
  ])('denies by exit code and with a message when it gets %s', async (_name, payload) => {
    const ran = await sandbox.hook(payload, [], { host: 'codex' })
    expect(ran).toMatchObject({ stdout: '', exitCode: 2 })
    expect(ran.stderr).toMatch(/^holdpoint: this could not be judged\. \S/)
  })

  it('prints nothing for an interrupt and for unknown events', async () => {
    for (const name of ['Interrupt', 'PreModelRequest']) {
      expect(await hook({ hook_event_name: name })).toEqual(NOTHING)
    }
  })
})
