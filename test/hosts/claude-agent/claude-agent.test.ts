import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRuntime, defineHook } from '../../../src/index.ts'
import { sdkContract } from '../../../src/sdk/adapter.contract.ts'
import { claudeAgentSdk } from '../../../src/sdk/claude-agent/adapter.ts'
import { holdpointHooks, holdpointOptions } from '../../../src/sdk/claude-agent/index.ts'
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

describe('beside the contract', () => {
  it('packs judge the calls of a query', async () => {
    const hooks = holdpointHooks(createRuntime({ packs: ['safety'] }))
    const turns = [shell('git push --force origin main'), shell('echo harmless')]
    const { told } = await opened().run(turns, { hooks, allowedTools: ['Bash'] })
    expect(said(told)).toMatch(/force/)
    expect(said(told)).toMatch(/^harmless$/m)
  })

  it('a hook at PermissionRequest is heard before a person who is quick', async () => {
    const runtime = createRuntime()
    runtime.register(defineHook({ on: 'PermissionRequest', run: async () => ({ deny: 'not at all' }) }))
    const options = holdpointOptions(runtime, { ask: () => true })
    const { ran, told } = await opened().run([note('a')], { ...options, allowedTools: [] })
    expect([ran, said(told).includes('not at all')]).toEqual([[], true])
  })

  it('a text takes the place of what a shell has printed', async () => {
    const runtime = createRuntime()
    runtime.register(defineHook({ on: 'PostToolUse', run: () => ({ effect: 'pass', output: 'masked' }) }))
    const options = { hooks: holdpointHooks(runtime), allowedTools: ['Bash'] }
    const { told } = await opened().run([shell('echo secret; echo secret >&2')], options)
    expect([said(told).includes('masked'), said(told).includes('secret')]).toEqual([true, false])
  })

  it('a hook for one kind of agent is for that kind alone', async () => {
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

  it('a runtime that fails altogether stops the call', async () => {
    const hooks = holdpointHooks(
      { evaluate: () => Promise.reject(new Error('gone')) },
      { events: ['PreToolUse'] },
    )
    const { ran, told } = await opened().run([note('a')], { hooks, allowedTools: [NOTE] })
    expect([ran, said(told).includes('gone')]).toEqual([[], true])
  })

  it('of an output of 10 MB hooks judge what the model gets: the program keeps the rest in a file', async () => {
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
