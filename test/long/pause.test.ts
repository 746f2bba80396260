import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { call, createSandbox, type Sandbox } from '../e2e/command.ts'
import { atTerminal } from '../e2e/terminal.ts'

let sandbox: Sandbox
let calls = 0
beforeEach(() => {
  sandbox = createSandbox()
  sandbox.userConfig('version: 1\npacks: { safety: true, self: true }\n')
})
afterEach(() => sandbox.remove())

async function isDenied(tool: string, input: object): Promise<boolean> {
  calls += 1
  const { stdout } = await sandbox.hook(call(tool, input, { tool_use_id: `toolu_${calls}` }))
  return JSON.parse(stdout).hookSpecificOutput?.permissionDecision === 'deny'
}

const settings = () => isDenied('Write', { file_path: '.claude/settings.json', content: '{}' })
const push = () => isDenied('Bash', { command: 'git push --force' })

async function startSession(): Promise<string> {
  const event = { session_id: 's', hook_event_name: 'SessionStart', source: 'startup' }
  return (await sandbox.hook(event)).stdout
}

describe('holdpoint pause', () => {
  it('switches pack self off until it is ended, and every session starts with a notice', async () => {
    expect(await settings()).toBe(true)
    const typed = await atTerminal(sandbox, ['pause', '10m'], { type: 'pause' })
    expect(typed).toMatchObject({
      exitCode: 0,
      text: expect.stringContaining('This switches the pack self off until'),
    })
    expect([await settings(), await push()]).toEqual([false, true])
    expect(await startSession()).toContain('Holdpoint is paused until')
    expect((await sandbox.run(['pause'])).stdout).toContain('The pack self is off until')
    expect((await sandbox.run(['pause', '--end'])).stdout).toContain('The pause has ended')
    expect(await settings()).toBe(true)
    expect(await startSession()).not.toContain('paused')
  })

  it('with --all disables every pack, and ends automatically', async () => {
    await sandbox.person(['pause', '1h', '--all'], {}, { type: 'pause' })
    expect([await settings(), await push()]).toEqual([false, false])
    expect(statSync(join(sandbox.home, 'pause.json')).mode & 0o777).toBe(0o600)
    const past = Date.now() - 1
    const over = { version: 1, sinceMs: past - 1_000, untilMs: past, packs: 'all' }
    writeFileSync(join(sandbox.home, 'pause.json'), JSON.stringify(over))
    expect([await settings(), await push()]).toEqual([true, true])
    expect((await sandbox.run(['pause'])).stdout).toBe('Nothing is paused.\n')
  })

  it('needs a terminal, a person, the confirmation, and an end within eight hours', async () => {
    expect((await sandbox.run(['pause', '10m'], { stdin: 'pause\n' })).exitCode).toBe(64)
    const inAgent = await atTerminal(sandbox, ['pause', '10m'], {
      type: 'pause',
      above: { CODEX_SANDBOX: 'x' },
    })
    expect(inAgent).toMatchObject({ exitCode: 64, text: expect.stringContaining('CODEX_SANDBOX') })
    expect((await sandbox.person(['pause', '10m'], {}, { type: 'y' })).stdout).toContain(
      'Nothing was changed',
    )
    for (const length of ['9h', '0m', 'soon'])
      expect((await sandbox.run(['pause', length])).exitCode).toBe(64)
    expect(await settings()).toBe(true)
  })

  it('is in the journal with its beginning and its end', async () => {
    await sandbox.person(['pause', '10m'], {}, { type: 'pause' })
    await sandbox.run(['pause', '--end'])
    for (const event of ['Pause', 'Resume'])
      expect((await sandbox.run(['log', '--json', '--event', event])).stdout).toContain(`"event":"${event}"`)
  })
})
