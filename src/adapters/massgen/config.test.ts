import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { HookType } from '../../core/formats/massgen-hook-type.ts'
import { GeneralHookManager, type ManagerOptions } from './general-hook-manager.ts'
import { HookResult } from './hook-result.ts'

const { PRE_TOOL_USE: PRE, POST_TOOL_USE: POST } = HookType
const cwd = mkdtempSync(join(tmpdir(), 'holdpoint-massgen-'))
afterAll(() => rmSync(cwd, { recursive: true, force: true }))
const file = (name: string, text: string, mode = 0o644) => writeFileSync(join(cwd, name), text, { mode })
const env = { PATH: process.env.PATH, HOME: cwd, SECRET: 'x' }

file('guards.py', 'def audit(event):\n    return {"decision": "ask", "reason": f"python {event.agent_id}"}\n')
file(
  'deny.sh',
  '#!/bin/sh\necho "{\\"allowed\\": false, \\"reason\\": \\"command $MASSGEN_TOOL_NAME $SECRET\\"}"\n',
  0o755,
)
file(
  'check.mjs',
  'export const check = (event) => ({ decision: "ask", reason: `module ${event.tool_name}` })\n',
)

const TEAM = `
hooks:
  PreToolUse:
    - { matcher: "*", handler: guards.audit, type: python }
agents:
  - id: one
    backend:
      hooks:
        PreToolUse: [{ matcher: Write, handler: ./deny.sh, type: command }]
  - id: two
    backend: { hooks: { PreToolUse: { override: true, hooks: [{ handler: "./check.mjs#check", type: module }] } } }
  - id: three
    backend: { hooks: { PreToolUse: { override: true, hooks: [] } } }
`

const manager = (options: ManagerOptions = {}) => new GeneralHookManager({ cwd, env, ...options })
const decided = async (
  of: GeneralHookManager,
  agent_id: string | null,
  tool_name = 'Write',
  type: HookType = PRE,
) => {
  const { decision, reason } = await of.executeHooks(type, { agent_id, tool_name, tool_input: {} })
  return `${decision} ${reason ?? ''}`.trim()
}

describe('a MassGen configuration in the library (R-004-04, R-004-12, R-004-13, R-004-14)', () => {
  it.each([
    ['no agent', null, 'Write', 'ask python None'],
    ['an agent with more hooks', 'one', 'Write', 'deny command Write'],
    ['the same, another tool', 'one', 'Read', 'ask python one'],
    ['an agent with only its own hooks', 'two', 'Write', 'ask module Write'],
    ['an agent without hooks', 'three', 'Write', 'allow'],
  ])('for %s', async (_name, agent, tool, expected) => {
    const team = manager()
    expect(await team.registerHooksFromConfig(TEAM)).toEqual([])
    expect(await decided(team, agent, tool)).toBe(expected)
  })

  it('is read from a file, together with hooks from code, which its overrides also apply to', async () => {
    file('team.yaml', TEAM)
    const team = manager()
    team.registerGlobalHook(PRE, () => HookResult.ask('code'))
    await team.loadConfigFile('team.yaml')
    expect(await decided(team, null)).toBe('ask code\npython None')
    expect(await decided(team, 'three')).toBe('allow')
  })

  it('is ordered with hooks from code by registration (R-004-35)', async () => {
    const says = (name: string) => () => HookResult.ask(name)
    const team = manager({
      handlers: { 'a.one': says('one'), 'a.two': says('two'), 'a.three': says('three') },
    })
    const first = team.registerHooksFromConfig({ PreToolUse: [{ handler: 'a.one' }] })
    team.registerGlobalHook(PRE, says('code'))
    file('later.yaml', 'hooks: { PreToolUse: [{ handler: a.two }] }')
    await Promise.all([first, team.loadConfigFile('later.yaml')])
    expect(await decided(team, null)).toBe('ask one\ncode\ntwo')
    await team.registerHooksFromConfig({ PreToolUse: [{ handler: 'a.three' }] })
    expect(await decided(team, null)).toBe('ask three\ncode\ntwo')
  })

  it('of one agent is cleared with its hooks', async () => {
    const team = manager()
    await team.registerHooksFromConfig(TEAM)
    await team.registerHooksFromConfig({ PreToolUse: { override: true, hooks: [] } }, 'four')
    for (const agent of ['one', 'two', 'three', 'four']) team.clearAgentHooks(agent)
    for (const agent of ['one', 'two', 'three', 'four']) {
      expect(await decided(team, agent)).toBe(`ask python ${agent}`)
    }
  })

  it('takes effect from the moment it is requested: calls wait while it is read', async () => {
    const team = manager()
    const loading = team.registerHooksFromConfig({ PreToolUse: [{ handler: './deny.sh', type: 'command' }] })
    expect(await decided(team, null)).toBe('deny command Write')
    await loading
  })

  it('as a mapping is for all agents, or for one (R-004-15, R-004-16)', async () => {
    const team = manager()
    await team.registerHooksFromConfig({ PreToolUse: [{ handler: './deny.sh', type: 'command' }] })
    await team.registerHooksFromConfig({ PreToolUse: { override: true, hooks: [] } }, 'one')
    expect(await decided(team, 'one')).toBe('allow')
    expect(await decided(team, 'two')).toBe('deny command Write')
    // The same source again replaces its earlier hooks.
    await team.registerHooksFromConfig({}, 'one')
    expect(await decided(team, 'one')).toBe('deny command Write')
  })

  it('can name handlers that the program itself provides, with any type', async () => {
    const says = (name: string) => () => HookResult.ask(name)
    const handlers = { 'massgen.hooks.audit': says('a'), './gone.py': says('b'), mine: says('c') }
    const team = manager({ handlers })
    await team.registerHooksFromConfig(`hooks:
  PreToolUse:
    - { handler: massgen.hooks.audit }
    - { handler: ./gone.py, type: command }
    - { handler: mine, type: callable }
`)
    expect(await decided(team, null)).toBe('ask a\nb\nc')
  })
})

