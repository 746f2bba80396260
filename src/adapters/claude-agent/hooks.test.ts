import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { lastResortOf } from '../../core/deadlines.ts'
import { defineHook } from '../../core/define-hook.ts'
import type { EventKind } from '../../core/event.ts'
import { CLAUDE_EVENTS } from '../../hosts/claude-code/abilities.ts'
import { createRuntime, type Runtime } from '../../library/runtime.ts'
import { EVENTS, holdpointHooks, holdpointOptions } from './index.ts'
import type { SdkEvent } from './sdk-types.ts'

/** Payloads recorded from the real program; the SDK passes the same. */
const folder = join(import.meta.dirname, '..', '..', 'hosts', 'claude-code', 'fixtures')
type Payload = { hook_event_name: SdkEvent; [key: string]: unknown }
const PAYLOADS = readdirSync(folder).map(
  (name) => [name, JSON.parse(readFileSync(join(folder, name), 'utf8')) as Payload] as const,
)
const payloadOf = (name: string) => {
  const found = PAYLOADS.find(([file]) => file === `${name}.json`)
  if (found === undefined) throw new Error(`no payload ${name}`)
  return found[1]
}

const ALL = Object.keys(CLAUDE_EVENTS) as SdkEvent[]
const signal = new AbortController().signal

async function answered(runtime: Pick<Runtime, 'evaluate'>, payload: Payload): Promise<object> {
  const [matcher] = holdpointHooks(runtime, { events: ALL })[payload.hook_event_name] ?? []
  const answer = await matcher?.hooks[0]?.(payload, undefined, { signal })
  if (answer === undefined) throw new Error(`no hook at ${payload.hook_event_name}`)
  return answer
}

function runtimeWith(kind: EventKind, answer: object): Runtime {
  const runtime = createRuntime()
  runtime.register(defineHook({ on: kind, run: () => answer as { deny: string } }), { id: 'team/rule' })
  return runtime
}

describe('the hooks of a query (R-004-02)', () => {
  it('are registered for events that can be stopped, and for the start and end of sessions', () => {
    expect(Object.keys(holdpointHooks(createRuntime())).sort()).toEqual([...EVENTS].sort())
    expect(Object.keys(holdpointHooks(createRuntime(), { events: ['Stop'] }))).toEqual(['Stop'])
  })

  it.each(ALL)(
    'at %s block on a failure if the event can be stopped, and have enough time to answer',
    (event) => {
      const [matcher] = holdpointHooks(createRuntime(), { events: [event] })[event] ?? []
      expect(matcher?.onFailure).toBe(lastResortOf(event) === 'deny' ? 'block' : 'continue')
      expect(matcher?.timeout).toBeGreaterThan(5)
    },
  )

  it.each(PAYLOADS)('have no answer to %s unless a hook has one', async (_name, payload) => {
    expect(await answered(createRuntime(), payload)).toEqual({})
  })

  it.each(PAYLOADS)('of %s get what a hook of the program itself gets', async (_name, payload) => {
    const seen: object[] = []
    const runtime = createRuntime()
    runtime.register(
      defineHook({
        run: ({ session, cwd, agentId, raw }) =>
          void seen.push({ session, cwd, agentId, transcript: raw.transcript_path, effort: raw.effort }),
      }),
    )
    await answered(runtime, payload)
    const { session_id, cwd, agent_id, transcript_path, effort } = payload
    expect(seen).toEqual([
      { session: session_id, cwd, agentId: agent_id, transcript: transcript_path, effort },
    ])
  })

  it.each([
    ['PreToolUse', { hookSpecificOutput: { permissionDecision: 'deny', permissionDecisionReason: 'no' } }],
    ['PermissionRequest', { hookSpecificOutput: { decision: { behavior: 'deny', message: 'no' } } }],
    ['UserPromptSubmit', { decision: 'block', reason: 'no' }],
    ['PostToolUse', { decision: 'block', reason: 'no' }],
    ['Stop', { decision: 'block', reason: 'no' }],
    ['SubagentStop', { decision: 'block', reason: 'no' }],
    ['PreCompact', { decision: 'block', reason: 'no' }],
    ['SessionStart', { systemMessage: expect.stringContaining('does not let hooks block this event') }],
  ] as const)('deny at %s in the format of that event', async (kind, expected) => {
    expect(await answered(runtimeWith(kind, { deny: 'no' }), payloadOf(kind))).toMatchObject(expected)
  })
})

