import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { call, createWorld, type World } from './command.ts'

let world: World
let calls = 0
beforeEach(() => {
  world = createWorld()
})
afterEach(() => world.remove())

async function tries(tool: string, input: object, more: object = {}) {
  calls += 1
  const { stdout } = await world.hook(call(tool, input, { tool_use_id: `toolu_${calls}`, ...more }))
  const { permissionDecision: effect = 'none', permissionDecisionReason: reason = '' } =
    JSON.parse(stdout).hookSpecificOutput ?? {}
  return { effect, reason }
}

describe('a session', () => {
  it('knows a denied act again in another spelling, and says so', async () => {
    const first = await tries('Bash', { command: 'git push --force origin main' })
    expect(first.reason).not.toContain('another spelling:')
    const second = await tries('Bash', { command: 'git push origin +main' })
    expect(second).toMatchObject({
      effect: 'deny',
      reason: expect.stringContaining('stopped before in this session'),
    })
    const elsewhere = await tries('Bash', { command: 'git push -f' }, { session_id: 'other' })
    expect(elsewhere.reason).not.toContain('stopped before')
  })

  it('asks before a script is run that it wrote and that does what is stopped, and names the line', async () => {
    const text = '#!/bin/sh\necho go\ngit push --force origin main\n'
    expect(await tries('Write', { file_path: 'deploy.sh', content: text })).toMatchObject({ effect: 'none' })
    world.write('deploy.sh', text, 0o755)
    expect(await tries('Bash', { command: 'cat deploy.sh' })).toMatchObject({ effect: 'none' })
    const ran = await tries('Bash', { command: './deploy.sh' })
    expect(ran).toMatchObject({ effect: 'ask', reason: expect.stringContaining('line 3') })
  })

  it('does not look into scripts that were there before', async () => {
    world.write('deploy.sh', 'git push --force origin main\n', 0o755)
    expect(await tries('Bash', { command: './deploy.sh' })).toMatchObject({ effect: 'none' })
  })

  it('knows a script that a command wrote, by what is in it now', async () => {
    await tries('Bash', { command: 'cp template.sh run.sh' })
    world.write('run.sh', 'echo fine\n')
    expect(await tries('Bash', { command: 'bash run.sh' })).toMatchObject({ effect: 'none' })
    world.write('run.sh', 'rm -rf /\n')
    expect(await tries('Bash', { command: 'bash run.sh' })).toMatchObject({ effect: 'ask' })
  })
})
