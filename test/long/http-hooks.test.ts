import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { call, createSandbox, type Ran, type Sandbox } from '../e2e/command.ts'

let sandbox: Sandbox
let server: Server
let origin: string
let asked: { readonly headers: IncomingMessage['headers']; readonly body: Record<string, unknown> }[]
let answer: (response: ServerResponse) => void

beforeEach(async () => {
  sandbox = createSandbox()
  asked = []
  answer = (response) => response.end('{}')
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    asked.push({ headers: request.headers, body: JSON.parse(Buffer.concat(chunks).toString()) })
    answer(response)
  })
  // Longer than any test: an open connection must not keep the process alive.
  server.keepAliveTimeout = 600_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(async () => {
  server.closeAllConnections()
  server.close()
  await sandbox.remove()
})

const bash = (command: string) => call('Bash', { command }, { cwd: sandbox.project })
const specific = (ran: Ran) => JSON.parse(ran.stdout === '' ? '{}' : ran.stdout).hookSpecificOutput ?? {}
const ask = (more = '') =>
  `version: 1\nhooks: { PreToolUse: [ { id: policy, run: { url: "${origin}/hook"${more} } } ] }\n`

it('a server can deny a call, and the agent gets the reason', async () => {
  sandbox.userConfig(ask())
  answer = (response) => response.end('{"decision": "block", "reason": "not on a Friday"}')
  expect(specific(await sandbox.hook(bash('deploy')))).toMatchObject({
    permissionDecision: 'deny',
    permissionDecisionReason: expect.stringContaining('not on a Friday'),
  })
  expect(asked).toMatchObject([{ body: { tool_name: 'Bash', tool_input: { command: 'deploy' } } }])
})

it('a server without an opinion passes the call', async () => {
  sandbox.userConfig(ask())
  expect((await sandbox.hook(bash('ls'))).stdout).toBe('{}\n')
  expect(asked).toHaveLength(1)
})

it.each<[string, (response: ServerResponse) => void]>([
  ['answers 500', (response) => response.writeHead(500).end()],
  ['answers 204 without a body', (response) => response.writeHead(204).end()],
  ['redirects', (response) => response.writeHead(302, { location: '/other' }).end('{}')],
  ['closes the connection', (response) => response.socket?.destroy()],
  ['never ends its answer', (response) => response.write('{')],
])('a server that %s blocks the call, because the call was not checked', async (_name, behave) => {
  sandbox.userConfig(ask().replace('id: policy', 'id: policy, timeoutMs: 1500'))
  answer = behave
  expect(specific(await sandbox.hook(bash('ls')))).toMatchObject({
    permissionDecision: 'deny',
    permissionDecisionReason: expect.stringContaining('hook policy could not answer'),
  })
  expect(asked).toHaveLength(1)
})

it('a server gets no environment variable that the hook does not list', async () => {
  sandbox.userConfig(ask(', headers: { X-A: "$TOKEN", X-B: "$OTHER" }, allowedEnvVars: [TOKEN]'))
  await sandbox.hook(bash('ls'), [], { env: { TOKEN: 't0k', OTHER: 'secret' } })
  expect(asked[0]?.headers).toMatchObject({ 'x-a': 't0k', 'x-b': '' })
})

it('a request to a server does not use a proxy of the environment', async () => {
  sandbox.userConfig(ask())
  const proxy = 'http://127.0.0.1:9'
  const env = { HTTP_PROXY: proxy, http_proxy: proxy, ALL_PROXY: proxy, NODE_USE_ENV_PROXY: '1' }
  expect((await sandbox.hook(bash('ls'), [], { env })).stdout).toBe('{}\n')
  expect(asked).toHaveLength(1)
})

it('a server is called for a project only if the project is trusted', async () => {
  sandbox.config(ask())
  const untrusted = await sandbox.hook(bash('ls'))
  expect(untrusted.stdout).toContain('holdpoint trust')
  expect(asked).toHaveLength(0)
  expect((await sandbox.person(['trust', '--yes'])).stdout).toContain(`calls: ${origin}/hook`)
  await sandbox.hook(bash('ls'))
  expect(asked).toHaveLength(1)
})
