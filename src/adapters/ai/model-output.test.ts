import { describe, expect, it } from 'vitest'
import { createModelTexts } from './model-output.ts'

type Own = Parameters<ReturnType<typeof createModelTexts>['telling']>[0]

const OUTPUT = { any: 'thing' }

async function told(own: Own, output: unknown, id = 'call-1') {
  const texts = createModelTexts()
  texts.add('call-1', output, ['one', 'two'])
  return await texts.telling(own)({ toolCallId: id, input: {}, output })
}

describe('texts below an output', () => {
  it.each([
    ['a text', () => ({ type: 'text', value: 'hello' }), { type: 'text', value: 'hello\n\none\n\ntwo' }],
    ['json', () => ({ type: 'json', value: { a: 1 } }), { type: 'text', value: '{"a":1}\n\none\n\ntwo' }],
    [
      'an error',
      () => ({ type: 'error-text', value: 'oh' }),
      { type: 'error-text', value: 'oh\n\none\n\ntwo' },
    ],
    [
      'an error as json',
      () => ({ type: 'error-json', value: { a: 1 } }),
      { type: 'error-text', value: '{"a":1}\n\none\n\ntwo' },
    ],
    ['a denial', () => ({ type: 'execution-denied' }), { type: 'execution-denied', reason: 'one\n\ntwo' }],
    [
      'contents',
      () => ({ type: 'content', value: [{ type: 'text', text: 'hello' }] }),
      {
        type: 'content',
        value: [
          { type: 'text', text: 'hello' },
          { type: 'text', text: 'one\n\ntwo' },
        ],
      },
    ],
    ['what the SDK makes of an object', undefined, { type: 'text', value: '{"any":"thing"}\n\none\n\ntwo' }],
  ] as [string, Own, object][])('%s', async (_name, own, expected) => {
    expect(await told(own, OUTPUT)).toEqual(expected)
  })

  it.each([
    ['a string', 'plain', { type: 'text', value: 'plain' }],
    ['nothing', undefined, { type: 'json', value: null }],
    ['a list', [1], { type: 'json', value: [1] }],
  ])('do not change the output of another call: %s', async (_name, output, expected) => {
    expect(await told(undefined, output, 'call-2')).toEqual(expected)
  })

  it('belong to one output, even if a model reuses the ids of its calls', async () => {
    const texts = createModelTexts()
    texts.add('call-1', { n: 1 }, ['one'])
    expect(await texts.telling(undefined)({ toolCallId: 'call-1', input: {}, output: { n: 1 } })).toEqual({
      type: 'json',
      value: { n: 1 },
    })
  })

  it('of an earlier call are not added to a later one with the same id', async () => {
    const texts = createModelTexts()
    texts.add('call-1', 'same', ['one'])
    texts.add('call-1', 'same', [])
    expect(await texts.telling(undefined)({ toolCallId: 'call-1', input: {}, output: 'same' })).toEqual({
      type: 'text',
      value: 'same',
    })
  })

  it('are dropped after many calls', async () => {
    const texts = createModelTexts()
    for (let i = 0; i <= 1_000; i += 1) texts.add(`call-${i}`, 'same', ['one'])
    const tell = (id: string) => texts.telling(undefined)({ toolCallId: id, input: {}, output: 'same' })
    expect(await tell('call-0')).toEqual({ type: 'text', value: 'same' })
    expect(await tell('call-1')).toEqual({ type: 'text', value: 'same\n\none' })
  })
})

describe('version 5 of the SDK, which passes the output alone and does not wait', () => {
  const telling = (own: Own, output: unknown) => {
    const texts = createModelTexts(false)
    texts.add('call-1', OUTPUT, ['one'])
    texts.add('call-2', 'same', ['two'])
    return (texts.telling(own) as unknown as (output: unknown) => object)(output)
  }

  it.each([
    ['its output', undefined, OUTPUT, { type: 'text', value: '{"any":"thing"}\n\none' }],
    ['a text', undefined, 'same', { type: 'text', value: 'same\n\ntwo' }],
    ['an equal object of another call', undefined, { any: 'thing' }, { type: 'json', value: OUTPUT }],
    [
      'what its tool makes of it',
      () => ({ type: 'text', value: 'x' }),
      OUTPUT,
      { type: 'text', value: 'x\n\none' },
    ],
  ] as [string, Own, unknown, object][])(
    'gets the texts below %s at once',
    (_name, own, output, expected) => {
      expect(telling(own, output)).toEqual(expected)
    },
  )
})
