import { describe, expect, it } from 'vitest'
import type { Json } from '../../src/core/json.ts'
import { call, errorOf, openGate, result, shown, textOf } from './gate.ts'

describe('the gate passes unchanged', () => {
  it.each([
    '{"jsonrpc":"2.0","id":1,"method":"ping"}',
    '{"jsonrpc": "2.0", "id": "one", "method": "resources/read", "params": {"uri": "a", "n": 1.0}}',
    '{"jsonrpc":"2.0","method":"notifications/initialized"}',
    '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":5}}',
    '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}',
    '{"jsonrpc":"2.0","id":7,"result":{"roots":[]}}',
    '{"jsonrpc":"2.0","id":7,"error":{"code":-1,"message":"declined"}}',
    '{"jsonrpc":"2.0","id":1,"method":"a/method/nobody/knows","params":[1,2]}',
    '[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"notifications/x"}]',
  ])('a message from the client: %s', async (text) => {
    const { client, judged } = openGate()
    expect(await client(text)).toEqual({ toServer: [text], toClient: [] })
    expect(judged).toEqual([])
  })

  it.each([
    '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}',
    '{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{"messages":[]}}',
    '{"jsonrpc":"2.0","id":"e","method":"elicitation/create","params":{"message":"?"}}',
    '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"what?"}}',
    '[{"jsonrpc":"2.0","method":"notifications/message","params":{}},{"jsonrpc":"2.0","id":1,"method":"roots/list"}]',
  ])('a message from the server: %s', async (text) => {
    expect(await openGate().server(text)).toEqual({ toServer: [], toClient: [text] })
  })

  it('an answer to a request that it does not check, with the id of the request', async () => {
    const { client, server } = openGate()
    await client('{"jsonrpc":"2.0","id":1,"method":"ping"}')
    await client('{"jsonrpc":"2.0","id":"1","method":"prompts/list"}')
    for (const text of ['{"jsonrpc":"2.0","id":"1","result":{"prompts":[]}}', '{"id":1,"result":{}}']) {
      expect((await server(text)).toClient).toEqual([text])
    }
  })

  it('a call that no hook denies, and its result', async () => {
    const { client, server, judged } = openGate()
    const text = '{"jsonrpc":"2.0", "id":1, "method":"tools/call", "params":{"name":"read.file"}}'
    expect(await client(text)).toEqual({ toServer: [text], toClient: [] })
    const answer = JSON.stringify(result(1))
    expect((await server(answer)).toClient).toEqual([answer])
    expect(judged).toMatchObject([
      { kind: 'PreToolUse', host: 'mcp', session: 's', tool: { name: 'mcp__files__read_file', input: {} } },
      { kind: 'PostToolUse', tool: { server: 'files' }, output: { content: [{ text: 'done' }] } },
    ])
    expect(judged.map((event) => 'tool' in event && event.tool.useId)).toEqual(['id1-1', 'id1-1'])
  })
})

describe('the gate does not pass what might be a call and cannot be checked', () => {
  it.each<[string, string]>([
    ['method twice', '{"id":1,"method":"ping","method":"tools/call","params":{"name":"rm"}}'],
    ['method twice, the harmless one last', '{"id":1,"method":"tools/call","method":"ping"}'],
    ['another case', '{"id":1,"method":"Tools/Call","params":{"name":"rm"}}'],
    ['a space', '{"id":1,"method":"tools/call ","params":{"name":"rm"}}'],
    ['a call that wants no answer', '{"method":"tools/call","params":{"name":"rm"}}'],
    ['a result of a task in another case', '{"id":1,"method":"Tasks/Result","params":{"taskId":"t"}}'],
    ['an unknown method', '{"id":1,"method":"tools/callMany","params":{}}'],
    ['not JSON', '{"id":1,"method":"tools/call",}'],
    ['a call in a batch that cannot be read', '[{"id":1,"method":"tools/call"},{}]'],
    ['a name twice', '{"id":1,"method":"tools/call","params":{"name":"ls","name":"rm"}}'],
    ['an argument twice', '{"id":1,"method":"tools/call","params":{"name":"a","arguments":{"p":1,"p":2}}}'],
  ])('%s', async (_name, text) => {
    const { client, judged, said } = openGate()
    const { toServer, toClient } = await client(text)
    expect([toServer, judged]).toEqual([[], []])
    expect(errorOf(toClient[0])).toContain('Holdpoint does not forward this message')
    expect(said).toHaveLength(1)
  })

  it('a line that a line reader would take for three', async () => {
    const hidden = '{"id":2,"method":"tools/call","params":{"name":"rm"}}'
    const { toServer } = await openGate().client(`{"id":1,"method":"ping","x":\r${hidden}\r}`)
    expect(toServer).toEqual([`{"id":1,"method":"ping","x":${hidden}}`])
  })

  it('a second request with the id of one that waits, because the answers could not be assigned', async () => {
    const { client, server } = openGate({ PostToolUse: { effect: 'deny', reason: 'no' } })
    await client(call(1))
    const second = await client('{"jsonrpc":"2.0","id":1,"method":"ping"}')
    expect(second.toServer).toEqual([])
    expect(JSON.parse(second.toClient[0] ?? '')).toMatchObject({ id: null, error: { code: -32600 } })
    expect(textOf((await server(result(1, 'secret'))).toClient[0])).toContain('no')
  })
})

