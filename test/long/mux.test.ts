import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { call, createSandbox, type Sandbox } from '../e2e/command.ts'
import { eventually } from '../processes.ts'

/** The packs mux and mux-legacy as users meet them: on the command line, through their dialects and in a session. */

let sandbox: Sandbox
beforeEach(() => {
  sandbox = createSandbox()
})
afterEach(() => sandbox.remove())

const READ = ['--tool', 'Read', '--args', '{"file_path": "/path"}', '--skill', 'mux']
const answer = (text: string) => JSON.parse(text).hookSpecificOutput ?? {}

describe('a call with holdpoint test (R-001-27, R-001-28)', () => {
  it('prints one line, whatever is configured', async () => {
    expect(await sandbox.run(['test', ...READ])).toMatchObject({
      stdout: 'BLOCKED: Read is forbidden for MUX orchestrator\n',
      exitCode: 2,
    })
    sandbox.userConfig('version: 1\npacks: { safety: true }\n')
    expect((await sandbox.run(['test', ...READ])).stdout).toBe(
      'BLOCKED: Read is forbidden for MUX orchestrator\n',
    )
  })

  it('passes without the skill, and asks about calls that are on no list', async () => {
    const free = await sandbox.run([
      'test',
      '--tool',
      'Read',
      '--args',
      '{"file_path": "/path"}',
      '--pack',
      'mux',
    ])
    expect(free).toMatchObject({ stdout: 'ALLOWED\n', exitCode: 0 })
    const unknown = await sandbox.run(['test', '--tool', 'SomethingNew', '--skill', 'mux'])
    expect(unknown).toMatchObject({ stdout: expect.stringMatching(/^ASK: /), exitCode: 3 })
  })

  it('follows only the older rules if a trusted file selects them', async () => {
    const itself = ['test', '--tool', 'Skill', '--args', '{"skill": "mux"}', '--skill', 'mux']
    expect((await sandbox.run(itself)).exitCode).toBe(2)
    expect((await sandbox.run([...itself, '--pack', 'mux-legacy'])).exitCode).toBe(0)
    sandbox.config('version: 1\npacks: { mux-legacy: true }\n')
    expect((await sandbox.run(itself)).exitCode).toBe(2)
    sandbox.userConfig('version: 1\npacks: { mux-legacy: true }\n')
    expect((await sandbox.run(itself)).exitCode).toBe(0)
    expect((await sandbox.run(['test', ...READ])).stdout).toBe(
      'BLOCKED: Read is forbidden for MUX orchestrator\n',
    )
  })

  it('is also checked by the usual packs', async () => {
    const push = [
      'test',
      '--tool',
      'Bash',
      '--args',
      '{"command": "git push --force"}',
      '--skill',
      'mux-subagent',
    ]
    expect((await sandbox.run(push)).exitCode).toBe(2)
  })
})

describe('the dialect mux', () => {
  const hook = (payload: unknown, ...args: string[]) => sandbox.hook(payload, args, { host: 'mux' })

  it('assumes the orchestrator for an input of only a tool and its arguments', async () => {
    const { stdout } = await hook({ tool_name: 'Read', tool_input: { file_path: 'a.md' } })
    expect(JSON.parse(stdout)).toMatchObject({ permissionDecision: 'deny' })
    expect(answer(stdout)).toMatchObject({
      permissionDecision: 'deny',
      permissionDecisionReason: expect.stringMatching(/^Read is forbidden for MUX orchestrator\. /),
      additionalContext: expect.stringMatching(/^PROTOCOL VIOLATION: /),
    })
    expect((await hook({ tool_name: 'TaskList', tool_input: {} })).stdout).toBe('{}\n')
    expect(answer((await hook({ tool_name: 'New', tool_input: {} })).stdout).permissionDecision).toBe(
      'askFirst',
    )
  })

  it('assumes a sub-agent if the input says so', async () => {
    const as = ['--skill', 'mux-subagent']
    expect((await hook({ tool_name: 'Read', tool_input: { file_path: 'a.md' } }, ...as)).stdout).toBe('{}\n')
    const { stdout } = await hook({ tool_name: 'TaskOutput', tool_input: {} }, ...as)
    expect(answer(stdout)).toMatchObject({ permissionDecision: 'deny' })
  })

  // R-000-62
  it.each([
    ['an empty object', '{}'],
    ['no tool name', '{"tool_input": {}}'],
    ['a list', '[]'],
    ['null as input', '{"tool_name": "Read", "tool_input": null}'],
    ['half a payload', '{"tool_name": "Re'],
    ['empty input', ''],
  ])('denies %s', async (_name, payload) => {
    expect(await hook(payload)).toMatchObject({ exitCode: 2, stdout: '' })
  })

  it('assumes the orchestrator for an unknown role', async () => {
    const { stdout } = await hook({ tool_name: 'Read', tool_input: {} }, '--skill', 'mux-nobody')
    expect(answer(stdout)).toMatchObject({ permissionDecision: 'deny' })
  })

  it('counts the same call twice in a session as polling', async () => {
    const ask = { session_id: 's', tool_name: 'Bash', tool_input: { command: 'uv run tools/verify.py x' } }
    expect((await hook(ask)).stdout).toBe('{}\n')
    expect(answer((await hook(ask)).stdout).permissionDecisionReason).toMatch(/^POLLING DETECTED: /)
    expect((await hook({ ...ask, session_id: 't' })).stdout).toBe('{}\n')
  })

  it('denies an unknown pack, and answers Claude Code in its own format', async () => {
    const { stdout } = await hook(call('New', {}))
    expect(answer(stdout)).toMatchObject({ hookEventName: 'PreToolUse', permissionDecision: 'ask' })
    expect((await hook(call('Read', {}), '--pack', 'mux-nobody')).exitCode).toBe(2)
  })
})

