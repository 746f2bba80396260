import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'
import { createScreenSandbox, type ScreenSandbox } from '../e2e/screen.ts'

/** Agents whose tables were never tried with the real program: installed only on request, and marked everywhere. */

let sandbox: ScreenSandbox
beforeEach(() => {
  sandbox = createScreenSandbox()
})
afterEach(() => sandbox.remove())

const FILES = {
  cursor: '.cursor/hooks.json',
  antigravity: '.gemini/config/hooks.json',
  vscode: '.copilot/hooks/holdpoint-vscode.json',
} as const

const CALLS = {
  cursor: {
    ...{ hook_event_name: 'preToolUse', conversation_id: 'c', cursor_version: '1', cwd: '' },
    ...{ tool_name: 'Shell', tool_input: { command: 'git push --force' } },
  },
  antigravity: {
    ...{ conversationId: 'c', workspacePaths: ['/'] },
    toolCall: { name: 'run_command', args: { CommandLine: 'git push --force' } },
  },
  vscode: {
    ...{ hookEventName: 'PreToolUse', sessionId: 's', cwd: '/', tool_use_id: 't' },
    ...{ tool_name: 'runInTerminal', tool_input: { command: 'git push --force' } },
  },
} as const

const DENIED = {
  cursor: { permission: 'deny', agent_message: expect.stringContaining('Force push') },
  antigravity: { decision: 'deny', reason: expect.stringContaining('Force push') },
  vscode: { hookSpecificOutput: expect.objectContaining({ permissionDecision: 'deny' }) },
} as const

const HOSTS = Object.keys(FILES) as (keyof typeof FILES)[]

describe.each(HOSTS)('%s', (host) => {
  const file = () => join(sandbox.user, FILES[host])

  it('is refused without --unproved, with the command that installs it', async () => {
    const said = await sandbox.run(['init', '--host', host, '--yes'])
    expect(said).toContain('HOST_NOT_PROVED')
    expect(said.replaceAll(/\s+/g, ' ')).toContain(`holdpoint init --host ${host} --unproved`)
    expect(existsSync(file())).toBe(false)
  })

  it('is installed with --unproved, works, is marked everywhere, and is removed byte for byte', async () => {
    const before = host === 'vscode' ? undefined : '{\n\t"mine": {}\n}\n'
    if (before !== undefined) {
      mkdirSync(dirname(file()), { recursive: true })
      writeFileSync(file(), host === 'cursor' ? '{\n\t"version": 1\n}\n' : before)
    }
    const kept = before === undefined ? undefined : readFileSync(file(), 'utf8')
    const said = await sandbox.run(['init', '--host', host, '--unproved', '--yes'])
    expect(said).toMatch(/live (\d+) of \1 events/)
    expect(said).toContain('not proved')
    expect(await sandbox.run(['status'])).toContain(`${host} (not proved) guarded by`)
    expect(await sandbox.run(['doctor'])).toContain('this agent was never seen to obey the hooks')
    const lint = JSON.parse(await sandbox.run(['lint', '--json']))
    expect(lint.findings).toContainEqual(
      expect.objectContaining({ rule: 'host-limit', what: expect.stringContaining('is not proved') }),
    )
    const reply = await sandbox.run(['hook', host, '--event', 'PreToolUse'], {
      stdin: JSON.stringify(CALLS[host]),
    })
    expect(JSON.parse(reply.split('\n')[0] ?? '')).toMatchObject(DENIED[host])
    await sandbox.person(['uninstall', '--host', host, '--yes'])
    expect(existsSync(file()) ? readFileSync(file(), 'utf8') : undefined).toBe(kept)
  })
})

test('VS Code gets its own format when it starts the hooks of Copilot CLI', async () => {
  await sandbox.run(['init', '--host', 'copilot', '--yes'])
  const reply = await sandbox.run(['hook', 'copilot', '--event', 'PreToolUse'], {
    stdin: JSON.stringify(CALLS.vscode),
  })
  expect(JSON.parse(reply)).toMatchObject(DENIED.vscode)
})

test('an unproved agent on PATH is named, and neither installed nor reported as unguarded', async () => {
  await sandbox.run(['init', '--host', 'claude-code', '--yes'])
  sandbox.write('../bin/agy', '#!/bin/sh\necho 1.1.25\n', 0o755)
  const status = JSON.parse(await sandbox.run(['status', '--json']))
  expect(status.ok).toBe(true)
  expect(status.agents).toContainEqual(
    expect.objectContaining({ host: 'antigravity', found: true, notProved: true }),
  )
  const said = await sandbox.run(['init', '--yes'])
  expect(said).toContain('Found: antigravity 1.1.25; not proved')
  expect(existsSync(join(sandbox.user, FILES.antigravity))).toBe(false)
})
