import { describe, expect, it } from 'vitest'
import { HookType } from '../../../core/formats/massgen-hook-type.ts'
import type { MassGenResult } from '../../../core/formats/massgen-result.ts'
import type { FunctionHook } from '../function-hook.ts'
import { GeneralHookManager } from '../general-hook-manager.ts'
import { type BackgroundResult, BackgroundToolCompleteHook } from './background-tool-complete.ts'
import { HighPriorityTaskReminderHook } from './high-priority-task-reminder.ts'
import { type DeliveredInput, HumanInputHook, HumanInputQueue } from './human-input.ts'
import { type InjectionCallback, MidStreamInjectionHook } from './mid-stream-injection.ts'
import { SubagentCompleteHook, type SubagentResult } from './subagent-complete.ts'

interface After {
  readonly tool?: string
  readonly output?: string | null
  readonly agent?: string | null
}

function managerWith(...hooks: readonly FunctionHook[]): GeneralHookManager {
  const manager = new GeneralHookManager()
  for (const hook of hooks) manager.registerGlobalHook(HookType.POST_TOOL_USE, hook)
  return manager
}

const afterCall = (
  of: GeneralHookManager | FunctionHook,
  { tool = 'x', output = null, agent = 'one' }: After = {},
) =>
  (of instanceof GeneralHookManager ? of : managerWith(of)).executeHooks(HookType.POST_TOOL_USE, {
    agent_id: agent,
    tool_name: tool,
    tool_input: {},
    tool_output: output,
  })
const textOf = ({ inject }: MassGenResult) => inject?.content

describe('mid-stream injection (R-004-07)', () => {
  it.each<[string, InjectionCallback, string | undefined]>([
    ['nothing', () => null, undefined],
    ['no text', () => '', undefined],
    ['a text', () => 'mind this', 'mind this'],
    ['a text, later', async (agent) => `for ${agent}`, 'for one'],
  ])('of %s', async (_name, callback, expected) => {
    expect(textOf(await afterCall(new MidStreamInjectionHook(callback)))).toBe(expected)
  })

  it.each<[string, InjectionCallback]>([
    [
      'throws',
      () => {
        throw new Error('broken')
      },
    ],
    ['rejects', async () => Promise.reject(new Error('broken'))],
    ['returns a number', () => 7 as unknown as string],
  ])('by a function that %s is skipped with an error', async (_name, callback) => {
    const result = await afterCall(new MidStreamInjectionHook(callback))
    expect(result).toMatchObject({ allowed: true, inject: null, hook_errors: [expect.any(String)] })
  })

  it('is delivered with the requested strategy', async () => {
    const hook = new MidStreamInjectionHook(() => 'x', { strategy: 'user_message' })
    expect((await afterCall(hook)).inject?.strategy).toBe('user_message')
  })
})

describe('the reminder after a high-priority task', () => {
  const done = { task: { id: 't1', priority: 'high', status: 'completed' } }
  it.each<[string, string, unknown, boolean]>([
    ['a completed one', 'update_task_status', done, true],
    ['behind the prefix of a server', 'mcp__planning__update_task_status', done, true],
    ['of another tool', 'create_task', done, false],
    ['of low priority', 'update_task_status', { task: { ...done.task, priority: 'low' } }, false],
    ['not finished', 'update_task_status', { task: { ...done.task, status: 'in_progress' } }, false],
    ['no output', 'update_task_status', null, false],
    ['output that is not JSON', 'update_task_status', 'done!', false],
    ['output without a task', 'update_task_status', { success: true }, false],
    ['output that is a list', 'update_task_status', [done], false],
  ])('%s', async (_name, tool, output, reminds) => {
    const text = output === null || typeof output === 'string' ? output : JSON.stringify(output)
    const { inject } = await afterCall(new HighPriorityTaskReminderHook(), { tool, output: text })
    expect(inject?.strategy).toBe(reminds ? 'user_message' : undefined)
  })
})

describe('sub-agents that have finished', () => {
  const result = (id: string, more: Partial<SubagentResult> = {}): SubagentResult => ({
    subagent_id: id,
    status: 'completed',
    answer: `answer of ${id}`,
    ...more,
  })

  it.each<[string, readonly SubagentResult[], readonly string[]]>([
    [
      'one',
      [result('a', { execution_time_seconds: 1.23 })],
      ['A sub-agent has', '[a] completed after 1.2 s:\nanswer of a'],
    ],
    ['several', [result('a'), result('b')], ['2 sub-agents have', 'answer of a', 'answer of b']],
    [
      'out of time',
      [result('a', { status: 'timeout', answer: 'half' })],
      ['[a] ran out of time', 'so far:\nhalf'],
    ],
    ['failed', [result('a', { status: 'error', answer: null, error: 'no key' })], ['[a] failed: no key']],
    ['without an answer', [result('a', { answer: '' })], ['(no answer)']],
  ])('%s', async (_name, results, says) => {
    const text = textOf(await afterCall(new SubagentCompleteHook(() => results)))
    for (const each of says) expect(text).toContain(each)
  })

  it('none, and a list that cannot be read', async () => {
    expect(await afterCall(new SubagentCompleteHook(async () => []))).toMatchObject({
      inject: null,
      hook_errors: [],
    })
    expect(await afterCall(new SubagentCompleteHook(() => null))).toMatchObject({
      inject: null,
      hook_errors: [],
    })
    const broken = new SubagentCompleteHook(() => {
      throw new Error('gone')
    })
    expect(await afterCall(broken)).toMatchObject({
      allowed: true,
      inject: null,
      hook_errors: [expect.any(String)],
    })
  })

  it('are requested for their parent agent', async () => {
    const hook = new SubagentCompleteHook((agent) => (agent === 'two' ? [result('a')] : []))
    expect(textOf(await afterCall(hook))).toBeUndefined()
    expect(textOf(await afterCall(hook, { agent: 'two' }))).toContain('answer of a')
  })
})

