import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Agent, tool as openaiTool, Runner } from '@openai/agents'
import { generateText, stepCountIs, tool } from 'ai'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createCourier, guardTools } from '../../src/adapters/ai/index.ts'
import { holdpointHooks } from '../../src/adapters/claude-agent/index.ts'
import {
  GeneralHookManager,
  HookResult,
  HookType,
  HumanInputHook,
  HumanInputQueue,
  MidStreamInjectionHook,
  RoundTimeout,
} from '../../src/adapters/massgen/index.ts'
import { createRunCourier, guardAgent } from '../../src/adapters/openai-agents/index.ts'
import { openaiModel, toldTo } from './openai-model.ts'
import { scriptedModel, toldIn } from './scripted-model.ts'

const { PRE_TOOL_USE, POST_TOOL_USE } = HookType

/** Runs these calls of a tool `send` in the real AI SDK. */
async function played(
  hooks: GeneralHookManager,
  readers: readonly string[],
  agent = 'writer',
  onSend = () => {},
) {
  const sent: string[] = []
  const send = tool({
    inputSchema: z.object({ to: z.string() }),
    execute: async ({ to }) => {
      sent.push(to)
      onSend()
      return `sent to ${to}`
    },
  })
  const { model, prompts } = scriptedModel(
    readers.map((to) => ({ calls: [{ tool: 'send', input: { to } }] })),
  )
  const courier = createCourier()
  await generateText({
    model,
    tools: guardTools(hooks, { send }, { session: 's', agent, courier }),
    prepareStep: courier.prepareStep,
    stopWhen: [stepCountIs(5)],
    prompt: 'Send it.',
  })
  return {
    sent,
    told: prompts()
      .flatMap(toldIn)
      .map(({ text }) => text)
      .join('\n'),
  }
}

describe('K-40: a GeneralHookManager in the AI SDK', () => {
  it('denies, rewrites and gets MassGen events', async () => {
    const hooks = new GeneralHookManager()
    const seen: unknown[] = []
    hooks.registerGlobalHook(PRE_TOOL_USE, (event) => {
      seen.push([event.hook_type, event.session_id, event.agent_id, event.tool_name])
      return event.tool_input.to === 'all' ? HookResult.deny('Write to one person.') : null
    })
    hooks.registerAgentHook('writer', PRE_TOOL_USE, ({ tool_input: { to } }) =>
      HookResult.allow({ updated_input: { to: `${to}@example.com` } }),
    )
    const { sent, told } = await played(hooks, ['all', 'alice'])
    expect(sent).toEqual(['alice@example.com'])
    expect(told).toContain('Write to one person.')
    expect(seen[0]).toEqual(['PreToolUse', 's', 'writer', 'send'])
    expect((await played(hooks, ['alice'], 'reader')).sent).toEqual(['alice'])
  })

  it('runs the built-in hooks', async () => {
    const hooks = new GeneralHookManager()
    const people = new HumanInputQueue()
    people.add('Be quick.')
    hooks.registerGlobalHook(POST_TOOL_USE, new HumanInputHook(people))
    hooks.registerGlobalHook(POST_TOOL_USE, new MidStreamInjectionHook(() => 'Another agent has an answer.'))
    const { told } = await played(hooks, ['alice'])
    expect(told).toContain('Be quick.')
    expect(told).toContain('Another agent has an answer.')
    let now = 0
    const round = new RoundTimeout({ softSeconds: 4, graceSeconds: 1, now: () => now })
    round.startRound('writer')
    const late = new GeneralHookManager()
    late.registerGlobalHook(PRE_TOOL_USE, round.pre)
    late.registerGlobalHook(POST_TOOL_USE, round.post)
    const slow = () => {
      now += 5_000
    }
    const { sent } = await played(late, ['alice', 'bob', 'carol'], 'writer', slow)
    expect(sent).toEqual(['alice', 'bob'])
  })

  it('denies while a configuration is invalid, and for every other failure before a call', async () => {
    const hooks = new GeneralHookManager()
    await hooks.registerHooksFromConfig('hooks: [').catch(() => {})
    expect((await played(hooks, ['alice'])).sent).toEqual([])
    const whole = new GeneralHookManager()
    for (const event of [null, {}, { kind: 'Nothing' }, { kind: 'PreToolUse' }]) {
      expect(await whole.evaluate(event as never)).toMatchObject({ effect: 'deny' })
    }
    expect(await whole.evaluate({ kind: 'PostToolUse' } as never)).toMatchObject({ effect: 'pass' })
  })
})

