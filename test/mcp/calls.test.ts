import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../src/core/json.ts'
import { type Answers, bytesOf, call, errorOf, openGate, ready, result, shown, textOf } from './gate.ts'

describe('a call through the gate', () => {
  it('that is denied becomes a result for the model, and does not reach the server', async () => {
    const { client } = openGate({ PreToolUse: { effect: 'deny', reason: 'Not on Sundays.' } })
    const { toServer, toClient } = await client(call(1))
    expect(toServer).toEqual([])
    expect(JSON.parse(toClient[0] ?? '')).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: {
        content: [{ type: 'text', text: 'Holdpoint denied this call. Not on Sundays.' }],
        isError: true,
      },
    })
  })

  it('that should end the workflow does not run', async () => {
    const { client } = openGate({ PreToolUse: { halt: 'Enough.' } })
    const { toServer, toClient } = await client(call(1))
    expect([toServer, textOf(toClient[0])]).toEqual([[], 'Holdpoint denied this call. Enough.'])
  })

  it('that is rewritten reaches the server changed, with everything else unchanged', async () => {
    const { client, server, judged } = openGate({ PreToolUse: { rewrite: { path: 'b' } } })
    const { toServer } = await client(call(1, 'write', { path: 'a' }, { _meta: { progressToken: 3 } }))
    expect(toServer.map((text) => JSON.parse(text))).toEqual([
      call(1, 'write', { path: 'b' }, { _meta: { progressToken: 3 } }),
    ])
    await server(result(1))
    expect(judged[1]).toMatchObject({ tool: { input: { path: 'b' } } })
  })

  it('with context gives the agent the context with the result', async () => {
    const { client, server } = openGate({
      PreToolUse: { context: [{ text: 'Be kind.', to: 'self' }] },
      PostToolUse: { context: [{ text: 'And brief.', to: 'self' }] },
    })
    await client(call(1))
    const { toClient } = await server(result(1, 'done', { _meta: { a: 1 } }))
    expect(textOf(toClient[0])).toBe('done|Be kind.|And brief.')
    expect(toClient[0]).toContain('"_meta":{"a":1}')
  })

  it('whose result is denied gives the model the reason, and not the result', async () => {
    const { client, server } = openGate({ PostToolUse: { effect: 'deny', reason: 'It holds a secret.' } })
    await client(call(1))
    const { toClient } = await server(result(1, 'the secret'))
    expect(textOf(toClient[0])).toBe('Holdpoint denied this call. It holds a secret.')
  })

  it('gives the model a result that hooks replaced', async () => {
    const { client, server } = openGate({ PostToolUse: { output: 'masked' } })
    await client(call(1))
    expect(textOf((await server(result(1, 'the secret'))).toClient[0])).toBe('masked')
  })

  it.each<[string, JsonObject]>([
    ['an error', { jsonrpc: '2.0', id: 1, error: { code: -32603, message: 'broken' } }],
    ['a failed result', result(1, 'broken', { isError: true })],
  ])('that fails is checked as a failure, and hooks may change its text: %s', async (_name, answer) => {
    const { client, server, judged } = openGate()
    await client(call(1))
    expect((await server(answer)).toClient).toEqual([JSON.stringify(answer)])
    expect(judged[1]).toMatchObject({ kind: 'PostToolUseFailure', error: 'broken', interrupted: false })
    const strict = openGate({ PostToolUseFailure: { output: 'masked' } })
    await strict.client(call(1))
    expect(textOf((await strict.server(answer)).toClient[0])).toBe('masked')
  })

  it.each<[string, JsonObject, string]>([
    [
      'data of an error',
      { error: { code: -1, message: 'broken', data: { k: 'secret' } } },
      'broken\n{"data":',
    ],
    [
      'data of a result',
      result(1, 'broken', { isError: true, structuredContent: { k: 'secret' } }),
      'broken\n{',
    ],
    [
      'a resource',
      {
        result: { isError: true, content: [{ type: 'resource', resource: { uri: 'a:b', text: 'secret' } }] },
      },
      '{"type":"resource"',
    ],
  ])('that fails is completely visible to hooks: %s', async (_name, answer, begins) => {
    const { client, server, judged } = openGate()
    await client(call(1))
    await server({ jsonrpc: '2.0', id: 1, ...answer })
    const [, event] = judged
    expect(event?.kind === 'PostToolUseFailure' && event.error.startsWith(begins)).toBe(true)
    expect(event).toMatchObject({ error: expect.stringContaining('secret') })
  })

  it.each<[string, Json]>([
    ['no name', { id: 1, method: 'tools/call', params: { arguments: {} } }],
    ['a name that is a list', call(1, ['a'])],
    ['an empty name', call(1, '')],
    ['arguments that are a list', call(1, 'a', [1])],
    ['arguments that are a text', call(1, 'a', 'x')],
    ['no params', { id: 1, method: 'tools/call' }],
    ['an argument in two cases', call(1, 'a', { path: 'notes.txt', Path: '.env' })],
    ['a name in another case beside it', call(1, 'a', {}, { Name: 'delete' })],
  ])('without required fields is refused: %s', async (_name, message) => {
    const { client, judged } = openGate()
    const { toServer, toClient } = await client(message)
    expect([toServer, judged]).toEqual([[], []])
    expect(JSON.parse(toClient[0] ?? '')).toMatchObject({ id: 1, error: { code: -32602 } })
  })

  it('of a hidden tool is refused, and recorded', async () => {
    const { client, refused, judged } = openGate({}, { tools: { refusal: (name) => `No ${name} here.` } })
    const { toServer, toClient } = await client(call(1))
    expect([toServer, textOf(toClient[0]), judged]).toEqual([
      [],
      'Holdpoint denied this call. No write here.',
      [],
    ])
    expect(refused).toEqual(['PreToolUse: No write here.'])
  })

  it('that is still being checked has no result yet, whatever the server sends', async () => {
    const { gate, server } = openGate({ PreToolUse: { effect: 'deny', reason: 'no' } })
    const judged = gate.fromClient(bytesOf(call(1)), () => {})
    expect((await server(result(1, 'guessed'))).toClient).toEqual([])
    expect(textOf(shown(await judged).toClient[0])).toContain('no')
  })

  it('leads to one notice about a tool that changed', async () => {
    const warnings = ['It changed.']
    const { client, server } = openGate({}, { tools: { warnings: () => warnings.splice(0) } })
    await client(call(1))
    await client(call(2))
    expect(textOf((await server(result(2))).toClient[0])).toBe('done|It changed.')
    expect(textOf((await server(result(1))).toClient[0])).toBe('done')
  })
})

