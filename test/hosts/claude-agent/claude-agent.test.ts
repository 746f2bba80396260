import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sdkContract } from '../../../src/adapters/adapter.contract.ts'
import { claudeAgentSdk } from '../../../src/adapters/claude-agent/adapter.ts'
import { holdpointHooks, holdpointOptions } from '../../../src/adapters/claude-agent/index.ts'
import {
  GeneralHookManager,
  HookResult,
  HookType,
  MidStreamInjectionHook,
} from '../../../src/adapters/massgen/index.ts'
import { createRuntime, defineHook } from '../../../src/index.ts'
import { NOTE, openStage, type Stage } from './play.ts'

let stage: Stage | undefined
const opened = () => {
  if (stage === undefined) throw new Error('the stage is not open')
  return stage
}
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage?.close())

sdkContract({ adapter: claudeAgentSdk, play: (...scene) => opened().play(...scene) })

const note = (text: string) => ({ uses: [{ name: NOTE, input: { text } }] })
const shell = (command: string) => ({ uses: [{ name: 'Bash', input: { command, description: 'Try' } }] })
const said = (told: readonly { readonly text: string }[]) => told.map(({ text }) => text).join('\n')

describe('the hooks of the Claude Agent SDK', () => {
  it('check the calls of a query with packs', async () => {
    const hooks = holdpointHooks(createRuntime({ packs: ['safety'] }))
    const turns = [shell('git push --force origin main'), shell('echo harmless')]
    const { told } = await opened().run(turns, { hooks, allowedTools: ['Bash'] })
    expect(said(told)).toMatch(/force/)
    expect(said(told)).toMatch(/^harmless$/m)
  })

  it('decide at PermissionRequest before the user can', async () => {
    const runtime = createRuntime()
    runtime.register(defineHook({ on: 'PermissionRequest', run: async () => ({ deny: 'not at all' }) }))
    const options = holdpointOptions(runtime, { ask: () => true })
    const { ran, told } = await opened().run([note('a')], { ...options, allowedTools: [] })
    expect([ran, said(told).includes('not at all')]).toEqual([[], true])
  })

  it('can replace the output of a shell by a text', async () => {
    const runtime = createRuntime()
    runtime.register(defineHook({ on: 'PostToolUse', run: () => ({ effect: 'pass', output: 'masked' }) }))
    const options = { hooks: holdpointHooks(runtime), allowedTools: ['Bash'] }
    const { told } = await opened().run([shell('echo secret; echo secret >&2')], options)
    expect([said(told).includes('masked'), said(told).includes('secret')]).toEqual([true, false])
  })

  it('for one type of agent apply only to that type', async () => {
    const runtime = createRuntime()
    runtime.register(
      defineHook({ on: 'PreToolUse', match: NOTE, run: () => ({ deny: 'not as a helper' }) }),
      {
        agent: 'general-purpose',
      },
    )
    const turns = [[{ delegate: [[{ note: 'inner' }]] }], [{ note: 'outer' }]]
    const { ran } = await opened().play({ arrange: () => {}, turns }, runtime, [])
    expect(ran).toEqual(['outer'])
  })

  it("check the calls of a query with MassGen's hooks, and with its built-in hooks", async () => {
    const manager = new GeneralHookManager()
    manager.registerGlobalHook(HookType.PRE_TOOL_USE, ({ tool_input: { text } }) =>
      text === 'a' ? HookResult.deny('Not this one.') : null,
    )
    manager.registerGlobalHook(HookType.POST_TOOL_USE, new MidStreamInjectionHook(() => 'News of the team.'))
    const hooks = holdpointHooks(manager)
    const { ran, told } = await opened().run([note('a'), note('b')], { hooks, allowedTools: [NOTE] })
    expect(ran).toEqual(['b'])
    expect(said(told)).toMatch(/Not this one\..*News of the team\./s)
  })

  it('deny the call if the runtime fails', async () => {
    const hooks = holdpointHooks(
      { evaluate: () => Promise.reject(new Error('gone')) },
      { events: ['PreToolUse'] },
    )
    const { ran, told } = await opened().run([note('a')], { hooks, allowedTools: [NOTE] })
    expect([ran, said(told).includes('gone')]).toEqual([[], true])
  })

  it('check the part of a 10 MB output that the model gets: the program keeps the rest in a file', async () => {
    const seen: string[] = []
    const runtime = createRuntime()
    runtime.register(
      defineHook({ on: 'PostToolUse', run: ({ output }) => void seen.push(JSON.stringify(output)) }),
    )
    const options = { hooks: holdpointHooks(runtime), allowedTools: [NOTE] }
    const { ran, told } = await opened().run([note('large')], options)
    expect([ran, seen.length]).toEqual([['large'], 1])
    expect(seen[0]).toContain('saved to')
    expect(said(told)).toContain('saved to')
  })
})
