import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CreateMessageRequestSchema, ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { published } from '../mcp/client.ts'
import { createMcpSandbox, type McpSandbox } from '../mcp/sandbox.ts'

/** `holdpoint mcp` in front of servers from npm, each with the official client. */

let sandbox: McpSandbox
beforeEach(() => {
  sandbox = createMcpSandbox()
})
afterEach(() => sandbox.end())

const files = (...options: readonly string[]) =>
  sandbox.gate(['--name', 'files', ...options], published('filesystem', sandbox.project))

describe('the filesystem server behind the gate', () => {
  it('gets the call as hooks changed it, and the client gets the changed result', async () => {
    const updatedInput = { path: join(sandbox.project, 'b.txt'), content: 'changed' }
    const changed = { updatedToolOutput: 'masked', additionalContext: 'Ask before you share it.' }
    sandbox.hooks({
      PreToolUse: {
        match: 'mcp__files__write_file',
        rewrites: true,
        answer: { hookSpecificOutput: { updatedInput } },
      },
      PostToolUse: { match: 'mcp__files__read_text_file', answer: { hookSpecificOutput: changed } },
    })
    const { call } = await files()
    await call('write_file', { path: join(sandbox.project, 'a.txt'), content: 'x' })
    expect(existsSync(join(sandbox.project, 'a.txt'))).toBe(false)
    expect(readFileSync(join(sandbox.project, 'b.txt'), 'utf8')).toBe('changed')
    const { result } = await call('read_text_file', { path: join(sandbox.project, 'b.txt') })
    expect(result.content).toEqual([
      { type: 'text', text: 'masked' },
      { type: 'text', text: 'Ask before you share it.' },
    ])
  })

  it('follows changes of the configuration while it runs', async () => {
    const { call } = await files()
    const read = () => call('list_directory', { path: sandbox.project })
    expect((await read()).isError).toBe(false)
    sandbox.hooks({ PreToolUse: { answer: { decision: 'block', reason: 'From now on, no.' } } })
    expect((await read()).text).toBe('Holdpoint denied this call. From now on, no.')
    sandbox.userConfig('version: 1\npacks: {}\n')
    expect((await read()).isError).toBe(false)
  })

  it('gets no calls if the configuration cannot be read or a hook fails', async () => {
    sandbox.userConfig('version: [')
    const { call, stderr } = await files()
    expect((await call('list_directory', { path: sandbox.project })).text).toContain('PLAN_MISSING')
    expect(stderr()).toContain('holdpoint: ')
    sandbox.userConfig('version: 1\npacks: {}\nhooks:\n  PreToolUse:\n    - run: /no/such/program\n')
    const denied = await call('list_directory', { path: sandbox.project })
    expect([denied.isError, denied.text.startsWith('Holdpoint denied this call.')]).toEqual([true, true])
  })

  it('does not show or run hidden tools', async () => {
    const { client, call } = await files('--hide', '*write*', '--hide', 'move_file')
    const names = (await client.listTools()).tools.map(({ name }) => name)
    expect(names).toContain('read_text_file')
    expect(names).not.toContain('write_file')
    const denied = await call('write_file', { path: join(sandbox.project, 'a.txt'), content: 'x' })
    expect([denied.isError, existsSync(join(sandbox.project, 'a.txt'))]).toEqual([true, false])
    await client.close()
    expect(await sandbox.journal()).toMatchObject([{ effect: 'deny', because: ['holdpoint/mcp'] }])
  })
})