describe('K-40: a GeneralHookManager in the Claude Agent SDK', () => {
  const payload = JSON.parse(
    readFileSync(join(import.meta.dirname, '../../src/hosts/claude-code/fixtures/PreToolUse.json'), 'utf8'),
  ) as { readonly hook_event_name: string }
  const signal = new AbortController().signal

  it('answers as the SDK expects', async () => {
    const hooks = new GeneralHookManager()
    const ask = async () => holdpointHooks(hooks).PreToolUse?.[0]?.hooks[0]?.(payload, undefined, { signal })
    expect(await ask()).toEqual({})
    hooks.registerGlobalHook(PRE_TOOL_USE, () => HookResult.deny('Not now.'))
    expect(await ask()).toMatchObject({
      hookSpecificOutput: {
        permissionDecision: 'deny',
        permissionDecisionReason: expect.stringContaining('Not now.'),
      },
    })
  })
})

describe('K-40: a GeneralHookManager in the OpenAI Agents SDK', () => {
  /** A main agent sends, and hands over to a clerk that sends too. */
  async function sentBy(hooks: GeneralHookManager) {
    const sent: string[] = []
    const send = openaiTool({
      name: 'send',
      description: 'Sends.',
      parameters: z.object({ to: z.string() }),
      execute: async ({ to }) => (sent.push(to), `sent to ${to}`),
    })
    const call = (to: string) => ({ calls: [{ tool: 'send', input: { to } }] })
    const model = openaiModel([
      call('all'),
      call('alice'),
      { calls: [{ tool: 'transfer_to_clerk', input: {} }] },
    ])
    const clerk = new Agent({ name: 'clerk', model: openaiModel([call('bob')]), tools: [send] })
    const main = new Agent({ name: 'main', model, tools: [send], handoffs: [clerk] })
    const courier = createRunCourier()
    const runner = new Runner({ tracingDisabled: true, callModelInputFilter: courier.callModelInputFilter })
    await runner.run(guardAgent(hooks, main, { session: 's', agent: 'writer', courier }), 'Send it.')
    return { sent, told: toldTo(model).map(({ text }) => text) }
  }

  it('denies, rewrites, injects, and finds the hooks of the agent that took over', async () => {
    const hooks = new GeneralHookManager()
    const seen: unknown[] = []
    hooks.registerGlobalHook(PRE_TOOL_USE, (event) => {
      seen.push([event.hook_type, event.session_id, event.agent_id, event.tool_name])
      return event.tool_input.to === 'all' ? HookResult.deny('Write to one person.') : null
    })
    hooks.registerAgentHook(
      'clerk',
      PRE_TOOL_USE,
      ({ tool_input: { to } }) => HookResult.allow({ updated_input: { to: `${to}@example.com` } }),
      { matcher: 'send' },
    )
    hooks.registerGlobalHook(POST_TOOL_USE, new MidStreamInjectionHook((agent) => `News for ${agent}.`))
    const { sent, told } = await sentBy(hooks)
    expect(sent).toEqual(['alice', 'bob@example.com'])
    expect(told).toContain('Write to one person.')
    expect(told.join('\n')).toContain('News for writer.')
    expect(seen[0]).toEqual(['PreToolUse', 's', 'writer', 'send'])
    expect(seen.at(-1)).toEqual(['PreToolUse', 's', 'clerk', 'send'])
  })

  it('denies while a configuration is invalid', async () => {
    const hooks = new GeneralHookManager()
    await hooks.registerHooksFromConfig('hooks: [').catch(() => {})
    await expect(sentBy(hooks)).resolves.toMatchObject({ sent: [] })
  })
})
