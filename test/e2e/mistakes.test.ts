import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { call, createSandbox, type Sandbox } from './command.ts'

let sandbox: Sandbox
beforeEach(() => {
  sandbox = createSandbox()
})
afterEach(() => sandbox.remove())

const tryBash = (command: string) =>
  sandbox.run(['test', '--tool', 'Bash', '--args', JSON.stringify({ command })])

describe('a rule with a mistake', () => {
  const RULE =
    'version: 1\nrules:\n  - id: no-push\n    match: Bash\n    wehn: { branch: main }\n    deny: No.\n'

  it('still applies in `test`, which prints file, line and key', async () => {
    sandbox.config(RULE)
    await sandbox.person(['trust', '--yes'])
    const file = join(sandbox.project, '.holdpoint/config.yaml')
    const ran = await tryBash('ls')
    expect(ran.exitCode).toBe(2)
    expect(ran.stdout).toContain('BLOCKED')
    expect(ran.stderr).toContain(`configuration ${file}:5 rules[0].wehn \`wehn\` is not a key here.`)
    expect(ran.stderr).toContain('Until you correct it, every call that this rule matches is denied.')
  })

  it('still applies at the hook', async () => {
    sandbox.config(RULE)
    await sandbox.person(['trust', '--yes'])
    const ran = await sandbox.hook(call('Bash', { command: 'ls' }))
    expect(ran.stdout).toContain('"permissionDecision":"deny"')
    expect(ran.stdout).toContain('config.yaml:5 rules[0].wehn')
    const other = await sandbox.hook(call('Read', { file_path: join(sandbox.project, 'a') }))
    expect(other.stdout).not.toContain('deny')
  })

  it('makes `test` fail even for a call that it does not match, and for a test file that passes', async () => {
    sandbox.config(RULE)
    await sandbox.person(['trust', '--yes'])
    const ran = await sandbox.run(['test', '--tool', 'Read', '--args', '{"file_path": "a"}'])
    expect(ran).toMatchObject({ exitCode: 1, stdout: 'ALLOWED\n' })
    sandbox.write(
      '.holdpoint/tests/a.yaml',
      'cases: [{ name: reading is fine, tool: Read, input: { file_path: a }, expect: pass }]\n',
    )
    const tested = await sandbox.run(['test'])
    expect(tested.exitCode).toBe(1)
    expect(tested.stdout).toContain('1 passed')
    expect(tested.stdout).toContain('.holdpoint/config.yaml:5 rules[0].wehn')
  })
})

describe('a rule with a mistake in an untrusted file', () => {
  it('still applies, and no text of the file is shown', async () => {
    sandbox.config('version: 1\nrules:\n  - { id: a, match: Bash, hunter2: x, deny: No. }\n')
    const ran = await tryBash('ls')
    expect(ran.exitCode).toBe(2)
    expect(ran.stderr).toContain('config.yaml:3 This key is not known here.')
    expect(`${ran.stdout}${ran.stderr}`).not.toContain('hunter2')
  })
})

describe('a command of a contract that cannot be trusted', () => {
  it('is reported with the reason, and the other commands run', async () => {
    sandbox.write('ok.sh', '#!/bin/sh\necho ran > ran.txt\nexit 1\n', 0o755)
    sandbox.config('version: 1\ncontracts:\n  - id: done\n    commands: ["./ok.sh", "sh $(cat name)"]\n')
    const trusted = await sandbox.person(['trust', '--yes'])
    expect(trusted.stdout).toContain('never runs `sh $(cat name)`')
    const stop = { session_id: 's', cwd: sandbox.project, hook_event_name: 'Stop', stop_hook_active: false }
    const { reason } = JSON.parse((await sandbox.hook(stop)).stdout)
    expect(reason).toContain('`./ok.sh` must succeed: it exited with code 1.')
    expect(reason).toContain(
      '`sh $(cat name)` must succeed, but it was not run: Holdpoint cannot tell which files',
    )
    expect(readFileSync(join(sandbox.project, 'ran.txt'), 'utf8')).toBe('ran\n')
    // A script that has changed is reported too.
    sandbox.write('ok.sh', '#!/bin/sh\nexit 0\n', 0o755)
    const again = JSON.parse((await sandbox.hook({ ...stop, session_id: 't' })).stdout).reason
    expect(again).toContain('`./ok.sh` must succeed, but it was not run: it starts ')
    expect(again).toContain('ok.sh, which is not what was trusted.')
  })
})

describe('a module that crashes', () => {
  it('is reported with file and line', async () => {
    sandbox.write(
      'policy/guard.mjs',
      'export default () => {\n  const event = undefined\n  return event.tool\n}\n',
    )
    sandbox.config(
      'version: 1\nhooks:\n  PreToolUse:\n    - { id: guard, run: ./policy/guard.mjs, onFailure: deny }\n',
    )
    await sandbox.person(['trust', '--yes'])
    const ran = await tryBash('ls')
    expect(ran.exitCode).toBe(2)
    expect(ran.stderr).toMatch(/policy\/guard\.mjs:3:\d+/)
  })

  it('is reported with file and line if it crashes while it is loaded', async () => {
    sandbox.write('policy/guard.mjs', 'const a = 1\nthrow new Error("no database")\n')
    sandbox.config(
      'version: 1\nhooks:\n  PreToolUse:\n    - { id: guard, run: ./policy/guard.mjs, onFailure: deny }\n',
    )
    await sandbox.person(['trust', '--yes'])
    const ran = await tryBash('ls')
    expect(ran.stderr).toContain('no database')
    expect(ran.stderr).toMatch(/policy\/guard\.mjs:2:\d+/)
  })
})
