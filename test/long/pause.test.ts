import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { call, createWorld, type World } from '../e2e/command.ts'
import { atTerminal } from '../e2e/terminal.ts'

let world: World
let calls = 0
beforeEach(() => {
  world = createWorld()
  world.userConfig('version: 1\npacks: { safety: true, self: true }\n')
})
afterEach(() => world.remove())

async function isDenied(tool: string, input: object): Promise<boolean> {
  calls += 1
  const { stdout } = await world.hook(call(tool, input, { tool_use_id: `toolu_${calls}` }))
  return JSON.parse(stdout).hookSpecificOutput?.permissionDecision === 'deny'
}

const settings = () => isDenied('Write', { file_path: '.claude/settings.json', content: '{}' })
const push = () => isDenied('Bash', { command: 'git push --force' })

async function startSession(): Promise<string> {
  const event = { session_id: 's', hook_event_name: 'SessionStart', source: 'startup' }
  return (await world.hook(event)).stdout
}

describe('pause', () => {
  it('switches pack self off until it is ended, and says so when a session starts', async () => {
    expect(await settings()).toBe(true)
    const typed = await atTerminal(world, ['pause', '10m'], { type: 'pause' })
    expect(typed).toMatchObject({ exitCode: 0, text: expect.stringContaining('Pack self is off until') })
    expect([await settings(), await push()]).toEqual([false, true])
    expect(await startSession()).toContain('Holdpoint is paused until')
    expect((await world.run(['pause'])).stdout).toContain('Pack self is off until')
    expect((await world.run(['pause', '--end'])).stdout).toContain('The pause is over')
    expect(await settings()).toBe(true)
    expect(await startSession()).not.toContain('paused')
  })

  it('with --all switches every pack off, and its end needs nobody', async () => {
    await atTerminal(world, ['pause', '1h', '--all'], { type: 'pause' })
    expect([await settings(), await push()]).toEqual([false, false])
    expect(statSync(join(world.home, 'pause.json')).mode & 0o777).toBe(0o600)
    const past = Date.now() - 1
    const over = { version: 1, sinceMs: past - 1_000, untilMs: past, packs: 'all' }
    writeFileSync(join(world.home, 'pause.json'), JSON.stringify(over))
    expect([await settings(), await push()]).toEqual([true, true])
    expect((await world.run(['pause'])).stdout).toBe('Nothing is paused.\n')
  })

  it('needs a terminal, a person, the word, and an end within eight hours', async () => {
    expect((await world.run(['pause', '10m'], { stdin: 'pause\n' })).exitCode).toBe(2)
    const inAgent = await atTerminal(world, ['pause', '10m'], {
      type: 'pause',
      above: { CODEX_SANDBOX: 'x' },
    })
    expect(inAgent).toMatchObject({ exitCode: 2, text: expect.stringContaining('CODEX_SANDBOX') })
    expect((await atTerminal(world, ['pause', '10m'], { type: 'y' })).text).toContain('Nothing was changed')
    for (const length of ['9h', '0m', 'soon']) expect((await world.run(['pause', length])).exitCode).toBe(2)
    expect(await settings()).toBe(true)
  })

  it('is in the journal, its beginning and its end', async () => {
    await atTerminal(world, ['pause', '10m'], { type: 'pause' })
    await world.run(['pause', '--end'])
    const { stdout } = await world.run(['log', '--json', '--event', 'Pause'])
    expect(stdout.trim().split('\n')).toHaveLength(2)
  })
})
