import { type ChildProcess, spawn } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { CreateMessageRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { freePort } from '../../src/daemon/http-settings.ts'
import { holdpointProgram } from '../installed.ts'
import { type ClientOptions, type Connected, published } from '../mcp/client.ts'
import { createMcpSandbox, type McpSandbox } from '../mcp/sandbox.ts'

/** `holdpoint mcp --url`: a server over streamable HTTP, for clients on both transports. */

let sandbox: McpSandbox
const started: ChildProcess[] = []
beforeEach(() => {
  sandbox = createMcpSandbox()
})
afterEach(async () => {
  await sandbox.end()
  for (const child of started.splice(0)) child.kill('SIGKILL')
})

/** Starts a program and waits until it prints that it is ready. */
function start(
  [command = '', ...args]: readonly string[],
  env: Record<string, string>,
  ready: RegExp,
): Promise<string> {
  const all = { PATH: process.env.PATH ?? '', HOME: '/home/dev', ...env }
  const child = spawn(command, args, { cwd: sandbox.project, env: all, stdio: ['ignore', 'pipe', 'pipe'] })
  started.push(child)
  return new Promise((resolve, reject) => {
    let text = ''
    const read = (chunk: Buffer) => {
      text += chunk
      const [found] = ready.exec(text) ?? []
      if (found !== undefined) resolve(found)
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.once('exit', () => reject(new Error(`it ended: ${text}`)))
  })
}

async function everything(): Promise<string> {
  const port = await freePort()
  await start(published('everything', 'streamableHttp'), { PORT: String(port) }, /listening|port \d+/i)
  return `http://127.0.0.1:${port}/mcp`
}

type Side = 'stdio' | 'http'

async function through(
  side: Side,
  url: string,
  options: Pick<ClientOptions, 'person'> = {},
): Promise<Connected> {
  const words = ['mcp', '--home', sandbox.home, '--name', 'all', '--url', url]
  if (side === 'stdio') return sandbox.client([holdpointProgram(), ...words], options)
  const address = await start([holdpointProgram(), ...words, '--listen', '0'], {}, /http:\S+/)
  return sandbox.over(new StreamableHTTPClientTransport(new URL(address)) as Transport, options)
}

describe.each<Side>(['stdio', 'http'])('an MCP client over %s', (side) => {
  it('can use the everything server: calls, progress, and questions of the server', async () => {
    const { client, call } = await through(side, await everything())
    client.setRequestHandler(CreateMessageRequestSchema, async () => ({
      model: 'm',
      role: 'assistant',
      content: { type: 'text', text: 'sampled' },
    }))
    expect((await client.listTools()).tools.length).toBeGreaterThan(10)
    expect((await call('echo', { message: 'hi' })).text).toBe('Echo: hi')
    const progress: number[] = []
    const long = { name: 'trigger-long-running-operation', arguments: { duration: 0.5, steps: 3 } }
    await client.callTool(long, undefined, { onprogress: (told) => progress.push(told.progress) })
    expect(progress.slice(0, 2)).toEqual([1, 2])
    expect((await call('trigger-sampling-request', { prompt: 'x' })).text).toContain('sampled')
    await client.close()
    expect(await sandbox.journal()).toContainEqual(
      expect.objectContaining({ tool: 'mcp__all__echo', host: 'mcp' }),
    )
  })

  it('is denied calls, sees results as hooks changed them, and asks the user', async () => {
    const answer = { permissionDecision: 'ask', permissionDecisionReason: 'It costs money.' }
    const changed = { hookSpecificOutput: { updatedToolOutput: 'masked' } }
    sandbox.hooks({ PreToolUse: { match: 'mcp__all__get-sum', answer }, PostToolUse: { answer: changed } })
    let says = 'yes'
    const person = () => ({ action: 'accept' as const, content: { answer: says } })
    const { call } = await through(side, await everything(), { person })
    expect((await call('echo', { message: 'secret' })).text).toBe('masked')
    expect((await call('get-sum', { a: 1, b: 2 })).text).toBe('masked')
    says = 'no'
    expect((await call('get-sum', { a: 1, b: 2 })).text).toContain('It costs money.')
  })

  it('can use a server without sessions that answers without a stream', async () => {
    sandbox.hooks({ PostToolUse: { answer: { hookSpecificOutput: { updatedToolOutput: 'masked' } } } })
    const server = createServer(async (request, response) => {
      const mcp = new McpServer({ name: 'plain', version: '1' })
      mcp.registerTool('hello', {}, () => ({ content: [{ type: 'text', text: 'hello' }] }))
      // Without a generator there are no sessions.
      const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true })
      await mcp.connect(transport as Transport)
      await transport.handleRequest(request, response)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { call } = await through(side, `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`)
    expect((await call('hello')).text).toBe('masked')
    server.close()
    server.closeAllConnections()
  })
})
