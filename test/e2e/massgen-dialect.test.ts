import { afterEach, beforeEach, expect, it } from 'vitest'
import { createSandbox, type Sandbox } from './command.ts'

/** `hook massgen` exists and denies by default; test/long tests the rest. */

let sandbox: Sandbox
beforeEach(() => {
  sandbox = createSandbox()
})
afterEach(() => sandbox.remove())

it('hook massgen denies a hook that cannot be imported, even before the configuration is trusted (R-004-25, R-004-28)', async () => {
  sandbox.write(
    'team.yaml',
    'hooks:\n  PreToolUse:\n    - { matcher: Write, handler: massgen.hooks.audit_all_tools, type: python }\n',
  )
  const ask = async (tool: string) => {
    const event = {
      hook_type: 'PreToolUse',
      session_id: 's',
      agent_id: 'one',
      tool_name: tool,
      tool_input: {},
    }
    const { stdout } = await sandbox.hook(event, ['--config', 'team.yaml'], { host: 'massgen' })
    return JSON.parse(stdout)
  }
  expect(await ask('Write')).toMatchObject({
    allowed: false,
    decision: 'deny',
    reason: expect.stringContaining('there is no module massgen'),
    hook_errors: [expect.stringContaining('import')],
  })
  expect(await ask('Read')).toEqual({ allowed: true, decision: 'allow' })
})