describe('an event that cannot be evaluated', () => {
  const broken = { evaluate: () => Promise.reject(new Error('gone')) }

  it.each(['PreToolUse', 'PermissionRequest', 'UserPromptSubmit'] as const)(
    'is denied at %s',
    async (kind) => {
      expect(JSON.stringify(await answered(broken, payloadOf(kind)))).toMatch(/"(deny|block)".*gone/)
    },
  )

  it.each(['PostToolUse', 'Stop', 'SessionStart'] as const)(
    'passes at %s, and the user gets a notice',
    async (kind) => {
      expect(await answered(broken, payloadOf(kind))).toEqual({
        systemMessage: expect.stringContaining('gone'),
      })
    },
  )

  it.each([
    ['without a tool', { tool_name: undefined }],
    ['with an input that is not an object', { tool_input: 'rm' }],
    ['with a list', { tool_input: [] }],
  ])('is denied: a call %s', async (_name, change) => {
    const answer = await answered(createRuntime(), { ...payloadOf('PreToolUse'), ...change })
    expect(answer).toMatchObject({ hookSpecificOutput: { permissionDecision: 'deny' } })
  })

  it('is left to the program once it has cancelled the hook', async () => {
    const controller = new AbortController()
    const [matcher] = holdpointHooks({ evaluate: () => new Promise(() => {}) }).PreToolUse ?? []
    const answer = matcher?.hooks[0]?.(payloadOf('PreToolUse'), 'id', { signal: controller.signal })
    controller.abort(new Error('cancelled'))
    await expect(answer).rejects.toThrow('cancelled')
  })
})

describe('text for the agent', () => {
  it('waits for the next event of the same agent that can deliver it', async () => {
    const runtime = createRuntime()
    runtime.register(defineHook({ on: 'Notification', run: () => ({ context: 'keep in mind' }) }))
    const hooks = holdpointHooks(runtime)
    const at = (name: SdkEvent, more: object) =>
      hooks[name]?.[0]?.hooks[0]?.({ ...payloadOf('PreToolUse'), ...more, hook_event_name: name }, 'id', {
        signal,
      })
    const notified = { message: 'look', notification_type: 'idle' }
    expect(await at('Notification', notified)).toEqual({})
    expect(await at('PreToolUse', { agent_id: 'another' })).toEqual({})
    expect(await at('PreToolUse', {})).toEqual({
      hookSpecificOutput: { hookEventName: 'PreToolUse', additionalContext: 'keep in mind' },
    })
    expect(await at('PreToolUse', {})).toEqual({})
  })
})

describe('canUseTool', () => {
  const payload = payloadOf('PreToolUse')
  const question = { signal, toolUseID: String(payload.tool_use_id) }
  const input = { command: 'ls' }

  /** What the user was asked, and the answer to the SDK. */
  async function permitted(runtime: Pick<Runtime, 'evaluate'>, answer: () => unknown = () => true) {
    const asked: object[] = []
    const { hooks, canUseTool } = holdpointOptions(runtime, {
      ask: (each) => {
        const { signal: _signal, ...rest } = each
        asked.push(rest)
        return answer() as boolean
      },
    })
    await hooks.PreToolUse?.[0]?.hooks[0]?.(payload, question.toolUseID, { signal })
    const given = { ...question, agentID: 'a-1', decisionReason: 'Is that meant?' }
    return { asked, result: await canUseTool('Bash', input, given) }
  }

  it('asks the user if no hook decides, and names the agent', async () => {
    expect(await permitted(createRuntime())).toEqual({
      asked: [
        {
          tool: 'Bash',
          input,
          reason: 'Is that meant?',
          useId: question.toolUseID,
          session: payload.session_id,
          agent: 'a-1',
        },
      ],
      result: { behavior: 'allow', updatedInput: input },
    })
  })

  it.each([
    ['no', () => false],
    ['a value other than true', () => 'yes'],
    ['with an error', () => Promise.reject(new Error('the person left'))],
    [
      'by throwing',
      () => {
        throw new Error('the person left')
      },
    ],
  ])('does not permit the call if the user answers %s', async (_name, answer) => {
    expect((await permitted(createRuntime(), answer)).result.behavior).toBe('deny')
  })

  it("a hook's deny comes before the question", async () => {
    const { asked, result } = await permitted(runtimeWith('PermissionRequest', { deny: 'not at all' }))
    expect([asked, result]).toEqual([[], { behavior: 'deny', message: 'not at all' }])
  })

  it('the user sees the input as hooks changed it, and that input runs', async () => {
    const rewrite = { command: 'ls -l' }
    const { asked, result } = await permitted(runtimeWith('PermissionRequest', { rewrite }))
    expect(asked).toMatchObject([{ input: rewrite }])
    expect(result).toEqual({ behavior: 'allow', updatedInput: rewrite })
  })

  it('a hook that may grant permissions answers instead of the user', async () => {
    const runtime = createRuntime()
    const hook = defineHook({ on: 'PermissionRequest', run: () => ({ allow: true }) as const })
    runtime.register(hook, { grants: true })
    expect((await permitted(runtime)).asked).toEqual([])
  })

  it('a call that cannot be evaluated is not permitted', async () => {
    const runtime = { evaluate: () => Promise.reject(new Error('gone')) }
    const { result } = await permitted(runtime)
    expect(result).toEqual({ behavior: 'deny', message: expect.stringContaining('gone') })
  })

  it('evaluates PermissionRequest itself, because a hook of that event would run in parallel', () => {
    const { hooks } = holdpointOptions(createRuntime(), { ask: () => true, events: ['PermissionRequest'] })
    expect(Object.keys(hooks)).toEqual(['PreToolUse'])
  })
})
