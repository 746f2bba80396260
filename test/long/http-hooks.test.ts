import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { call, createWorld, type Ran, type World } from '../e2e/command.ts'

let world: World
let server: Server
let origin: string
let asked: { readonly headers: IncomingMessage['headers']; readonly body: Record<string, unknown> }[]
let answer: (response: ServerResponse) => void

beforeEach(async () => {
  world = createWorld()
  asked = []
  answer = (response) => response.end('{}')
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    asked.push({ headers: request.headers, body: JSON.parse(Buffer.concat(chunks).toString()) })
    answer(response)
  })
  // Longer than any test: a kept connection must not keep the process.
  server.keepAliveTimeout = 600_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(() => {
  server.closeAllConnections()
  server.close()
  world.remove()
})

const bash = (command: string) => call('Bash', { command }, { cwd: world.project })
const specific = (ran: Ran) => JSON.parse(ran.stdout === '' ? '{}' : ran.stdout).hookSpecificOutput ?? {}
const ask = (more = '') =>
  `version: 1\nhooks: { PreToolUse: [ { id: policy, run: { url: "${origin}/hook"${more} } } ] }\n`

it('a server denies, and the agent reads why', async () => {
  world.userConfig(ask())
  answer = (response) => response.end('{"decision": "block", "reason": "not on a Friday"}')
  expect(specific(await world.hook(bash('deploy')))).toMatchObject({
    permissionDecision: 'deny',
    permissionDecisionReason: expect.stringContaining('not on a Friday'),
  })
  expect(asked).toMatchObject([{ body: { tool_name: 'Bash', tool_input: { command: 'deploy' } } }])
})

it('a server without an opinion lets the call go on', async () => {
  world.userConfig(ask())
  expect((await world.hook(bash('ls'))).stdout).toBe('{}\n')
  expect(asked).toHaveLength(1)
})

it.each<[string, (response: ServerResponse) => void]>([
  ['says 500', (response) => response.writeHead(500).end()],
  ['says nothing', (response) => response.writeHead(204).end()],
  ['sends one elsewhere', (response) => response.writeHead(302, { location: '/other' }).end('{}')],
  ['hangs up', (response) => response.socket?.destroy()],
  ['never ends', (response) => response.write('{')],
])('a server that %s stops the act, because nobody judged it', async (_name, behave) => {
  world.userConfig(ask().replace('id: policy', 'id: policy, timeoutMs: 1500'))
  answer = behave
  expect(specific(await world.hook(bash('ls')))).toMatchObject({
    permissionDecision: 'deny',
    permissionDecisionReason: expect.stringContaining('hook policy could not answer'),
  })
  expect(asked).toHaveLength(1)
})

it('gets no variable of the environment that the hook does not list', async () => {
  world.userConfig(ask(', headers: { X-A: "$TOKEN", X-B: "$OTHER" }, allowedEnvVars: [TOKEN]'))
  await world.hook(bash('ls'), [], { env: { TOKEN: 't0k', OTHER: 'secret' } })
  expect(asked[0]?.headers).toMatchObject({ 'x-a': 't0k', 'x-b': '' })
})

it('goes through no proxy that the environment names', async () => {
  world.userConfig(ask())
  const proxy = 'http://127.0.0.1:9'
  const env = { HTTP_PROXY: proxy, http_proxy: proxy, ALL_PROXY: proxy, NODE_USE_ENV_PROXY: '1' }
  expect((await world.hook(bash('ls'), [], { env })).stdout).toBe('{}\n')
  expect(asked).toHaveLength(1)
})

it('is asked for a project only once the project is trusted', async () => {
  world.config(ask())
  const untrusted = await world.hook(bash('ls'))
  expect(untrusted.stdout).toContain('holdpoint trust')
  expect(asked).toHaveLength(0)
  expect((await world.run(['trust', '--yes'])).stdout).toContain(`asks: ${origin}/hook`)
  await world.hook(bash('ls'))
  expect(asked).toHaveLength(1)
})
