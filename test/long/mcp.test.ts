import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CreateMessageRequestSchema, ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { published } from '../mcp/client.ts'
import { createMcpWorld, type McpWorld } from '../mcp/world.ts'

/** `holdpoint mcp` before servers from npm, each with the official client. */

let world: McpWorld
beforeEach(() => {
  world = createMcpWorld()
})
afterEach(() => world.end())

const files = (...options: readonly string[]) =>
  world.gate(['--name', 'files', ...options], published('filesystem', world.project))

describe('the filesystem server', () => {
  it('gets the call as hooks changed it, and the client the result as they left it', async () => {
    const updatedInput = { path: join(world.project, 'b.txt'), content: 'changed' }
    const changed = { updatedToolOutput: 'masked', additionalContext: 'Ask before you share it.' }
    world.hooks({
      PreToolUse: {
        match: 'mcp__files__write_file',
        rewrites: true,
        answer: { hookSpecificOutput: { updatedInput } },
      },
      PostToolUse: { match: 'mcp__files__read_text_file', answer: { hookSpecificOutput: changed } },
    })
    const { call } = await files()
    await call('write_file', { path: join(world.project, 'a.txt'), content: 'x' })
    expect(existsSync(join(world.project, 'a.txt'))).toBe(false)
    expect(readFileSync(join(world.project, 'b.txt'), 'utf8')).toBe('changed')
    const { result } = await call('read_text_file', { path: join(world.project, 'b.txt') })
    expect(result.content).toEqual([
      { type: 'text', text: 'masked' },
      { type: 'text', text: 'Ask before you share it.' },
    ])
  })

  it('follows the configuration while it runs', async () => {
    const { call } = await files()
    const read = () => call('list_directory', { path: world.project })
    expect((await read()).isError).toBe(false)
    world.hooks({ PreToolUse: { answer: { decision: 'block', reason: 'From now on, no.' } } })
    expect((await read()).text).toBe('Holdpoint denied this call. From now on, no.')
    world.userConfig('version: 1\npacks: {}\n')
    expect((await read()).isError).toBe(false)
  })

  it('is stopped by a configuration that cannot be read, and by a hook that fails', async () => {
    world.userConfig('version: [')
    const { call, stderr } = await files()
    expect((await call('list_directory', { path: world.project })).text).toContain('PLAN_MISSING')
    expect(stderr()).toContain('holdpoint: ')
    world.userConfig('version: 1\npacks: {}\nhooks:\n  PreToolUse:\n    - run: /no/such/program\n')
    const denied = await call('list_directory', { path: world.project })
    expect([denied.isError, denied.text.startsWith('Holdpoint denied this call.')]).toEqual([true, true])
  })

  it('has no hidden tools', async () => {
    const { client, call } = await files('--hide', '*write*', '--hide', 'move_file')
    const names = (await client.listTools()).tools.map(({ name }) => name)
    expect(names).toContain('read_text_file')
    expect(names).not.toContain('write_file')
    const denied = await call('write_file', { path: join(world.project, 'a.txt'), content: 'x' })
    expect([denied.isError, existsSync(join(world.project, 'a.txt'))]).toEqual([true, false])
    await client.close()
    expect(await world.journal()).toMatchObject([{ effect: 'deny', because: ['holdpoint/mcp'] }])
  })
})

describe('a question', () => {
  const ASKS = {
    PreToolUse: { answer: { permissionDecision: 'ask', permissionDecisionReason: 'It costs money.' } },
  }

  it.each<['accept' | 'decline', boolean]>([
    ['accept', false],
    ['decline', true],
  ])('is put to the person by the client: %s', async (action, isError) => {
    world.hooks(ASKS)
    const questions: string[] = []
    const person = (message: string) => {
      questions.push(message)
      return { action, content: { answer: 'yes' } }
    }
    const { call } = await world.gate([], published('filesystem', world.project), { person })
    expect((await call('list_allowed_directories')).isError).toBe(isError)
    expect(questions).toEqual([expect.stringContaining('It costs money.')])
  })

  it('is a deny where the client can ask nobody', async () => {
    world.hooks(ASKS)
    const { call } = await files()
    expect((await call('list_allowed_directories')).text).toBe('Holdpoint denied this call. It costs money.')
  })
})

