import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createSandbox, type RunOptions, type Sandbox } from '../e2e/command.ts'

/** MassGen's protocol with the built program: a HookEvent in, a HookResult out, hooks from MassGen's configuration. */

let sandbox: Sandbox
beforeEach(() => {
  sandbox = createSandbox()
})
afterEach(() => sandbox.remove())

const ALLOW = { allowed: true, decision: 'allow' }
const event = (more: object = {}) => ({
  hook_type: 'PreToolUse',
  session_id: 's-1',
  orchestrator_id: 'orch-1',
  agent_id: 'one',
  timestamp: '2026-01-15T12:00:00+00:00',
  tool_name: 'Write',
  tool_input: { file_path: 'a.txt', content: 'x' },
  tool_output: null,
  ...more,
})

async function hook(more: object = {}, options: RunOptions = {}) {
  const ran = await sandbox.hook(event(more), ['--config', 'team.yaml'], { host: 'massgen', ...options })
  expect(ran.exitCode).toBe(0)
  return JSON.parse(ran.stdout)
}

/** Writes the configuration, and trusts it unless told otherwise. */
async function team(yaml: string, trusted = true): Promise<void> {
  sandbox.write('team.yaml', yaml)
  if (trusted) {
    const ran = await sandbox.person(['trust', '--yes', '--config', 'team.yaml'])
    expect(ran).toMatchObject({ exitCode: 0 })
  }
}

const one = (hook: string) => `hooks:\n  PreToolUse:\n    - ${hook}\n`
/** Writes a Python function into a separate module. */
const python = (body: string) =>
  sandbox.write('guards.py', `def check(event):\n    ${body.replaceAll('\n', '\n    ')}\n`)
const script = (name: string, text: string) => sandbox.write(name, `#!/bin/sh\n${text}\n`, 0o755)

describe('a HookEvent on standard input (R-004-20, R-004-22, R-004-25)', () => {
  it('is answered with a HookResult (R-004-21)', async () => {
    await team('hooks: {}\nagents: []\n')
    expect(await hook()).toEqual(ALLOW)
  })

  it('reaches a Python function and a command unchanged (R-004-04, R-004-17, R-004-26)', async () => {
    python(
      "return {'decision': 'ask', 'reason': ' '.join(map(str, (event.hook_type, event.session_id, event.orchestrator_id, event.agent_id, event.timestamp.isoformat(), event.tool_name, event.tool_input, event.tool_output)))}",
    )
    script(
      'say.sh',
      `read -r event\necho '{"decision":"ask","reason":"'"$MASSGEN_HOOK_TYPE $MASSGEN_SESSION_ID $MASSGEN_ORCHESTRATOR_ID $MASSGEN_AGENT_ID $MASSGEN_TOOL_NAME"'"}'`,
    )
    await team(
      'hooks:\n  PostToolUse:\n    - handler: guards.check\n    - { handler: ./say.sh, type: command }\n',
    )
    expect(await hook({ hook_type: 'PostToolUse', tool_input: '{"a": 1}', tool_output: 'done' })).toEqual({
      allowed: true,
      decision: 'ask',
      reason:
        "PostToolUse s-1 orch-1 one 2026-01-15T12:00:00+00:00 Write {'a': 1} done\nPostToolUse s-1 orch-1 one Write",
    })
  })

  it('is denied if it cannot be read', async () => {
    await team('hooks: {}\nagents: []\n')
    const args = ['--config', 'team.yaml']
    for (const payload of ['', '{', '[]', '{"hook_type":"PreToolUse"}', '{"hook_type":"Before"}']) {
      const ran = await sandbox.hook(payload, args, { host: 'massgen' })
      expect([payload, ran.exitCode, ran.stdout]).toEqual([payload, 2, ''])
    }
    const after = await sandbox.hook({ hook_type: 'PostToolUse' }, args, { host: 'massgen' })
    expect(JSON.parse(after.stdout)).toMatchObject({ ...ALLOW, hook_errors: [expect.any(String)] })
  })

  it('is also checked by the packs that are always on', async () => {
    await team('hooks: {}\nagents: []\n')
    const denied = await hook({ tool_name: 'Bash', tool_input: { command: 'rm -rf /' } })
    expect(denied).toMatchObject({ allowed: false, decision: 'deny', reason: expect.stringMatching(/\S/) })
  })
})

describe('levels of hooks (R-004-12, R-004-15, R-004-16, R-004-18)', () => {
  const says = (name: string) =>
    `{ handler: "printf '{\\"decision\\":\\"ask\\",\\"reason\\":\\"${name}\\"}'", type: command }`

  it.each([
    ['one', 'all\nown'],
    ['two', 'alone'],
    ['three', undefined],
    ['four', 'all'],
    [null, 'all'],
  ])('apply to agent %s: %s', async (agent, reason) => {
    await team(`hooks:
  PreToolUse: [${says('all')}]
agents:
  - { id: one, backend: { hooks: { PreToolUse: [${says('own')}] } } }
  - { id: two, backend: { hooks: { PreToolUse: { override: true, hooks: [${says('alone')}] } } } }
  - { id: three, backend: { hooks: { PreToolUse: { override: true, hooks: [] } } } }
`)
    expect((await hook({ agent_id: agent })).reason).toBe(reason)
  })
})

