import { Agent, type AgentInputItem } from '@openai/agents'
import { describe, expect, it } from 'vitest'
import { createRunCourier } from './index.ts'

const agent = new Agent({ name: 'main' }) as never
const user = (content: string): AgentInputItem => ({ type: 'message', role: 'user', content })
const result = (callId: string): AgentInputItem => ({
  type: 'function_call_result',
  name: 'note',
  callId,
  status: 'completed',
  output: { type: 'text', text: 'noted' },
})

describe('a courier', () => {
  const filter = async (courier: ReturnType<typeof createRunCourier>, input: AgentInputItem[]) =>
    (await courier.callModelInputFilter({ modelData: { input }, agent, context: undefined })).input

  it('does nothing unless a hook has a message for this agent', async () => {
    const courier = createRunCourier()
    courier.send('other', 'not for main')
    const input = [user('hi')]
    expect(await filter(courier, input)).toBe(input)
  })

  it('keeps each message behind its item in all later requests', async () => {
    const courier = createRunCourier()
    courier.send('main', 'first')
    courier.send('main', 'second')
    const begin = [user('hi')]
    expect(await filter(courier, begin)).toEqual([user('hi'), user('first'), user('second')])
    const later = [...begin, result('1')]
    courier.send('main', 'third')
    expect(await filter(courier, later)).toEqual([
      ...[user('hi'), user('first'), user('second'), result('1'), user('third')],
    ])
    expect(await filter(courier, [...later, result('2')])).toEqual([
      ...[user('hi'), user('first'), user('second'), result('1'), user('third'), result('2')],
    ])
  })

  it('sends a message once if the service keeps the conversation', async () => {
    const courier = createRunCourier()
    courier.send('main', 'first')
    expect(await filter(courier, [result('1')])).toEqual([result('1'), user('first')])
    expect(await filter(courier, [result('2')])).toEqual([result('2')])
  })

  it('works without any item', async () => {
    const courier = createRunCourier()
    courier.send('main', 'first')
    expect(await filter(courier, [])).toEqual([user('first')])
  })

  it('wraps a filter of the program, which sees the messages', async () => {
    const courier = createRunCourier()
    courier.send('main', 'first')
    const own = courier.around(({ modelData }) => ({ input: [...modelData.input, user('own')] }))
    const { input } = await own({ modelData: { input: [user('hi')] }, agent, context: undefined })
    expect(input).toEqual([user('hi'), user('first'), user('own')])
  })

  it('remembers the first reason to end the run', () => {
    const courier = createRunCourier()
    courier.halt('enough')
    courier.halt('more than enough')
    expect(courier.halted()).toBe('enough')
  })
})
