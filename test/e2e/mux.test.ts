import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { installedPackage } from '../installed.ts'
import { call, createSandbox, type Sandbox } from './command.ts'

/** The parts of an orchestration that need the installed command: `test`, the tools, and existing scripts. */

let sandbox: Sandbox
beforeEach(() => {
  sandbox = createSandbox()
})
afterEach(() => sandbox.remove())

it('holdpoint test tries a call with its tool, its arguments and a skill, and prints one line (R-001-27, R-001-28)', async () => {
  const read = ['test', '--tool', 'Read', '--args', '{"file_path": "/path"}']
  expect(await sandbox.run([...read, '--skill', 'mux'])).toMatchObject({
    stdout: 'BLOCKED: Read is forbidden for MUX orchestrator\n',
    exitCode: 2,
  })
  expect(await sandbox.run(read)).toMatchObject({ stdout: 'ALLOWED\n', exitCode: 0 })
})

it('holdpoint mux has every tool, signal and agent that the rules name (R-000-63)', async () => {
  const mux = async (...args: string[]) => {
    const { stdout, stderr, exitCode } = await sandbox.run(['mux', ...args], {
      env: { CLAUDE_CODE_SESSION_ID: 'session-4711' },
    })
    expect([args, exitCode, stderr]).toEqual([args, 0, ''])
    return stdout
  }
  const [, session = ''] = /SESSION_DIR=(.*)/.exec(await mux('session', 'cats')) ?? []
  const report = `${session}/research/a.md`
  sandbox.write(
    report,
    '# Cats\n\n## Table of Contents\n\n## Executive Summary\n\n- They sleep.\n\n## Next Steps\n\nNone.\n',
  )
  await mux('agents', 'register', session, 'a', '--output-file', report)
  await mux('signal', `${session}/.signals/a.done`, '--path', report, '--status', 'success')
  expect(readFileSync(join(sandbox.project, session, '.signals/a.done'), 'utf8')).toContain('status: success')
  expect(await mux('verify', session, '--action', 'count')).toBe('1\n')
  expect(await mux('check-signals', session, '--expected', '1')).toContain('"status":"complete"')
  expect(await mux('extract-summary', report)).toContain('- They sleep.')
  expect(await mux('audit', session, '--phase', 'post')).toBe('No problems found.\n')
  expect(await mux('deactivate', '--session', 's1')).toBe('The orchestration has ended.\n')
  for (const agent of ['researcher', 'sentinel']) {
    expect(existsSync(join(installedPackage(), 'skills/mux/agents', `${agent}.md`))).toBe(true)
  }
})

describe('guard scripts of an existing set-up', () => {
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
  const load = (skill: string, more: object = {}) =>
    call('Skill', { skill }, { hook_event_name: 'PostToolUse', tool_response: {}, ...more })
  const reasonOf = async (tool: string, id: string, more: object = {}) => {
    const payload = call(tool, { file_path: 'a', skill: 'x' }, { tool_use_id: id, ...more })
    const { hookSpecificOutput } = JSON.parse((await sandbox.hook(payload)).stdout)
    return String(hookSpecificOutput?.permissionDecisionReason)
  }

  it('are found in the front matter of their skills and run from the hooks folder, each for agents with that skill (R-000-16, R-000-38, R-000-61)', async () => {
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
    expect(await reasonOf('Read', '1')).toBe('undefined')
    await sandbox.hook(load('mux'))
    await sandbox.hook(load('mux-subagent', worker))
    const main = await reasonOf('Read', '2')
    expect(main).toContain('Read is forbidden for MUX orchestrator.')
    expect(main).toContain('the mux guard')
    expect(main).not.toContain('the mux-subagent guard')
    const sub = await reasonOf('Skill', '3', worker)
    expect(sub).toContain('Skill is forbidden for MUX sub-agents.')
    expect(sub).toContain('the mux-subagent guard')
    expect(sub).not.toContain('the mux guard')
  })
})