describe('several hooks', () => {
  it('chain their changes, and end at the first denial', async () => {
    python("return {'updated_input': {**event.tool_input, 'n': event.tool_input.get('n', 0) + 1}}")
    script('no.sh', 'echo \'{"decision":"deny","reason":"no"}\'')
    script('mark.sh', 'touch ran')
    const twice = '    - handler: guards.check\n    - handler: guards.check\n'
    await team(`hooks:\n  PreToolUse:\n${twice}`)
    expect(await hook({ tool_input: {} })).toEqual({ ...ALLOW, updated_input: { n: 2 } })
    await team(
      `hooks:\n  PreToolUse:\n${twice}    - { handler: ./no.sh, type: command }\n    - { handler: ./mark.sh, type: command }\n`,
    )
    expect(await hook()).toEqual({ allowed: false, decision: 'deny', reason: 'no' })
    expect(existsSync(join(sandbox.project, 'ran'))).toBe(false)
  })

  it('each keep their injection', async () => {
    script('a.sh', 'echo \'{"inject":{"content":"a","strategy":"user_message"}}\'')
    script('b.sh', 'echo \'{"inject":{"content":"b"}}\'')
    await team(
      'hooks:\n  PostToolUse:\n    - { handler: ./a.sh, type: command }\n    - { handler: ./b.sh, type: command }\n',
    )
    expect((await hook({ hook_type: 'PostToolUse', tool_output: 'x' })).inject).toEqual({
      content: 'a\nb',
      strategy: 'tool_result',
      by_strategy: { tool_result: ['b'], user_message: ['a'] },
    })
  })
})

describe('a hook that fails', () => {
  const open = { ...ALLOW, hook_errors: [expect.any(String)] }
  const closed = { allowed: false, decision: 'deny', hook_errors: [expect.any(String)] }

  it.each([
    ['takes too long (R-004-27)', '{ handler: "sleep 30", type: command, timeout: 0.5 }'],
    ['exits with an error (R-004-29)', '{ handler: "exit 3", type: command }'],
    ['prints something else than JSON (R-004-29)', '{ handler: "echo hello", type: command }'],
    ['prints an unknown decision', `{ handler: "echo '{\\"decision\\":\\"perhaps\\"}'", type: command }`],
  ])('because it %s lets the call continue, or denies it if it fails closed', async (_name, entry) => {
    await team(one(entry))
    expect(await hook()).toMatchObject(open)
    await team(one(entry.replace(' }', ', fail_closed: true }')))
    expect(await hook()).toMatchObject(closed)
  })

  it.each([
    ['a missing module', '{ handler: massgen.hooks.audit_all_tools, type: python }'],
    ['a missing function', '{ handler: guards.missing }'],
    ['a module without a function', '{ handler: "guards" }'],
    ['a missing script', '{ handler: custom_write_hook.py, type: command }'],
    ['a missing file', '{ handler: "./gone.mjs#check", type: module }'],
    ['a function that no program registered', '{ handler: audit, type: callable }'],
  ])('because it names %s denies the call, trusted or not (R-004-28)', async (_name, entry) => {
    python('return None')
    await team(one(entry), false)
    expect(await hook()).toMatchObject(closed)
    await team(one(entry))
    expect(await hook()).toMatchObject(closed)
  })

  it('because there is no Python denies the call, trusted or not (R-004-28)', async () => {
    python('return None')
    mkdirSync(join(sandbox.project, 'bin'))
    symlinkSync(process.execPath, join(sandbox.project, 'bin', 'node'))
    const env = { PATH: join(sandbox.project, 'bin') }
    await team(one('{ handler: guards.check }'), false)
    expect(await hook({}, { env })).toMatchObject(closed)
    await team(one('{ handler: guards.check }'))
    expect(await hook({}, { env })).toMatchObject(closed)
    expect(await hook()).toEqual(ALLOW)
  })

  it('because its module breaks denies the call (R-004-28)', async () => {
    sandbox.write('guards.py', 'import no_such_package\ndef check(event): return None\n')
    await team(one('{ handler: guards.check }'))
    expect(await hook()).toMatchObject(closed)
  })

  it('because it is not trusted is not run, and that is reported', async () => {
    script('mark.sh', 'touch ran')
    await team(one('{ handler: ./mark.sh, type: command }'), false)
    expect(await hook()).toMatchObject(open)
    expect(existsSync(join(sandbox.project, 'ran'))).toBe(false)
  })
})

it('a program sees the common variables and those that its hook names (R-004-32)', async () => {
  script(
    'env.sh',
    `echo '{"decision":"deny","reason":"'"$OPENAI_API_KEY,$NAMED,\${HOME:+home},$MASSGEN_TOOL_NAME"'"}'`,
  )
  await team(one('{ handler: ./env.sh, type: command, env: [NAMED] }'))
  const env = { OPENAI_API_KEY: 'secret', NAMED: 'yes', MASSGEN_TOOL_NAME: 'of the caller' }
  expect((await hook({}, { env })).reason).toBe(',yes,home,Write')
})

it('the MassGen example runs and prints the decisions', () => {
  const root = join(import.meta.dirname, '../..')
  const text = execFileSync(process.execPath, [join(root, 'examples/massgen-team/main.mjs')], {
    encoding: 'utf8',
  })
  expect(text).toBe(`researcher before Bash                           allow
builder    before Bash                           deny: builder may not use the network from the shell; ask the researcher.
researcher before Write                          deny: src/main.ts is not below notes/.
researcher before Write                          allow
builder    before Write                          allow
  runs with {"file_path":"src/main.ts","content":"# Made by builder\\nexport {}"}
builder    before buy_credits                    ask: builder wants to spend 20 dollars.
builder    before delete_file                    deny: Denied by keepMain.
judge      before Bash                           deny: The judge only votes.
judge      before vote                           allow
researcher after  mcp__library__search           allow
  after the result: Cite mcp__library__search when you use this.
builder    after  mcp__tasks__update_task_status allow
  after the result: Cite mcp__tasks__update_task_status when you use this.
  as a message: A high-priority task is completed. Before you continue: check the result against what was asked, and write down what others need to know about it.
  as a message: The user says: Use the second draft.
judge      after  mcp__library__search           allow
`)
})
