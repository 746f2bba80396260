import type { generateText, ModelMessage } from 'ai'
import { describe, expect, it } from 'vitest'
import { createCourier } from './step-messages.ts'

const said = (content: string): ModelMessage => ({ role: 'assistant', content })
const asked = (content: string): ModelMessage => ({ role: 'user', content })

describe('a courier', () => {
  it('does nothing unless a hook has a message', () => {
    expect(createCourier().prepareStep({ stepNumber: 0, messages: [asked('hi')] })).toBeUndefined()
  })

  it('keeps each message at its position in all later steps', () => {
    const courier = createCourier()
    courier.send('first')
    courier.send('second')
    const begin = [asked('hi')]
    expect(courier.prepareStep({ stepNumber: 0, messages: begin })).toEqual({
      messages: [asked('hi'), asked('first'), asked('second')],
    })
    courier.send('third')
    const later = [...begin, said('a'), said('b')]
    expect(courier.prepareStep({ stepNumber: 1, messages: later })).toEqual({
      messages: [asked('hi'), asked('first'), asked('second'), said('a'), said('b'), asked('third')],
    })
    expect(courier.prepareStep({ stepNumber: 2, messages: [...later, said('c')] })?.messages.at(-1)).toEqual(
      said('c'),
    )
  })

  it('starts again with a new run, and delivers messages that are still waiting', () => {
    const courier = createCourier()
    courier.send('old')
    courier.prepareStep({ stepNumber: 0, messages: [] })
    courier.send('new')
    expect(courier.prepareStep({ stepNumber: 0, messages: [asked('again')] })).toEqual({
      messages: [asked('again'), asked('new')],
    })
  })

  it.each([
    ['returns nothing', undefined, { messages: [asked('hi'), asked('note')] }],
    [
      'does not change the messages',
      { messages: undefined, temperature: 0 },
      { messages: [asked('hi'), asked('note')], temperature: 0 },
    ],
    ['has its own messages', { messages: [asked('mine')] }, { messages: [asked('mine')] }],
  ])('wraps a prepareStep that %s', async (_name, settings, expected) => {
    const courier = createCourier()
    courier.send('note')
    const seen: ModelMessage[][] = []
    const around = courier.around((step: { stepNumber: number; messages: ModelMessage[] }) => {
      seen.push(step.messages)
      return settings as { messages?: ModelMessage[] } | undefined
    })
    expect(await around({ stepNumber: 0, messages: [asked('hi')] })).toEqual(expected)
    expect(seen).toEqual([[asked('hi'), asked('note')]])
  })

  it('wraps any prepareStep that the SDK accepts', () => {
    const around: Parameters<typeof generateText>[0]['prepareStep'] = createCourier().around(({ steps }) =>
      steps.length > 1 ? { toolChoice: 'none' } : undefined,
    )
    expect(around).toBeTypeOf('function')
  })

  it('ends the run once a hook has, with the first reason', () => {
    const courier = createCourier()
    expect(courier.stopWhen()).toBe(false)
    courier.halt('enough')
    courier.halt('more than enough')
    expect([courier.stopWhen(), courier.halted()]).toEqual([true, 'enough'])
  })
})