describe('a batch of messages', () => {
  it('with a call in it is split, and each message is checked', async () => {
    const { client, server } = openGate({ PreToolUse: { effect: 'deny', reason: 'no' } })
    const ping = { jsonrpc: '2.0', id: 2, method: 'ping' }
    const { toServer, toClient } = await client([call(1), ping])
    expect(toServer).toEqual([JSON.stringify(ping)])
    expect(textOf(toClient[0])).toContain('no')
    expect((await server([{ jsonrpc: '2.0', id: 2, result: {} }])).toClient).toHaveLength(1)
  })

  it('of results is checked one by one', async () => {
    const { client, server } = openGate({ PostToolUse: { output: 'masked' } })
    await client(call(1))
    await client(call(2))
    const { toClient } = await server([result(1), result(2), { jsonrpc: '2.0', method: 'notifications/x' }])
    expect(toClient.slice(0, 2).map(textOf)).toEqual(['masked', 'masked'])
  })

  it('in which an id occurs twice is refused', async () => {
    const { client } = openGate()
    const [list, ping] = ['tools/list', 'ping'].map((method) => ({ id: 1, method }))
    const { toServer, toClient } = await client([list ?? null, ping ?? null])
    expect([toServer, toClient.length]).toEqual([[JSON.stringify(list)], 1])
  })
})

describe('a server behind the gate', () => {
  it('that answers out of order has each result checked with its call', async () => {
    const { client, server, judged } = openGate()
    await client(call(1, 'one'))
    await client(call('1', 'two'))
    await server(result('1'))
    await server(result(1))
    expect(judged.slice(2).map((event) => 'tool' in event && event.tool.name)).toEqual([
      'mcp__files__two',
      'mcp__files__one',
    ])
  })

  it.each<[string, Json | string]>([
    ['without a request', result(9)],
    ['with its id as a text', result('1')],
    ['that cannot be read', 'log: started'],
    ['that is not a message', '{"id":1}'],
  ])('that sends an answer %s is ignored, with a notice', async (_name, answer) => {
    const { client, server, said } = openGate()
    await client(call(1))
    expect(await server(answer)).toEqual({
      toServer: [],
      toClient:
        typeof answer === 'string' && answer.startsWith('{') ? [expect.stringContaining('was dropped')] : [],
    })
    expect(said).toHaveLength(1)
  })

  it('that answers a call twice has the second answer dropped, or checked again if answers may be replayed', async () => {
    for (const [replays, count] of [
      [false, 0],
      [true, 1],
    ] as const) {
      const { client, server, judged } = openGate({}, { replays })
      await client(call(1))
      await server(result(1))
      expect((await server(result(1))).toClient).toHaveLength(count)
      expect(judged).toHaveLength(2 + count)
    }
  })

  it.each<[string, Json | string]>([
    ['an id twice', '{"id":1,"id":1,"result":{"content":[]}}'],
    ['a result that is a text', { id: 1, result: 'x' }],
    ['a result that is nothing', { id: 1, result: null }],
  ])('whose answer cannot be checked gives the client an error: %s', async (_name, answer) => {
    const { client, server } = openGate()
    await client(call(1))
    const { toClient } = await server(answer)
    expect(JSON.parse(toClient[0] ?? '')).toMatchObject({ id: 1, error: { code: -32603 } })
  })

  it('that keeps sending invalid messages leads to a limited number of notices', async () => {
    const { server, said } = openGate()
    for (let count = 0; count < 500; count += 1) await server('garbage')
    expect(said).toHaveLength(51)
  })

  it('that ends gives all waiting requests an error, and hooks get the calls that ran', async () => {
    const { gate, client, judged } = openGate()
    await client(call(1))
    await client('{"id":"p","method":"ping"}')
    const { toClient } = shown(await gate.serverGone('The server ended (exit code 3).'))
    expect(toClient.map((text) => JSON.parse(text))).toMatchObject([
      { id: 1, error: { code: -32000, message: 'The server ended (exit code 3).' } },
      { id: 'p', error: { code: -32000 } },
    ])
    expect(judged[1]).toMatchObject({ kind: 'PostToolUseFailure', error: 'The server ended (exit code 3).' })
    const late = await client(call(2))
    expect([late.toServer, errorOf(late.toClient[0])]).toEqual([[], expect.stringContaining('too late')])
  })
})

describe('a list of tools', () => {
  const tools = [{ name: 'read' }, { name: 'write' }]
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }

  it('contains only tools that the client may see', async () => {
    const { client, server } = openGate({}, { tools: { seen: (all) => all.slice(0, 1) } })
    await client(list)
    const { toClient } = await server({ jsonrpc: '2.0', id: 1, result: { tools, nextCursor: 'c' } })
    expect(JSON.parse(toClient[0] ?? '')).toMatchObject({
      result: { tools: [{ name: 'read' }], nextCursor: 'c' },
    })
  })

  it('passes unchanged, with its output schemas', async () => {
    const { client, server } = openGate()
    await client(list)
    const plain = '{"jsonrpc":"2.0", "id":1, "result":{"tools":[{"name":"a"}]}}'
    expect((await server(plain)).toClient).toEqual([plain])
    await client(list)
    const promising = '{"jsonrpc":"2.0", "id":1, "result":{"tools":[{"name":"a","outputSchema":{}}]}}'
    expect((await server(promising)).toClient).toEqual([promising])
  })

  it('that is not a list is an error', async () => {
    const { client, server } = openGate()
    await client(list)
    expect(errorOf((await server({ id: 1, result: { tools: 'all' } })).toClient[0])).toContain(
      'not a list of tools',
    )
  })
})
