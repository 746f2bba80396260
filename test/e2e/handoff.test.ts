import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createSandbox, type Sandbox } from './command.ts'

let sandbox: Sandbox
beforeEach(() => {
  sandbox = createSandbox()
})
afterEach(() => sandbox.remove())

const WHOLE =
  'Done, with tests.\nHANDOFF_TOKEN: TASK_20260115_120000\n\n```json\n{"handoff": true, "from": "a", "to": "b-agent", "status": "ready"}\n```\n\nUse the b-agent subagent to test it.\n\nCOLLECTIVE_HANDOFF_READY\n'

describe('holdpoint test --handoff', () => {
  it('K-34: accepts a complete handoff', async () => {
    const ran = await sandbox.run(['test', '--handoff'], { stdin: WHOLE })
    expect(ran).toMatchObject({ exitCode: 0, stderr: '' })
    expect(ran.stdout).toContain('next agent: b-agent (test it)\n')
    expect(ran.stdout).toContain('block: from a to b-agent, status ready\n')
    const json = await sandbox.run(['test', '--handoff', '--json'], { stdin: WHOLE })
    expect(JSON.parse(json.stdout)).toMatchObject({ ready: true, to: 'b-agent', faults: [] })
  })

  it.each([
    [
      'a block that is not JSON',
      WHOLE.replace('"ready"}', '"ready"'),
      'State contract: the handoff block is not JSON.',
    ],
    ['empty input', '', 'Handoff: there is none.'],
  ])('K-34: refuses %s', async (_name, input, said) => {
    const ran = await sandbox.run(['test', '--handoff'], { stdin: input })
    expect(ran.exitCode).toBe(1)
    expect(ran.stdout).toContain(said)
    expect(ran.stdout).toContain('The handoff is not complete.')
  })
})
