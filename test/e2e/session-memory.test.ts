import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { call, createSandbox, type Sandbox } from './command.ts'

let sandbox: Sandbox
let calls = 0
beforeEach(() => {
  sandbox = createSandbox()
})
afterEach(() => sandbox.remove())

async function tries(tool: string, input: object, more: object = {}) {
  calls += 1
  const { stdout } = await sandbox.hook(call(tool, input, { tool_use_id: `toolu_${calls}`, ...more }))
  const { permissionDecision: effect = 'none', permissionDecisionReason: reason = '' } =
    JSON.parse(stdout).hookSpecificOutput ?? {}
  return { effect, reason }
}

describe('a session', () => {
  it('recognises a denied call in another form, and reports it', async () => {
    const first = await tries('Bash', { command: 'git push --force origin main' })
    expect(first.reason).not.toContain('blocked before')
    const second = await tries('Bash', { command: 'git push origin +main' })
    expect(second).toMatchObject({
      effect: 'deny',
      reason: expect.stringContaining('blocked before in this session'),
    })
    const elsewhere = await tries('Bash', { command: 'git push -f' }, { session_id: 'other' })
    expect(elsewhere.reason).not.toContain('blocked before')
  })

  it('asks before it runs a script that it wrote and that contains a denied command, and names the line', async () => {
    const text = '#!/bin/sh\necho go\ngit push --force origin main\n'
    expect(await tries('Write', { file_path: 'deploy.sh', content: text })).toMatchObject({ effect: 'none' })
    sandbox.write('deploy.sh', text, 0o755)
    expect(await tries('Bash', { command: 'cat deploy.sh' })).toMatchObject({ effect: 'none' })
    const ran = await tries('Bash', { command: './deploy.sh' })
    expect(ran).toMatchObject({ effect: 'ask', reason: expect.stringContaining('line 3') })
  })

  it('does not check scripts that existed before', async () => {
    sandbox.write('deploy.sh', 'git push --force origin main\n', 0o755)
    expect(await tries('Bash', { command: './deploy.sh' })).toMatchObject({ effect: 'none' })
  })

  it('checks a script that a command wrote, with its current content', async () => {
    await tries('Bash', { command: 'cp template.sh run.sh' })
    sandbox.write('run.sh', 'echo fine\n')
    expect(await tries('Bash', { command: 'bash run.sh' })).toMatchObject({ effect: 'none' })
    sandbox.write('run.sh', 'rm -rf /\n')
    expect(await tries('Bash', { command: 'bash run.sh' })).toMatchObject({ effect: 'ask' })
  })
})