it('the memory server says the same with and without the gate', async () => {
  const said = async (index: number) => {
    const env = { MEMORY_FILE_PATH: join(world.folder, `memory-${index}.jsonl`) }
    const server = published('memory')
    const { client, call } = await (index === 0
      ? world.client(server, { env })
      : world.gate([], server, { env }))
    const entities = [{ name: 'Ann', entityType: 'person', observations: ['likes tea'] }]
    return {
      tools: (await client.listTools()).tools,
      server: client.getServerVersion(),
      can: client.getServerCapabilities(),
      results: [
        await call('create_entities', { entities }),
        await call('search_nodes', { query: 'Ann' }),
        await call('delete_entities', { entityNames: ['Ann'] }),
        await call('no_such_tool').catch(String),
      ],
    }
  }
  expect(await said(1)).toEqual(await said(0))
})

describe('the everything server', () => {
  it('what it asks, tells and offers goes through', async () => {
    const { client, call } = await world.gate([], published('everything'))
    client.setRequestHandler(CreateMessageRequestSchema, async () => ({
      model: 'm',
      role: 'assistant',
      content: { type: 'text', text: 'sampled' },
    }))
    client.setRequestHandler(ListRootsRequestSchema, async () => ({
      roots: [{ uri: 'file:///srv/project' }],
    }))
    const long = (duration: number) => ({
      name: 'trigger-long-running-operation',
      arguments: { duration, steps: 3 },
    })
    const progress: number[] = []
    await client.callTool(long(0.3), undefined, { onprogress: (told) => progress.push(told.progress) })
    // The client drops what arrives together with the result.
    expect(progress.slice(0, 2)).toEqual([1, 2])
    expect((await call('trigger-sampling-request', { prompt: 'x' })).text).toContain('sampled')
    const { result } = await call('get-structured-content', { location: 'New York' })
    expect(result.structuredContent).toBeDefined()
    expect((await client.listResources()).resources.length).toBeGreaterThan(0)
    expect((await client.listPrompts()).prompts.length).toBeGreaterThan(0)
    const cancel = new AbortController()
    const cancelled = client.callTool(long(60), undefined, { signal: cancel.signal })
    cancel.abort('enough')
    await expect(cancelled).rejects.toThrow('enough')
    expect((await call('echo', { message: 'still here' })).text).toContain('still here')
  })

  it('data of a result is masked with its text, and says what is added', async () => {
    const answer = { hookSpecificOutput: { updatedToolOutput: 'masked' } }
    world.hooks({ PostToolUse: { answer } })
    const { client, call } = await world.gate(['--drop-output-schemas'], published('everything'))
    await client.listTools()
    const weather = () => call('get-structured-content', { location: 'New York' })
    expect((await weather()).result).toEqual({ content: [{ type: 'text', text: 'masked' }] })
    world.hooks({ PostToolUse: { answer: { hookSpecificOutput: { additionalContext: 'Tell nobody.' } } } })
    expect((await weather()).result.structuredContent).toMatchObject({
      temperature: expect.anything(),
      holdpoint: ['Tell nobody.'],
    })
  })

  it('a client that holds a tool to its promise takes what policies changed', async () => {
    world.hooks({ PostToolUse: { answer: { hookSpecificOutput: { updatedToolOutput: 'masked' } } } })
    const { client, call } = await world.gate([], published('everything'))
    await client.listTools()
    const weather = () => call('get-structured-content', { location: 'New York' })
    expect((await weather()).result).toEqual({
      content: [{ type: 'text', text: 'masked' }],
      isError: true,
    })
    world.hooks({ PostToolUse: { answer: { hookSpecificOutput: { additionalContext: 'Tell nobody.' } } } })
    const { result, text } = await weather()
    expect(text).toContain('Tell nobody.')
    expect(result.structuredContent).not.toHaveProperty('holdpoint')
  })

  it('a call that becomes a task is judged when its result comes', async () => {
    const answer = { hookSpecificOutput: { updatedToolOutput: 'masked' } }
    world.hooks({ PostToolUse: { match: 'mcp__all__simulate-research-query', answer } })
    const { client } = await world.gate(['--name', 'all'], published('everything'))
    // From the list the client knows that this tool is a task.
    await client.listTools()
    const input = { name: 'simulate-research-query', arguments: { topic: 'tea' } }
    let text = ''
    for await (const message of client.experimental.tasks.callToolStream(input)) {
      if (message.type === 'result') text = JSON.stringify(message.result.content)
    }
    expect(text).toBe('[{"type":"text","text":"masked"}]')
    await client.close()
    expect((await world.journal()).map(({ event }) => event)).toEqual(['PreToolUse', 'PostToolUse'])
  })
})

it('a gate that is told to end ends its server', async () => {
  const { client } = await world.gate([], published('filesystem', world.project))
  const { pid } = client.transport as unknown as { pid: number }
  const closed = new Promise<void>((resolve) => {
    client.onclose = resolve
  })
  process.kill(pid, 'SIGTERM')
  await closed
})
