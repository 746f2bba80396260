import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { call, createSandbox, type Sandbox } from '../e2e/command.ts'
import { atTerminal } from '../e2e/terminal.ts'

let sandbox: Sandbox
let calls = 0
beforeEach(() => {
  sandbox = createSandbox()
})
afterEach(() => sandbox.remove())

const PUSH = 'git push --force origin main'

/** Every call has its own id, because the same id would be a second delivery of the same call. */
async function tries(command: string, more: object = {}): Promise<string> {
  calls += 1
  const event = call(
    'Bash',
    { command, description: `try ${calls}` },
    { tool_use_id: `toolu_${calls}`, ...more },
  )
  return (await sandbox.hook(event)).stdout
}

const isDenied = (stdout: string) => JSON.parse(stdout).hookSpecificOutput?.permissionDecision === 'deny'

/** The code that the user is shown when the call is stopped. */
async function codeOf(command: string, more: object = {}): Promise<string> {
  const message: string = JSON.parse(await tries(command, more)).systemMessage
  return /holdpoint allow (\w{4}-\w{4})/.exec(message)?.[1] ?? 'none'
}

describe('holdpoint allow', () => {
  it('allows exactly the stopped call once, and not a second time', async () => {
    const code = await codeOf(PUSH)
    const typed = await atTerminal(sandbox, ['allow', code], { type: 'allow' })
    expect(typed.text).toContain('safety/git/force-push stopped this')
    expect(typed).toMatchObject({ exitCode: 0, text: expect.stringContaining('Allowed once') })
    const passed = JSON.parse(await tries(PUSH))
    expect(passed.hookSpecificOutput).toBeUndefined()
    expect(passed.systemMessage).toContain(`your exception ${code}`)
    expect(isDenied(await tries(PUSH))).toBe(true)
    expect((await sandbox.run(['allow', '--list'])).stdout).toContain(`${code}  safety/git/force-push  once`)
    expect((await sandbox.run(['allow', '--list'])).stdout).toContain('used: it no longer counts')
  })

  it('applies to nothing else: another text, folder, session or agent is blocked, and the exception stays valid', async () => {
    await sandbox.person(['allow', await codeOf(PUSH)], {}, { type: 'allow' })
    expect(isDenied(await tries(`${PUSH} `))).toBe(true)
    expect(isDenied(await tries('git push --force origin dev'))).toBe(true)
    expect(isDenied(await tries(PUSH, { cwd: sandbox.folder }))).toBe(true)
    expect(isDenied(await tries(PUSH, { session_id: 'session-2' }))).toBe(true)
    expect(isDenied(await tries(PUSH, { agent_id: 'agent-7', agent_type: 'x' }))).toBe(true)
    expect(isDenied(await tries(PUSH))).toBe(false)
  })

  it('allows the call in every session, for a time or always, until the exception is removed', async () => {
    const code = await codeOf(PUSH)
    await sandbox.person(['allow', code, '--for', '7d'], {}, { type: 'allow' })
    for (const session_id of ['session-1', 'session-2', 'session-2']) {
      expect(isDenied(await tries(PUSH, { session_id }))).toBe(false)
    }
    expect((await sandbox.run(['allow', '--list'])).stdout).toContain(
      `${code}  safety/git/force-push  until `,
    )
    expect((await sandbox.run(['allow', '--remove', code])).stdout).toContain(code)
    expect(isDenied(await tries(PUSH))).toBe(true)
    expect((await sandbox.run(['allow', '--list'])).stdout).toBe('There are no exceptions.\n')
  })

  it('needs a terminal, a person and the confirmation', async () => {
    const code = await codeOf(PUSH)
    const piped = await sandbox.run(['allow', code], { stdin: 'allow\n' })
    expect(piped).toMatchObject({ exitCode: 64, stderr: expect.stringContaining('is only for people') })
    const inAgent = await atTerminal(sandbox, ['allow', code], { type: 'allow', above: { CLAUDECODE: '1' } })
    expect(inAgent).toMatchObject({ exitCode: 64, text: expect.stringContaining('CLAUDECODE') })
    const wrong = await sandbox.person(['allow', code], {}, { type: 'yes' })
    expect(wrong.stdout).toContain('Nothing was changed')
    expect(isDenied(await tries(PUSH))).toBe(true)
  })

  it('accepts only codes of the journal, and only one duration', async () => {
    const unknown = await sandbox.person(['allow', 'aaaa-bbbb'], {}, { type: 'allow' })
    expect(unknown).toMatchObject({ exitCode: 66, stdout: expect.stringContaining('no stop with the code') })
    expect((await sandbox.run(['allow', 'aaaa-bbbb', '--once', '--always'])).exitCode).toBe(64)
    expect((await sandbox.run(['allow', 'aaaa-bbbb', '--for', 'ever'])).exitCode).toBe(64)
    expect((await sandbox.run(['allow'])).exitCode).toBe(64)
  })

  it('stores no secret, makes the file private, and writes a record', async () => {
    const secret = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789'
    const code = await codeOf(`git push --force https://bob:${secret}@example.com/x`)
    await sandbox.person(['allow', code, '--always'], {}, { type: 'allow' })
    const file = join(sandbox.home, 'exceptions.json')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readFileSync(file, 'utf8')).not.toContain(secret)
    expect((await sandbox.run(['log', '--json', '--event', 'Allow'])).stdout).toContain(code)
  })

  it('is prepared by explain, which shows the denial, its cause, where it is configured and its code', async () => {
    sandbox.userConfig('version: 1\npacks:\n  safety: true\n')
    const code = await codeOf(`sudo bash -c '${PUSH}'`)
    const { id } = JSON.parse((await sandbox.run(['log', '--json'])).stdout)
    const { stdout } = await sandbox.run(['explain', id])
    for (const part of [
      'safety/git/force-push',
      'sudo > bash -c > git',
      'config.yaml:3 (user)',
      `allow ${code}`,
    ]) {
      expect(stdout).toContain(part)
    }
    const tried = ['explain', '--tool', 'Bash', '--args', JSON.stringify({ command: PUSH })]
    expect(JSON.parse((await sandbox.run([...tried, '--json'])).stdout).stops).toMatchObject([
      { guard: 'safety/git/force-push', fragment: PUSH, code: expect.any(String) },
    ])
  })
})
