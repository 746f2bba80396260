import { afterEach, beforeEach, expect, it } from 'vitest'
import { createWorld, type World } from './command.ts'

/** That `hook massgen` is there and closed by default; the rest of it is shown in test/long. */

let world: World
beforeEach(() => {
  world = createWorld()
})
afterEach(() => world.remove())

it('denies what a configuration cannot import, before anybody trusts it (R-004-25, R-004-28)', async () => {
  world.write(
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
    const { stdout } = await world.hook(event, ['--config', 'team.yaml'], { host: 'massgen' })
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