describe('a cancelled call through the gate', () => {
  const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }

  it('is sent to the server, and a late result is dropped', async () => {
    const { client, server, judged } = openGate()
    await client(call(1))
    expect((await client(cancel)).toServer).toEqual([JSON.stringify(cancel)])
    expect(await server(result(1))).toEqual({ toServer: [], toClient: [] })
    expect(judged[1]).toMatchObject({ kind: 'PostToolUseFailure', interrupted: true })
  })

  it('that is still being checked never reaches the server', async () => {
    const { gate, client } = openGate()
    const judged = gate.fromClient(bytesOf(call(1)), () => {})
    expect(await client(cancel)).toEqual({ toServer: [], toClient: [] })
    expect(shown(await judged)).toEqual({ toServer: [], toClient: [] })
  })

  it('ends the question to the user', async () => {
    const { gate, client, now } = openGate({ PreToolUse: { effect: 'ask', reason: 'Sure?' } })
    await client(ready({ elicitation: {} }))
    const asked = gate.fromClient(bytesOf(call(1)), (bytes) => void now.push(JSON.parse(bytes.toString())))
    await Promise.resolve()
    await Promise.resolve()
    await client(cancel)
    expect(shown(await asked)).toEqual({ toServer: [], toClient: [] })
    expect(now.map(({ method }) => method)).toEqual(['elicitation/create', 'notifications/cancelled'])
  })
})

describe('a request id that may still be answered', () => {
  const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }
  const other = { jsonrpc: '2.0', id: 1, method: 'resources/list' }

  it('cannot be used again: the late result of a cancelled call would count as its answer', async () => {
    const { client, server } = openGate()
    await client(call(1))
    await client(cancel)
    const { toServer, toClient } = await client(other)
    expect([toServer, errorOf(toClient[0])]).toEqual([[], expect.stringContaining('an earlier request')])
    expect((await server(result(1, 'secret'))).toClient).toEqual([])
  })

  it('cannot be used again if answers may be sent once more', async () => {
    const { client, server } = openGate({ PostToolUse: { output: 'masked' } }, { replays: true })
    await client(call(1))
    await server(result(1, 'secret'))
    expect((await client(other)).toServer).toEqual([])
    expect(textOf((await server(result(1, 'secret'))).toClient[0])).toBe('masked')
  })
})