describe('a handler that cannot be resolved denies (R-004-28)', () => {
  it.each([
    ['a missing module', '{ handler: nowhere.audit }'],
    ['a missing function', '{ handler: guards.audits }'],
    ['a name that is not a function', '{ handler: "not a name" }'],
    ['a missing script', '{ handler: ./gone.sh, type: command }'],
    ['a missing file', '{ handler: "./gone.mjs#check", type: module }'],
    ['a missing export', '{ handler: "./check.mjs#other", type: module }'],
    ['a function that is not registered', '{ handler: audit, type: callable }'],
  ])('%s', async (_name, hook) => {
    const team = manager()
    await team.registerHooksFromConfig(`hooks: { PreToolUse: [${hook}] }`)
    const result = await team.executeHooks(PRE, { tool_name: 'x', tool_input: {} })
    expect(result).toMatchObject({ allowed: false, decision: 'deny' })
    expect(result.hook_errors).toEqual([expect.stringContaining(': import: ')])
  })
})

describe('a wrong configuration', () => {
  it.each<[string, (of: GeneralHookManager) => Promise<unknown>]>([
    ['is not YAML', (of) => of.registerHooksFromConfig('hooks: [')],
    ['is a list', (of) => of.registerHooksFromConfig('- hooks')],
    ['does not exist', (of) => of.loadConfigFile('nowhere.yaml')],
    ['is not JSON', (of) => of.registerHooksFromConfig({ PreToolUse: [{ handler: 1n as never }] })],
    ['has no name', (of) => of.loadConfigFile(undefined as never)],
    ['is text for one agent', (of) => of.registerHooksFromConfig('hooks: {}', 'one')],
  ])('because it %s is reported, and every call is denied', async (_name, load) => {
    const team = manager()
    await expect(load(team)).rejects.toThrow(/CONFIG_|HOOK_INVALID/)
    expect(await decided(team, null)).toMatch(/^deny /)
    expect(await decided(team, null, 'Write', POST)).toBe('allow')
    team.clearHooks()
    expect(await decided(team, null)).toBe('allow')
  })

  it('in one entry is reported, and the others are used', async () => {
    const problems = await manager().registerHooksFromConfig(`hooks:
  PreToolUse: [{ handler: x.py, type: shell }, { handler: ./deny.sh, type: command }]
  BeforeTool: [{ handler: a.b }]
`)
    expect(problems).toMatchObject([{ key: 'hooks.PreToolUse[0].type' }, { key: 'hooks.BeforeTool' }])
  })

  it('is used again after it is corrected', async () => {
    const team = manager()
    await expect(team.registerHooksFromConfig('hooks: [')).rejects.toThrow()
    await team.registerHooksFromConfig('hooks: {}')
    expect(await decided(team, null)).toBe('allow')
  })
})
