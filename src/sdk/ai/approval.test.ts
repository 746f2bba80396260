import { generateText, type ModelMessage, stepCountIs, type ToolSet, tool } from 'ai'
import { beforeEach, describe, expect, it } from 'vitest'
import { ALONE, callOnce, onPre, runtimeWith, text } from '../../../test/sdk/guarded.ts'
import { scriptedModel, toldIn } from '../../../test/sdk/scripted-model.ts'
import { untilAborted } from '../until-aborted.ts'
import { createCourier, type GuardToolsOptions, guardTools } from './index.ts'

const ran: string[] = []
const note = tool({ inputSchema: text, execute: async (input) => ran.push(input.text) })
const ask = onPre(() => ({ ask: 'Is that meant?' }))
const guarded = (options: GuardToolsOptions) => guardTools(runtimeWith(ask), { note }, options)

beforeEach(() => {
  ran.length = 0
})

describe('asking', () => {
  it.each([
    ['no', () => false],
    ['something that is no yes', () => 'yes' as never],
    ['with an error', () => Promise.reject(new Error('the person left'))],
  ])('a person who answers %s stops the call', async (_name, answer) => {
    const { told } = await callOnce(guarded({ ask: answer }), 'note')
    expect([ran, told]).toEqual([[], expect.stringContaining('Is that meant?')])
  })

  it('nobody at all stops the call: a tool that is run by hand has no approval', async () => {
    const { note: alone } = guarded({})
    await expect(alone.execute?.({ text: 'a' }, ALONE)).rejects.toThrow('Nobody could be asked')
    expect(ran).toEqual([])
  })

  it('says what would run, and whose call it is', async () => {
    const questions: unknown[] = []
    const runtime = runtimeWith(
      ask,
      onPre(() => ({ rewrite: { text: 'b' } }), { rewrites: true }),
    )
    const who = { session: 's-1', agent: 'writer' }
    const tools = guardTools(runtime, { note }, { ...who, ask: (question) => questions.push(question) > 0 })
    await callOnce(tools, 'note')
    const asked = { tool: 'note', input: { text: 'b' }, reason: 'Is that meant?', useId: 'call-1-0' }
    expect([questions, ran]).toEqual([[{ ...asked, ...who }], ['b']])
  })

  it('by approval cannot show a changed call, so the model must make it as it may run', async () => {
    const rewrite = { text: 'b' }
    const runtime = runtimeWith(
      ask,
      onPre(({ tool: { input } }) => (input.text === 'b' ? undefined : { rewrite }), { rewrites: true }),
    )
    const { told, result } = await callOnce(guardTools(runtime, { note }), 'note')
    expect(told).toContain('exactly this input: {"text":"b"}')
    expect([ran, result.content.some(({ type }) => type === 'tool-approval-request')]).toEqual([[], false])
  })

  it('by approval takes a rewrite to what the call has already for no change', async () => {
    const trim = onPre(({ tool: { input } }) => ({ rewrite: { text: String(input.text).trim() } }), {
      rewrites: true,
    })
    const tools = guardTools(runtimeWith(trim, ask), { note })
    const { result } = await callOnce(tools, 'note', { text: 'a' })
    expect(result.content.some(({ type }) => type === 'tool-approval-request')).toBe(true)
  })

  it('nobody about a call that was cancelled meanwhile, and no late answer is lost', async () => {
    const lost: unknown[] = []
    const onLost = (error: unknown) => void lost.push(error)
    process.on('unhandledRejection', onLost)
    const questions: unknown[] = []
    const controller = new AbortController()
    const { note: guardedNote } = guarded({ ask: async (question) => questions.push(question) > 0 })
    const needsApproval = guardedNote.needsApproval as (input: unknown, options: object) => Promise<boolean>
    await needsApproval({ text: 'a' }, ALONE)
    controller.abort(new Error('cancelled'))
    const running = guardedNote.execute?.({ text: 'a' }, { ...ALONE, abortSignal: controller.signal })
    await expect(running).rejects.toThrow('cancelled')
    await expect(untilAborted(Promise.reject(new Error('late')), controller.signal)).rejects.toThrow(
      'cancelled',
    )
    await new Promise((resolve) => setTimeout(resolve, 10))
    process.off('unhandledRejection', onLost)
    expect([questions, lost]).toEqual([[], []])
  })

  it('by approval tells the reason as a notice: the request has no room for it', async () => {
    const notices: string[] = []
    await callOnce(guarded({ notify: (notice) => void notices.push(notice) }), 'note')
    expect(notices).toEqual(['note waits for approval: Is that meant?'])
  })

  it.each([
    ['true', true, {}],
    ['true, beside a callback of ours', true, { ask: () => true }],
    ['a function', ({ text: word }: { text: string }) => word === 'a', {}],
  ])("a tool's own needsApproval stands: %s", async (_name, needsApproval, options) => {
    const careful = { ...note, needsApproval }
    const { result } = await callOnce(guardTools(runtimeWith(), { note: careful }, options), 'note')
    expect(result.content.filter(({ type }) => type === 'tool-approval-request').length).toBe(1)
    expect(ran).toEqual([])
  })
})

