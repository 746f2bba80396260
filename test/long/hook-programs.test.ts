import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { call, createSandbox, type Sandbox } from '../e2e/command.ts'

let sandbox: Sandbox
beforeEach(() => {
  sandbox = createSandbox()
})
afterEach(() => sandbox.remove())

const bash = (command: string, more: object = {}) => call('Bash', { command }, more)
const MARK = '#!/bin/sh\ntouch marked\n'
const decisionOf = (stdout: string) => JSON.parse(stdout).hookSpecificOutput?.permissionDecision ?? 'none'

describe('holdpoint hook with programs of a project', () => {
  it.each<[string, string, (sandbox: Sandbox) => void]>([
    ['a program that appears after the trust', './late.sh', (w) => w.write('late.sh', MARK, 0o755)],
    ['a program inside sh -c', "sh -c './x.sh'", (w) => w.write('x.sh', MARK, 0o755)],
    ['a program after a cd', 'cd . && ./x.sh', (w) => w.write('x.sh', MARK, 0o755)],
    ['a program in another folder', '../x.sh', (w) => w.write('../x.sh', MARK, 0o755)],
  ])('does not run %s', async (_name, command, change) => {
    sandbox.write('x.sh', '#!/bin/sh\n', 0o755)
    sandbox.write('../x.sh', '#!/bin/sh\n', 0o755)
    sandbox.config(
      `version: 1\nhooks:\n  PreToolUse:\n    - { run: ${JSON.stringify(command)}, onFailure: pass }\n`,
    )
    await sandbox.person(['trust', '--yes'])
    await sandbox.hook(bash('ls', { tool_use_id: '1' }))
    change(sandbox)
    const ran = await sandbox.hook(bash('ls', { tool_use_id: '2' }))
    expect(existsSync(join(sandbox.project, 'marked'))).toBe(false)
    expect(ran.stdout).toContain('holdpoint trust')
  })

  it('does not run a trusted program that changed while its configuration is invalid', async () => {
    sandbox.write('x.sh', '#!/bin/sh\n', 0o755)
    sandbox.config('version: 1\nhooks:\n  PreToolUse:\n    - { run: ./x.sh, onFailure: pass }\n')
    await sandbox.person(['trust', '--yes'])
    await sandbox.hook(bash('ls', { tool_use_id: '1' }))
    sandbox.config('version: [\n')
    sandbox.write('x.sh', MARK, 0o755)
    await sandbox.hook(bash('ls', { tool_use_id: '2' }))
    expect(existsSync(join(sandbox.project, 'marked'))).toBe(false)
  })

  it.each([
    ['hangs', 'sleep 60', 'timeout'],
    ['crashes', 'exit 3', 'crash'],
    ['prints invalid output', 'echo oops', 'invalidOutput'],
    ['prints half an answer', 'printf \'{"decision":\'', 'invalidOutput'],
    ['is missing', './nowhere.sh', 'import'],
  ])('applies the failure policy to a program that %s', async (_name, command, kind) => {
    // Only the program that hangs has a short timeout, so that a slow machine changes no other answer.
    const timeoutMs = kind === 'timeout' ? 300 : 20_000
    for (const policy of ['deny', 'ask', 'pass']) {
      sandbox.userConfig(
        `version: 1\nhooks:\n  PreToolUse:\n    - { id: p, run: ${JSON.stringify(command)}, timeoutMs: ${timeoutMs}, onFailure: ${policy} }\n`,
      )
      const ran = await sandbox.hook(bash('ls'))
      expect([policy, ran.exitCode, decisionOf(ran.stdout)]).toEqual([
        policy,
        0,
        policy === 'pass' ? 'none' : policy,
      ])
      expect(ran.stdout).toContain(kind)
    }
  })
})