describe('a question of the gate', () => {
  const ASKS = {
    PreToolUse: { answer: { permissionDecision: 'ask', permissionDecisionReason: 'It costs money.' } },
  }

  it.each<['accept' | 'decline', boolean]>([
    ['accept', false],
    ['decline', true],
  ])('is shown to the user by the client: %s', async (action, isError) => {
    sandbox.hooks(ASKS)
    const questions: string[] = []
    const person = (message: string) => {
      questions.push(message)
      return { action, content: { answer: 'yes' } }
    }
    const { call } = await sandbox.gate([], published('filesystem', sandbox.project), { person })
    expect((await call('list_allowed_directories')).isError).toBe(isError)
    expect(questions).toEqual([expect.stringContaining('It costs money.')])
  })

  it('becomes a denial if the client cannot ask the user', async () => {
    sandbox.hooks(ASKS)
    const { call } = await files()
    expect((await call('list_allowed_directories')).text).toBe('Holdpoint denied this call. It costs money.')
  })
})

it('the memory server answers the same with and without the gate', async () => {
  const said = async (index: number) => {
    const env = { MEMORY_FILE_PATH: join(sandbox.folder, `memory-${index}.jsonl`) }
    const server = published('memory')
    const { client, call } = await (index === 0
      ? sandbox.client(server, { env })
      : sandbox.gate([], server, { env }))
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

describe('the everything server behind the gate', () => {
  it('can ask, notify and offer resources', async () => {
    const { client, call } = await sandbox.gate([], published('everything'))
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
    // The client drops progress that arrives together with the result.
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

  it('masks the structured data of a result like its text, and contains the added text', async () => {
    const answer = { hookSpecificOutput: { updatedToolOutput: 'masked' } }
    sandbox.hooks({ PostToolUse: { answer } })
    const { client, call } = await sandbox.gate(['--drop-output-schemas'], published('everything'))
    await client.listTools()
    const weather = () => call('get-structured-content', { location: 'New York' })
    expect((await weather()).result).toEqual({ content: [{ type: 'text', text: 'masked' }] })
    sandbox.hooks({ PostToolUse: { answer: { hookSpecificOutput: { additionalContext: 'Tell nobody.' } } } })
    expect((await weather()).result.structuredContent).toMatchObject({
      temperature: expect.anything(),
      holdpoint: ['Tell nobody.'],
    })
  })

  it('changes results so that a client that checks the output schema accepts them', async () => {
    sandbox.hooks({ PostToolUse: { answer: { hookSpecificOutput: { updatedToolOutput: 'masked' } } } })
    const { client, call } = await sandbox.gate([], published('everything'))
    await client.listTools()
    const weather = () => call('get-structured-content', { location: 'New York' })
    expect((await weather()).result).toEqual({
      content: [{ type: 'text', text: 'masked' }],
      isError: true,
    })
    sandbox.hooks({ PostToolUse: { answer: { hookSpecificOutput: { additionalContext: 'Tell nobody.' } } } })
    const { result, text } = await weather()
    expect(text).toContain('Tell nobody.')
    expect(result.structuredContent).not.toHaveProperty('holdpoint')
  })

  it('checks a call that becomes a task when its result arrives', async () => {
    const answer = { hookSpecificOutput: { updatedToolOutput: 'masked' } }
    sandbox.hooks({ PostToolUse: { match: 'mcp__all__simulate-research-query', answer } })
    const { client } = await sandbox.gate(['--name', 'all'], published('everything'))
    // The client knows from the list that this tool is a task.
    await client.listTools()
    const input = { name: 'simulate-research-query', arguments: { topic: 'tea' } }
    let text = ''
    for await (const message of client.experimental.tasks.callToolStream(input)) {
      if (message.type === 'result') text = JSON.stringify(message.result.content)
    }
    expect(text).toBe('[{"type":"text","text":"masked"}]')
    await client.close()
    expect((await sandbox.journal()).map(({ event }) => event)).toEqual(['PreToolUse', 'PostToolUse'])
  })
})

it('a gate that is stopped ends its server', async () => {
  const { client } = await sandbox.gate([], published('filesystem', sandbox.project))
  const { pid } = client.transport as unknown as { pid: number }
  const closed = new Promise<void>((resolve) => {
    client.onclose = resolve
  })
  process.kill(pid, 'SIGTERM')
  await closed
})
