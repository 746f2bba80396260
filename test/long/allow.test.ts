import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { call, createWorld, type World } from '../e2e/command.ts'
import { atTerminal } from '../e2e/terminal.ts'

let world: World
let calls = 0
beforeEach(() => {
  world = createWorld()
})
afterEach(() => world.remove())

const PUSH = 'git push --force origin main'

/** Every call has an id of its own: the same id would be a second delivery of the same call. */
async function tries(command: string, more: object = {}): Promise<string> {
  calls += 1
  const event = call(
    'Bash',
    { command, description: `try ${calls}` },
    { tool_use_id: `toolu_${calls}`, ...more },
  )
  return (await world.hook(event)).stdout
}

const isDenied = (stdout: string) => JSON.parse(stdout).hookSpecificOutput?.permissionDecision === 'deny'

/** The code the person is told when the call is stopped. */
async function codeOf(command: string, more: object = {}): Promise<string> {
  const message: string = JSON.parse(await tries(command, more)).systemMessage
  return /holdpoint allow (\w{4}-\w{4})/.exec(message)?.[1] ?? 'none'
}

describe('allow', () => {
  it('lets exactly what was stopped through once, and then no more', async () => {
    const code = await codeOf(PUSH)
    const typed = await atTerminal(world, ['allow', code], { type: 'allow' })
    expect(typed.text).toContain('safety/git/force-push stopped this')
    expect(typed).toMatchObject({ exitCode: 0, text: expect.stringContaining('Allowed once') })
    const passed = JSON.parse(await tries(PUSH))
    expect(passed.hookSpecificOutput).toBeUndefined()
    expect(passed.systemMessage).toContain(`your exception ${code}`)
    expect(isDenied(await tries(PUSH))).toBe(true)
  })

  it('is no broader: another text, folder, session or agent is stopped, and the exception is still there', async () => {
    await atTerminal(world, ['allow', await codeOf(PUSH)], { type: 'allow' })
    expect(isDenied(await tries(`${PUSH} `))).toBe(true)
    expect(isDenied(await tries('git push --force origin dev'))).toBe(true)
    expect(isDenied(await tries(PUSH, { cwd: world.folder }))).toBe(true)
    expect(isDenied(await tries(PUSH, { session_id: 'session-2' }))).toBe(true)
    expect(isDenied(await tries(PUSH, { agent_id: 'agent-7', agent_type: 'x' }))).toBe(true)
    expect(isDenied(await tries(PUSH))).toBe(false)
  })

  it('for a time or always lasts, in every session, until it is taken back', async () => {
    const code = await codeOf(PUSH)
    await atTerminal(world, ['allow', code, '--for', '7d'], { type: 'allow' })
    for (const session_id of ['session-1', 'session-2', 'session-2']) {
      expect(isDenied(await tries(PUSH, { session_id }))).toBe(false)
    }
    expect((await world.run(['allow', '--list'])).stdout).toContain(`${code}  safety/git/force-push  until `)
    expect((await world.run(['allow', '--remove', code])).stdout).toContain(code)
    expect(isDenied(await tries(PUSH))).toBe(true)
    expect((await world.run(['allow', '--list'])).stdout).toBe('Nothing is excepted.\n')
  })

  it('needs a terminal, a person and the word', async () => {
    const code = await codeOf(PUSH)
    const piped = await world.run(['allow', code], { stdin: 'allow\n' })
    expect(piped).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('a person at a terminal') })
    const inAgent = await atTerminal(world, ['allow', code], { type: 'allow', above: { CLAUDECODE: '1' } })
    expect(inAgent).toMatchObject({ exitCode: 2, text: expect.stringContaining('CLAUDECODE') })
    const wrong = await atTerminal(world, ['allow', code], { type: 'yes' })
    expect(wrong.text).toContain('Nothing was changed')
    expect(isDenied(await tries(PUSH))).toBe(true)
  })

  it('knows only codes of the journal, and no two lengths at once', async () => {
    const unknown = await atTerminal(world, ['allow', 'aaaa-bbbb'], { type: 'allow' })
    expect(unknown).toMatchObject({ exitCode: 66, text: expect.stringContaining('no stop with the code') })
    expect((await world.run(['allow', 'aaaa-bbbb', '--once', '--always'])).exitCode).toBe(2)
    expect((await world.run(['allow', 'aaaa-bbbb', '--for', 'ever'])).exitCode).toBe(2)
    expect((await world.run(['allow'])).exitCode).toBe(2)
  })

  it('keeps no secret, closes the file to others, and leaves a record', async () => {
    const secret = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789'
    const code = await codeOf(`git push --force https://bob:${secret}@example.com/x`)
    await atTerminal(world, ['allow', code, '--always'], { type: 'allow' })
    const file = join(world.home, 'exceptions.json')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readFileSync(file, 'utf8')).not.toContain(secret)
    expect((await world.run(['log', '--json', '--event', 'Allow'])).stdout).toContain(code)
  })

  it('explain tells the stop, how it was reached, where it is configured and its code', async () => {
    world.userConfig('version: 1\npacks:\n  safety: true\n')
    const code = await codeOf(`sudo bash -c '${PUSH}'`)
    const { id } = JSON.parse((await world.run(['log', '--json'])).stdout)
    const { stdout } = await world.run(['explain', id])
    for (const part of [
      'safety/git/force-push',
      'sudo > bash -c > git',
      'config.yaml:3 (user)',
      `allow ${code}`,
    ]) {
      expect(stdout).toContain(part)
    }
    const tried = ['explain', '--tool', 'Bash', '--args', JSON.stringify({ command: PUSH })]
    expect(JSON.parse((await world.run([...tried, '--json'])).stdout).stops).toMatchObject([
      { guard: 'safety/git/force-push', fragment: PUSH, code: expect.any(String) },
    ])
  })
})