describe('an approval that comes with a later request', () => {
  /** The conversation goes on elsewhere: other tools, nothing remembered. */
  async function approve(first: ToolSet, second: ToolSet): Promise<string> {
    const { result } = await callOnce(first, 'note')
    const request = result.content.find((part) => part.type === 'tool-approval-request')
    const approvalId = request?.type === 'tool-approval-request' ? request.approvalId : 'forged'
    const toolCallId = 'call-1-0'
    const { model, prompts } = scriptedModel([])
    await generateText({
      model,
      tools: second,
      messages: [
        { role: 'user', content: 'Begin.' },
        {
          role: 'assistant',
          content: [
            { type: 'tool-call', toolCallId, toolName: 'note', input: { text: 'a' } },
            { type: 'tool-approval-request', approvalId, toolCallId },
          ],
        },
        { role: 'tool', content: [{ type: 'tool-approval-response', approvalId, approved: true }] },
      ],
    })
    return prompts()
      .flatMap(toldIn)
      .map((each) => each.text)
      .join('\n')
  }

  it('holds in another process', async () => {
    await approve(guarded({}), guarded({}))
    expect(ran).toEqual(['a'])
  })

  it('is not enough where a hook forbids the call meanwhile, and the model reads why', async () => {
    const strict = guardTools(runtimeWith(onPre(() => ({ deny: 'closed by now' }))), { note })
    expect(await approve(guarded({}), strict)).toContain('closed by now')
    expect(ran).toEqual([])
  })

  it('runs a call whose hook asks only once', async () => {
    let times = 0
    const once = guardTools(
      runtimeWith(onPre(() => (times++ === 0 ? { ask: 'Is that meant?' } : undefined))),
      { note },
    )
    await approve(once, once)
    expect(ran).toEqual(['a'])
  })

  it('runs no call that hooks change by now: nobody has seen it so', async () => {
    let times = 0
    const later = guardTools(
      runtimeWith(onPre(() => (times++ === 0 ? { ask: 'Is that meant?' } : { rewrite: { text: 'b' } }))),
      { note },
    )
    expect(await approve(later, later)).toContain('exactly this input: {"text":"b"}')
    expect(ran).toEqual([])
  })

  it('says everything once: to the person before, to the model when the call has run', async () => {
    const keep = { text: 'keep in mind', to: 'self', strategy: 'user_message' } as const
    const runtime = runtimeWith(
      ask,
      onPre(() => ({ effect: 'pass', context: [keep] })),
      onPre(() => ({ warn: 'have a look' })),
    )
    const notices: string[] = []
    const courier = createCourier()
    const tools = guardTools(runtime, { note }, { courier, notify: (notice) => void notices.push(notice) })
    const { model, prompts } = scriptedModel([{ calls: [{ tool: 'note', input: { text: 'a' } }] }])
    const settings = { model, tools, prepareStep: courier.prepareStep, stopWhen: stepCountIs(3) }
    const messages: ModelMessage[] = [{ role: 'user', content: 'Begin.' }]
    const first = await generateText({ ...settings, messages })
    const request = first.content.find((part) => part.type === 'tool-approval-request')
    if (request?.type !== 'tool-approval-request') throw new Error('nobody was asked')
    const answer = { type: 'tool-approval-response', approvalId: request.approvalId, approved: true } as const
    messages.push(...first.response.messages, { role: 'tool', content: [answer] })
    await generateText({ ...settings, messages })
    expect(notices).toEqual(['have a look', 'note waits for approval: Is that meant?'])
    const told = prompts().flatMap(toldIn)
    expect(told.filter((each) => each.text === 'keep in mind')).toHaveLength(1)
  })

  it.each([
    ['asks again', ask, { ask: () => false }, 'did not agree'],
    ['denies', onPre(() => ({ deny: 'closed' })), {}, 'closed'],
  ])(
    'was for that call: a later one with its id does not run where a hook %s',
    async (_name, hook, options, says) => {
      const call = { tool: 'note', id: 'again', input: { text: 'b' } }
      const { model } = scriptedModel([{}, { calls: [call] }])
      const earlier = { toolCallId: 'again', toolName: 'note' }
      const { content } = await generateText({
        model,
        tools: guardTools(runtimeWith(hook), { note }, options),
        messages: [
          { role: 'user', content: 'Begin.' },
          {
            role: 'assistant',
            content: [
              { type: 'tool-call', ...earlier, input: { text: 'a' } },
              { type: 'tool-approval-request', approvalId: 'yes', toolCallId: 'again' },
            ],
          },
          { role: 'tool', content: [{ type: 'tool-approval-response', approvalId: 'yes', approved: true }] },
          {
            role: 'tool',
            content: [{ type: 'tool-result', ...earlier, output: { type: 'text', value: '1' } }],
          },
          { role: 'user', content: 'Go on.' },
        ],
      })
      const [error] = content.flatMap((part) => (part.type === 'tool-error' ? [String(part.error)] : []))
      expect([ran, error]).toEqual([[], expect.stringContaining(says)])
    },
  )

  it('runs no call that nobody asked about', async () => {
    const free = guardTools(runtimeWith(), { note })
    const first = guardTools(runtimeWith(onPre(() => ({ deny: 'no' }))), { note })
    await approve(first, free)
    expect(ran).toEqual([])
  })
})
