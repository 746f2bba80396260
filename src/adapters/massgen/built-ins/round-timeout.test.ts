import { describe, expect, it } from 'vitest'
import { HookType } from '../../../core/formats/massgen-hook-type.ts'
import { GeneralHookManager } from '../general-hook-manager.ts'
import { RoundTimeout, type RoundTimeoutOptions } from './round-timeout.ts'

/** A round with its own clock, in seconds. */
function round(more: Partial<RoundTimeoutOptions> = {}) {
  let seconds = 0
  const ended: (string | null)[] = []
  const timeout = new RoundTimeout({
    softSeconds: 100,
    graceSeconds: 20,
    onTerminate: (agent) => void ended.push(agent),
    now: () => seconds * 1_000,
    ...more,
  })
  const manager = new GeneralHookManager()
  manager.registerGlobalHook(HookType.PRE_TOOL_USE, timeout.pre)
  manager.registerGlobalHook(HookType.POST_TOOL_USE, timeout.post)
  const ask = (type: HookType, tool: string, agent: string | null) =>
    manager.executeHooks(type, { agent_id: agent, tool_name: tool, tool_input: {} })
  return {
    timeout,
    ended,
    at: (now: number) => {
      seconds = now
    },
    beforeCall: async (tool = 'Bash', agent: string | null = 'one') =>
      (await ask(HookType.PRE_TOOL_USE, tool, agent)).decision,
    afterCall: async (agent: string | null = 'one') =>
      (await ask(HookType.POST_TOOL_USE, 'Bash', agent)).inject?.strategy,
    ask,
  }
}

describe('the time of a round', () => {
  it('causes one warning, then only tools that end the round are allowed', async () => {
    const { at, beforeCall, afterCall } = round()
    expect([await beforeCall(), await afterCall()]).toEqual(['allow', undefined])
    at(105)
    expect(await beforeCall()).toBe('allow')
    expect(await afterCall()).toBe('user_message')
    expect(await afterCall()).toBeUndefined()
    at(124)
    expect(await beforeCall()).toBe('allow')
    at(125)
    expect(await beforeCall()).toBe('deny')
    expect(await beforeCall('vote')).toBe('allow')
    expect(await beforeCall('mcp__team__new_answer')).toBe('allow')
    expect(await beforeCall('upvote')).toBe('deny')
  })

  it('is also over for an agent that got no warning', async () => {
    const { at, beforeCall } = round()
    await beforeCall()
    at(119)
    expect(await beforeCall()).toBe('allow')
    at(120)
    expect(await beforeCall()).toBe('deny')
  })

  it('is separate for each agent, and starts again', async () => {
    const { at, beforeCall, timeout } = round()
    await beforeCall()
    at(130)
    expect(await beforeCall()).toBe('deny')
    expect(await beforeCall('Bash', 'two')).toBe('allow')
    timeout.startRound('one', 5)
    expect(await beforeCall()).toBe('allow')
    at(160)
    expect(await beforeCall()).toBe('deny')
  })

  it('ends the round after ten denials in a row, and reports that once', async () => {
    const { at, beforeCall, ended, timeout } = round()
    await beforeCall()
    at(200)
    for (let i = 0; i < 9; i += 1) await beforeCall()
    expect(timeout.isTerminated('one')).toBe(false)
    await beforeCall('vote')
    for (let i = 0; i < 9; i += 1) await beforeCall()
    expect(ended).toEqual([])
    for (let i = 0; i < 3; i += 1) expect(await beforeCall()).toBe('deny')
    expect(ended).toEqual(['one'])
    expect(timeout.isTerminated('one')).toBe(true)
  })

  it('denies even if its listener or its clock throws', async () => {
    const loud = round({
      denialsMax: 1,
      onTerminate: () => {
        throw new Error('listener')
      },
    })
    await loud.beforeCall()
    loud.at(500)
    const result = await loud.ask(HookType.PRE_TOOL_USE, 'Bash', 'one')
    expect(result).toMatchObject({ decision: 'deny', hook_errors: [expect.stringContaining('listener')] })
    const broken = round({
      now: () => {
        throw new Error('clock')
      },
    })
    expect(await broken.beforeCall()).toBe('deny')
  })

  it('must be a number of seconds', () => {
    expect(() => round({ softSeconds: Number.NaN })).toThrow(/HOOK_INVALID/)
    expect(() => round({ softSeconds: undefined as unknown as number })).toThrow(/HOOK_INVALID/)
    expect(() => round({ graceSeconds: -1 })).toThrow(/HOOK_INVALID/)
    expect(() => round({ terminalTools: 'vote' as never })).toThrow(/HOOK_INVALID/)
    expect(() => round({ denialsMax: 0 })).toThrow(/HOOK_INVALID/)
    expect(() => round({ onTerminate: 1 as never })).toThrow(/HOOK_INVALID/)
    expect(() => new RoundTimeout(undefined as never)).toThrow(/HOOK_INVALID/)
  })
})