describe('background jobs that have ended', () => {
  const job = (more: Partial<BackgroundResult> = {}): BackgroundResult => ({
    job_id: 'j1',
    tool_name: 'Bash',
    status: 'completed',
    ...more,
  })

  it.each<[string, BackgroundResult, string]>([
    ['with its result', job({ result: 'ok' }), '[j1] Bash completed:\nok'],
    ['with its error', job({ status: 'failed', error: 'exit 1' }), '[j1] Bash failed:\nError: exit 1'],
    ['without output', job(), '(no output)'],
    [
      'with the beginning of a long result',
      job({ result: 'x'.repeat(700) }),
      `${'x'.repeat(600)}… (100 more characters)`,
    ],
  ])('are reported %s', async (_name, result, says) => {
    expect(textOf(await afterCall(new BackgroundToolCompleteHook(() => [result])))).toContain(says)
  })

  it('are not reported if there are none', async () => {
    expect((await afterCall(new BackgroundToolCompleteHook(() => []))).inject).toBeNull()
    expect(await afterCall(new BackgroundToolCompleteHook(() => null))).toMatchObject({
      inject: null,
      hook_errors: [],
    })
  })
})

describe('text that users type meanwhile', () => {
  it('reaches every agent once, oldest first, as a message', async () => {
    const queue = new HumanInputQueue()
    const manager = managerWith(new HumanInputHook(queue))
    queue.add('stop that')
    queue.add('and look here')
    expect((await afterCall(manager)).inject).toEqual({
      content: 'The user says: stop that\nThe user says: and look here',
      strategy: 'user_message',
    })
    expect((await afterCall(manager)).inject).toBeNull()
    expect(textOf(await afterCall(manager, { agent: 'two' }))).toContain('stop that')
    expect(textOf(await afterCall(manager, { agent: null }))).toContain('stop that')
  })

  it('reaches only its targets, and is done when all have it', async () => {
    const queue = new HumanInputQueue()
    const manager = managerWith(new HumanInputHook(queue))
    queue.add('for two', ['two'])
    expect((await afterCall(manager)).inject).toBeNull()
    expect(queue.pendingFor('two')).toHaveLength(1)
    expect(textOf(await afterCall(manager, { agent: 'two' }))).toContain('for two')
    expect(queue.history()).toEqual([{ id: 'input-1', agentId: 'two', text: 'for two' }])
    expect(queue.remove('input-1')).toBe(false)
  })

  it('reaches an agent once, with two managers', async () => {
    const queue = new HumanInputQueue()
    const managers = [managerWith(new HumanInputHook(queue)), managerWith(new HumanInputHook(queue))]
    queue.add('once')
    const results = await Promise.all([...managers, ...managers].map((manager) => afterCall(manager)))
    expect(results.filter(({ inject }) => inject !== null)).toHaveLength(1)
  })

  it('can be removed', async () => {
    const queue = new HumanInputQueue()
    const manager = managerWith(new HumanInputHook(queue))
    expect(queue.remove(queue.add('no'))).toBe(true)
    queue.add('nor this')
    queue.clear()
    expect((await afterCall(manager)).inject).toBeNull()
    expect(() => queue.add(' ')).toThrow(/HOOK_INVALID/)
    expect(() => queue.add('x', 'one' as never)).toThrow(/HOOK_INVALID/)
    expect(() => queue.add('x', [])).toThrow(/HOOK_INVALID/)
  })

  it('is delivered even if the listener throws', async () => {
    const queue = new HumanInputQueue()
    const delivered: DeliveredInput[] = []
    const hook = new HumanInputHook(queue, {
      onDelivered: (each) => {
        delivered.push(each)
        throw new Error('listener')
      },
    })
    queue.add('hello')
    expect(await afterCall(hook)).toMatchObject({
      inject: { content: 'The user says: hello' },
      hook_errors: [expect.stringContaining('listener')],
    })
    expect(delivered).toMatchObject([{ agentId: 'one', text: 'hello' }])
  })
})

describe('a built-in with a wrong argument', () => {
  it.each<[string, () => unknown]>([
    ['an injection', () => new MidStreamInjectionHook('x' as unknown as InjectionCallback)],
    ['sub-agents', () => new SubagentCompleteHook([] as never)],
    ['background work', () => new BackgroundToolCompleteHook(null as never)],
    ['a queue', () => new HumanInputHook({} as never)],
  ])('is refused at once: %s', (_name, make) => {
    expect(make).toThrow(/HOOK_INVALID/)
  })
})