describe('the dialect mux-legacy', () => {
  const hook = (payload: unknown, ...args: string[]) => sandbox.hook(payload, args, { host: 'mux-legacy' })

  it('answers with an action, and prints the rest on standard error', async () => {
    const blocked = await hook({
      tool_name: 'Read',
      tool_args: { file_path: 'a' },
      context: { skill: 'mux' },
    })
    expect(JSON.parse(blocked.stdout)).toEqual({
      action: 'block',
      reason: 'Read is forbidden for MUX orchestrator. Delegate via Task().',
    })
    expect(blocked.stderr).toContain('PROTOCOL VIOLATION: Read is forbidden for MUX orchestrator.')
    expect((await hook({ tool_name: 'Task', tool_args: {} })).stdout).toBe('{"action":"allow"}\n')
    const other = await hook({ tool_name: 'Read', tool_args: {}, context: { skill: 'other' } })
    expect(other.stdout).toBe('{"action":"allow"}\n')
    expect(await hook({})).toMatchObject({ exitCode: 2, stdout: '' })
  })
})

describe('a MUX session', () => {
  const skill = (name: string, more: object = {}) =>
    call('Skill', { skill: name }, { hook_event_name: 'PostToolUse', tool_response: {}, ...more })
  const decide = async (payload: object, ...args: string[]) => {
    const { stdout } = await sandbox.hook(payload, args)
    return answer(stdout).permissionDecision as string | undefined
  }
  const bash = (command: string, id: string, more: object = {}) =>
    call('Bash', { command }, { tool_use_id: id, ...more })

  it('of an orchestrator and a sub-agent gets the same answers in a new process', async () => {
    sandbox.userConfig('version: 1\npacks: { mux: true }\n')
    const worker = { agent_id: 'a1', agent_type: 'researcher' }
    expect(await decide(call('Read', { file_path: 'a.md' }))).toBeUndefined()
    await sandbox.hook(skill('mux'))
    await sandbox.hook({ session_id: 'session-1', hook_event_name: 'SessionStart', source: 'resume' })
    expect(await decide(call('Read', { file_path: 'a.md' }, { tool_use_id: 'r' }))).toBe('deny')
    expect(await decide(call('Read', { file_path: 'a.md' }, worker))).toBeUndefined()
    await sandbox.hook(skill('mux-subagent', worker))
    expect(await decide(call('TaskOutput', { task_id: 'x' }, worker))).toBe('deny')
  })

  it('counts a call once if the host also runs the hook of the skill', async () => {
    sandbox.userConfig('version: 1\npacks: { mux: true }\n')
    await sandbox.hook(skill('mux'))
    const verify = 'holdpoint mux verify tmp/mux/x'
    expect(await decide(bash(verify, 'u1'))).toBeUndefined()
    expect(await decide(bash(verify, 'u1'), '--skill', 'mux')).toBeUndefined()
    expect(await decide(bash(verify, 'u2'))).toBe('deny')
    expect(await decide(bash(verify, 'u2'), '--skill', 'mux')).toBe('deny')
  })

  it('applies the rules of production and of the skill together (R-000-45, R-000-46, R-000-47, R-000-48, R-000-49, R-000-50)', async () => {
    sandbox.userConfig('version: 1\npacks: { mux: true, production: true }\n')
    const commit = (id: string) => bash('git commit --no-verify -m x', id)
    expect(await decide(commit('c1'))).toBe('deny')
    await sandbox.hook(skill('mux'))
    const { stdout } = await sandbox.hook(commit('c2'))
    const { permissionDecisionReason: reason } = answer(stdout)
    expect(reason).toContain('MUX orchestrator')
    expect(reason).toContain('no-verify')
  })
})

