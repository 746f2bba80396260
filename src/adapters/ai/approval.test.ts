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
    ['a value other than true', () => 'yes' as never],
    ['with an error', () => Promise.reject(new Error('the person left'))],
  ])('the call is denied if the user answers %s', async (_name, answer) => {
    const { told } = await callOnce(guarded({ ask: answer }), 'note')
    expect([ran, told]).toEqual([[], expect.stringContaining('Is that meant?')])
  })

  it('the call is denied if there is no one to ask: a tool that is run directly has no approval', async () => {
    const { note: alone } = guarded({})
    await expect(alone.execute?.({ text: 'a' }, ALONE)).rejects.toThrow('The user could not be asked')
    expect(ran).toEqual([])
  })

  it('shows what would run, and which agent calls', async () => {
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

  it('by approval cannot show a changed call, so the model must make the changed call itself', async () => {
    const rewrite = { text: 'b' }
    const runtime = runtimeWith(
      ask,
      onPre(({ tool: { input } }) => (input.text === 'b' ? undefined : { rewrite }), { rewrites: true }),
    )
    const { told, result } = await callOnce(guardTools(runtime, { note }), 'note')
    expect(told).toContain('exactly this input: {"text":"b"}')
    expect([ran, result.content.some(({ type }) => type === 'tool-approval-request')]).toEqual([[], false])
  })

  it('by approval ignores a rewrite that changes nothing', async () => {
    const trim = onPre(({ tool: { input } }) => ({ rewrite: { text: String(input.text).trim() } }), {
      rewrites: true,
    })
    const tools = guardTools(runtimeWith(trim, ask), { note })
    const { result } = await callOnce(tools, 'note', { text: 'a' })
    expect(result.content.some(({ type }) => type === 'tool-approval-request')).toBe(true)
  })

  it('does not ask about a call that was cancelled meanwhile, and handles a late answer', async () => {
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

  it('by approval shows the reason as a notice, because the request has no field for it', async () => {
    const notices: string[] = []
    await callOnce(guarded({ notify: (notice) => void notices.push(notice) }), 'note')
    expect(notices).toEqual(['note waits for approval: Is that meant?'])
  })

  it.each([
    ['true', true, {}],
    ['true, next to our callback', true, { ask: () => true }],
    ['a function', ({ text: word }: { text: string }) => word === 'a', {}],
  ])("the tool's own needsApproval still works: %s", async (_name, needsApproval, options) => {
    const careful = { ...note, needsApproval }
    const { result } = await callOnce(guardTools(runtimeWith(), { note: careful }, options), 'note')
    expect(result.content.filter(({ type }) => type === 'tool-approval-request').length).toBe(1)
    expect(ran).toEqual([])
  })
})

describe('an approval that comes with a later request', () => {
  /** The conversation continues in another process: other tools, no state. */
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

  it('is valid in another process', async () => {
    await approve(guarded({}), guarded({}))
    expect(ran).toEqual(['a'])
  })

  it('is not enough if a hook denies the call meanwhile, and the model gets the reason', async () => {
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

  it('does not run a call that hooks change now, because the user has not seen the change', async () => {
    let times = 0
    const later = guardTools(
      runtimeWith(onPre(() => (times++ === 0 ? { ask: 'Is that meant?' } : { rewrite: { text: 'b' } }))),
      { note },
    )
    expect(await approve(later, later)).toContain('exactly this input: {"text":"b"}')
    expect(ran).toEqual([])
  })

  it('shows every text once: to the user before, to the model after the call', async () => {
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
    'is for that call only: a later call with the same id does not run if a hook %s',
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

  it('runs no call that the user was not asked about', async () => {
    const free = guardTools(runtimeWith(), { note })
    const first = guardTools(runtimeWith(onPre(() => ({ deny: 'no' }))), { note })
    await approve(first, free)
    expect(ran).toEqual([])
  })
})