describe('a call that the user must allow', () => {
  const ASK: Answers = { PreToolUse: { effect: 'ask', reason: 'It costs money.' } }

  async function answered(answer: JsonObject) {
    const { gate, client, judged } = openGate(ASK)
    await client(ready({ elicitation: { form: {} } }))
    let question: JsonObject = {}
    const passage = await gate.fromClient(bytesOf(call(1)), (bytes) => {
      question = JSON.parse(bytes.toString())
      void client({ jsonrpc: '2.0', id: question.id ?? null, ...answer })
    })
    return { question, judged, ...shown(passage) }
  }

  it('runs after a yes', async () => {
    const { question, toServer } = await answered({
      result: { action: 'accept', content: { answer: 'yes' } },
    })
    expect(question).toMatchObject({
      method: 'elicitation/create',
      params: {
        message: expect.stringMatching(/mcp__files__write runs\. It costs money\.[\s\S]*"path":"a"/),
      },
    })
    expect(toServer).toEqual([JSON.stringify(call(1))])
  })

  it.each<[string, JsonObject]>([
    ['no', { result: { action: 'accept', content: { answer: 'no' } } }],
    ['declined', { result: { action: 'decline' } }],
    ['cancelled', { result: { action: 'cancel' } }],
    ['accepted without a value', { result: { action: 'accept' } }],
    ['accepted with another value', { result: { action: 'accept', content: { answer: true } } }],
    ['an error', { error: { code: -32603, message: 'no form' } }],
    ['nonsense', { result: [] }],
  ])('does not run after anything else: %s', async (_name, answer) => {
    const { toServer, toClient, judged } = await answered(answer)
    expect([toServer, textOf(toClient[0])]).toEqual([[], expect.stringContaining('did not say yes')])
    expect(judged.map(({ kind }) => kind)).toEqual(['PreToolUse', 'PermissionDenied'])
  })

  it.each<[string, JsonObject]>([
    ['that cannot ask', {}],
    ['that only opens pages', { elicitation: { url: {} } }],
  ])('is denied with a client %s', async (_name, capabilities) => {
    const { client, now } = openGate(ASK)
    await client(ready(capabilities))
    const { toServer, toClient } = await client(call(1))
    expect([toServer, textOf(toClient[0]), now]).toEqual([
      [],
      'Holdpoint denied this call. It costs money.',
      [],
    ])
  })

  it('is shown up to a limit, with the number of hidden characters', async () => {
    const { gate, client, now } = openGate(ASK)
    await client(ready({ elicitation: {} }))
    const long = bytesOf(call(1, 'write', { path: 'a'.repeat(2_000) }))
    void gate.fromClient(long, (bytes) => void now.push(JSON.parse(bytes.toString())))
    await Promise.resolve()
    await Promise.resolve()
    expect(JSON.stringify(now[0])).toContain('... (1011 more characters)')
    await gate.serverGone('end of the test')
  })

  it('is denied if too many questions already wait for the user', async () => {
    const { gate, client, now } = openGate(ASK)
    await client(ready({ elicitation: {} }))
    const passages = Array.from({ length: 40 }, (_each, id) =>
      gate.fromClient(bytesOf(call(id)), (bytes) => void now.push(JSON.parse(bytes.toString()))),
    )
    const denied = await Promise.all(passages.slice(32))
    expect(denied.map((passage) => textOf(shown(passage).toClient[0]))).toEqual(
      Array.from({ length: 8 }, () => expect.stringContaining('did not say yes')),
    )
    expect(now.filter(({ method }) => method === 'elicitation/create')).toHaveLength(32)
    await gate.serverGone('end of the test')
  })

  it('cannot be allowed by the server', async () => {
    const { gate, client, server, now } = openGate(ASK)
    await client(ready({ elicitation: {} }))
    const asked = gate.fromClient(bytesOf(call(1)), (bytes) => void now.push(JSON.parse(bytes.toString())))
    await Promise.resolve()
    await Promise.resolve()
    const forged = { id: now[0]?.id ?? '', result: { action: 'accept', content: { answer: 'yes' } } }
    expect((await server(forged)).toClient).toEqual([])
    await gate.serverGone('end of the test')
    expect(shown(await asked).toServer).toEqual([])
  })
})

describe('a call that becomes a task', () => {
  const task = { jsonrpc: '2.0', id: 1, result: { task: { taskId: 't1', status: 'working' } } }

  it('is checked when its result is requested', async () => {
    const { client, server, judged } = openGate({ PostToolUse: { output: 'masked' } })
    await client(call(1, 'research', {}, { task: {} }))
    expect((await server(task)).toClient).toEqual([JSON.stringify(task)])
    expect(judged).toHaveLength(1)
    await client({ jsonrpc: '2.0', id: 2, method: 'tasks/result', params: { taskId: 't1' } })
    expect(textOf((await server(result(2, 'secret'))).toClient[0])).toBe('masked')
  })

  it('that was not started here has no result here', async () => {
    const { client } = openGate()
    const { toServer, toClient } = await client({ id: 2, method: 'tasks/result', params: { taskId: 'x' } })
    expect([toServer, errorOf(toClient[0])]).toEqual([[], expect.stringContaining('was not started')])
  })

  it('is not a task if the client did not request one', async () => {
    const { client, server, judged } = openGate()
    await client(call(1))
    await server(task)
    expect(judged).toHaveLength(2)
  })
})