describe('guard scripts of an existing set-up', () => {
  // R-000-16, R-000-38, R-000-61: named in the front matter of the skills, kept in the hooks folder.
  const script = (word: string) => `#!/bin/sh
echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"the ${word} guard"}}'
`
  const head = (name: string, guard: string) => `---
name: ${name}
hooks:
  PreToolUse:
    - matcher: "Read|Skill"
      hooks:
        - { type: command, command: core/hooks/pretooluse/${guard}.py }
---
`
  it('still run, each for agents with its skill, in addition to the pack', async () => {
    for (const [skill, guard] of [
      ['mux', 'mux-orchestrator-guard'],
      ['mux-subagent', 'mux-subagent-guard'],
    ] as const) {
      sandbox.write(`core/skills/${skill}/SKILL.md`, head(skill, guard))
      sandbox.write(`core/hooks/pretooluse/${guard}.py`, script(skill), 0o755)
    }
    sandbox.config('version: 1\nimports: [frontmatter]\npacks: { mux: true }\n')
    await sandbox.person(['trust', '--yes'])
    const worker = { agent_id: 'a1', agent_type: 'researcher' }
    const load = (skill: string, more: object = {}) =>
      call('Skill', { skill }, { hook_event_name: 'PostToolUse', tool_response: {}, ...more })
    const reasonOf = async (tool: string, id: string, more: object = {}) => {
      const { stdout } = await sandbox.hook(
        call(tool, { file_path: 'a', skill: 'x' }, { tool_use_id: id, ...more }),
      )
      return String(answer(stdout).permissionDecisionReason)
    }
    expect(await reasonOf('Read', '1')).toBe('undefined')
    await sandbox.hook(load('mux'))
    await sandbox.hook(load('mux-subagent', worker))
    const main = await reasonOf('Read', '2')
    expect(main).toContain('Read is forbidden for MUX orchestrator.')
    expect(main).toContain('the mux guard')
    const sub = await reasonOf('Skill', '3', worker)
    expect(sub).toContain('Skill is forbidden for MUX sub-agents.')
    expect(sub).toContain('the mux-subagent guard')
    expect(sub).not.toContain('the mux guard')
  })
})

describe('a preToolUseHook of the settings (R-001-03, R-001-09, R-001-29, R-001-30)', () => {
  const PYTHON = `def pre_tool_use_hook(tool_name, tool_args, context):
    if context.get("skill") != "mux" or tool_name != "Read":
        return {"action": "allow"}
    return {"action": "block", "reason": f"{tool_name} of {tool_args['file_path']}, says Python"}
`
  const TYPESCRIPT = `export function preToolUseHook(name: string, args: { file_path?: string }, context: { skill: string }) {
  if (context.skill !== 'mux' || name !== 'Read') return { action: 'allow' }
  return { action: 'block', reason: name + ' of ' + args.file_path + ', says TypeScript' }
}
`
  it.each([
    ['pre-tool-use.py', PYTHON, 'Python'],
    ['pre-tool-use.ts', TYPESCRIPT, 'TypeScript'],
  ])(
    'is a function in %s, called on Claude Code too, while its skill is active',
    async (name, text, says) => {
      const script = `.claude/skills/mux/hooks/${name}`
      sandbox.write(script, text)
      const hook = { enabled: true, script, skillScope: ['mux'], debug: true }
      sandbox.write('.claude/settings.json', JSON.stringify({ preToolUseHook: hook }))
      sandbox.config('version: 1\nimports: [claude-settings]\npacks: { safety: true }\n')
      expect((await sandbox.person(['trust', '--yes'])).exitCode).toBe(0)
      const read = (id: string) => call('Read', { file_path: 'a.md' }, { tool_use_id: id })
      expect((await sandbox.hook(read('1'))).stdout).toBe('{}\n')
      await sandbox.hook(
        call('Skill', { skill: 'mux' }, { hook_event_name: 'PostToolUse', tool_response: {} }),
      )
      // A module has two seconds, in which a busy machine may not even load it.
      let asked = 1
      const { stdout } = await eventually(async () => {
        asked += 1
        const ran = await sandbox.hook(read(String(asked)))
        return ran.stdout.includes('did not answer in time') ? undefined : ran
      }, 'the module answers in time')
      expect(answer(stdout)).toMatchObject({
        permissionDecision: 'deny',
        permissionDecisionReason: `Read of a.md, says ${says}`,
      })
      const { systemMessage } = JSON.parse(stdout)
      expect(systemMessage).toContain('PreToolUse: tool call intercepted: Read {"file_path":"a.md"}')
      expect(systemMessage).toContain('PreToolUse: hook evaluation result: {"action":"block"')
      expect(systemMessage).toContain('PreToolUse: decision: block')
    },
  )
})
