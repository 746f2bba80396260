import { renameSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { createConnection } from 'node:net'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import type { HttpSettings } from '../../src/daemon/http-settings.ts'
import { isLinux, onLinux } from '../../src/library/testing/linux-only.ts'
import {
  it as base,
  bash,
  expectRightAnswers,
  type Installation,
  kill,
  moduleUrl,
  socketsOf,
  upgrade,
  waitForExit,
} from '../faults/installation.ts'
import { eventually, readText } from '../processes.ts'

/** The HTTP server for agents that use HTTP: it answers as the socket does, and it is restarted. */

/** An installation whose daemon has opened its HTTP server. */
const it = base.extend<{ http: HttpSettings }>({
  http: async ({ installation }, use) => {
    const settings = await choose(installation)
    await installation.call(bash('ls'))
    await open(installation, settings)
    await use(settings)
  },
})

async function choose({ home }: Installation): Promise<HttpSettings> {
  const file = moduleUrl('daemon/http-settings.js')
  const { chooseHttpSettings } = (await import(file)) as typeof import('../../src/daemon/http-settings.ts')
  return chooseHttpSettings(home, { HOME: '/home/dev', PATH: process.env.PATH })
}

/** Waits until the HTTP server is open. Returns the pid of its daemon. */
async function open(installation: Installation, { port }: HttpSettings): Promise<number> {
  const { pid } = await eventually(async () => {
    const status = await installation.status()
    return status?.http === port && status
  }, 'the http is open')
  return pid
}

/** The pids of the daemon and its supervisor. */
function pidsOf(installation: Installation): [daemon: number, supervisor: number] {
  const [daemon, supervisor] = readText(join(installation.home.run, 'daemon.pid')).split(' ').map(Number)
  return [daemon ?? Number.NaN, supervisor ?? Number.NaN]
}

interface Answer {
  readonly status: number
  readonly body: string
}

function ask(
  http: HttpSettings,
  payload: object | string,
  more: Record<string, string> = {},
): Promise<Answer> {
  return fetch(`http://127.0.0.1:${http.port}/hook/claude-code?event=PreToolUse&deadline-ms=200000`, {
    method: 'POST',
    headers: { authorization: `Bearer ${http.secret}`, ...more },
    body: typeof payload === 'string' ? payload : JSON.stringify(payload),
  }).then(async (response) => ({ status: response.status, body: await response.text() }))
}

async function answersOverHttp(installation: Installation, http: HttpSettings): Promise<void> {
  const inProject = (command: string) => bash(command, { cwd: installation.project })
  const denied = inProject('git push --force')
  const overHttp = await ask(http, denied)
  const overSocket = await installation.call({ ...denied, tool_use_id: 'again' })
  expect(overHttp).toEqual({ status: 200, body: overSocket.stdout })
  expect(JSON.parse(overHttp.body)).toMatchObject({ hookSpecificOutput: { permissionDecision: 'deny' } })
  expect(await ask(http, inProject('ls'))).toEqual({ status: 200, body: '{}\n' })
}

const prompt = { session_id: 'session-1', hook_event_name: 'UserPromptSubmit', prompt: 'Go on.' }

describe.concurrent('the HTTP server', () => {
  it('decides as the socket does, also for input that cannot be read', async ({ installation, http }) => {
    await answersOverHttp(installation, http)
    for (const payload of ['', '{"cut', '[]', `{"x":"${'x'.repeat(33 * 1024 * 1024)}"}`]) {
      const { status, body } = await ask(http, payload)
      expect(status).toBe(200)
      expect(JSON.parse(body)).toMatchObject({ hookSpecificOutput: { permissionDecision: 'deny' } })
    }
    await answersOverHttp(installation, http)
  })

  it.runIf(isLinux)(
    onLinux('listens only on loopback', 'only there the sockets of a process are listed'),
    async ({ installation, http }) => {
      const hexPort = http.port.toString(16).toUpperCase().padStart(4, '0')
      const listening = socketsOf(await open(installation, http), 'tcp').map(
        (line) => line.trim().split(/\s+/)[1],
      )
      expect(listening).toContain(`0100007F:${hexPort}`)
      expect(listening.filter((address) => !address?.startsWith('0100007F:'))).toEqual([])
      expect(readText(installation.home.http)).toContain(http.secret)
      expect(installation.log()).not.toContain(http.secret)
    },
  )
})

describe.concurrent('the HTTP server for other clients', () => {
  const head = (http: HttpSettings) =>
    `Host: 127.0.0.1:${http.port}\r\nAuthorization: Bearer ${http.secret}\r\nContent-Length: 2\r\nConnection: close\r\n`
  const POST = 'POST /hook/claude-code?event=PreToolUse HTTP/1.1\r\n'

  it('sends nothing for a wrong secret, host, method or path', async ({ installation, http }) => {
    const good = `${POST}${head(http)}\r\n{}`
    const bad: Record<string, string> = {
      'no secret': good.replace(/Authorization:.*?\r\n/, ''),
      'an empty secret': good.replace(http.secret, ''),
      'another secret': good.replace(
        http.secret,
        http.secret.replace(/^./, (c) => (c === '0' ? '1' : '0')),
      ),
      'half the secret': good.replace(http.secret, http.secret.slice(0, 32)),
      'no host': good.replace(/Host:.*?\r\n/, ''),
      'the host name of a web page': good.replace('Host: 127.0.0.1', 'Host: attacker.example'),
      localhost: good.replace('Host: 127.0.0.1', 'Host: localhost'),
      GET: good.replace('POST', 'GET'),
      OPTIONS: good.replace('POST', 'OPTIONS'),
      CONNECT: good.replace('POST /hook/claude-code', 'CONNECT 127.0.0.1:80'),
      'another path': good.replace('/hook/claude-code', '/'),
      'a path with ..': good.replace('/hook/claude-code', '/hook/../hook/x/claude-code'),
      'no such agent': good.replace('claude-code', 'no-such-agent'),
      'a command to the daemon': good.replace('/hook/claude-code', '/hook/%23stop'),
      'an unknown expectation': good.replace('\r\n\r\n', '\r\nExpect: the unexpected\r\n\r\n'),
      'a wrong secret and an expectation of 100-continue': good
        .replace(http.secret, 'x')
        .replace('\r\n\r\n', '\r\nExpect: 100-continue\r\n\r\n'),
      upgrade: good
        .replace('POST', 'GET')
        .replace('\r\n\r\n', '\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n'),
      'bytes that are not HTTP': 'HPQ1\0\0\0\0\r\n\r\n',
      'HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    }
    for (const [name, request] of Object.entries(bad))
      expect([name, await raw(http, request)]).toEqual([name, ''])
    expect(await raw(http, good)).toContain('HTTP/1.1 200')
    const waiting = good.replace('\r\n\r\n', '\r\nExpect: 100-continue\r\n\r\n')
    expect(await raw(http, waiting)).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200/)
    await answersOverHttp(installation, http)
  })
})

describe.concurrent('the HTTP server is restarted', () => {
  it('on the same port when the daemon, its supervisor, or both are killed', async ({
    installation,
    http,
  }) => {
    const first = await open(installation, http)
    await kill(first)
    await expectRightAnswers(installation)
    expect(await open(installation, http)).not.toBe(first)
    await answersOverHttp(installation, http)

    const [daemon, supervisor] = pidsOf(installation)
    await kill(supervisor)
    await waitForExit(daemon)
    await open(installation, http)
    await answersOverHttp(installation, http)
    expect(pidsOf(installation)).not.toContain(supervisor)

    for (const pid of [...pidsOf(installation).reverse(), ...installation.processes()]) {
      if (installation.processes().includes(pid)) await kill(pid)
    }
    await expectRightAnswers(installation)
    await open(installation, http)
    await answersOverHttp(installation, http)
    await eventually(() => installation.processes().length === 2, 'one daemon and one supervisor are left')
  })

  it('only by its supervisor: a call in the meantime starts no second daemon', async ({
    installation,
    http,
  }) => {
    for (let round = 0; round < 5; round += 1) {
      const [daemon, supervisor] = pidsOf(installation)
      await kill(daemon)
      await expectRightAnswers(installation)
      await open(installation, http)
      await eventually(() => installation.processes().length === 2, 'one daemon and one supervisor are left')
      expect(pidsOf(installation)[1], installation.log()).toBe(supervisor)
      await answersOverHttp(installation, http)
    }
  })

  it('after a stop command only by the next call', async ({ installation, http }) => {
    const pid = await open(installation, http)
    expect(await installation.command('daemon', 'stop')).toMatchObject({
      stdout: 'The daemon was stopped.\n',
    })
    expect(installation.processes()).toEqual([])
    await installation.call(bash('ls'))
    expect(await open(installation, http)).not.toBe(pid)
    await answersOverHttp(installation, http)
  })
})

describe.concurrent('a daemon without a supervisor', () => {
  it('does not open the HTTP server, and exits for a supervised daemon', async ({ installation }) => {
    const before = await installation.startDaemon()
    const http = await choose(installation)
    // From now on it accepts no requests, even before it has exited.
    expect((await installation.status())?.pid).not.toBe(before)
    await expectRightAnswers(installation)
    expect(await open(installation, http)).not.toBe(before)
    await waitForExit(before)
    await answersOverHttp(installation, http)
    await eventually(() => installation.processes().length === 2, 'one daemon and one supervisor are left')
    expect(installation.processes()).toEqual(expect.arrayContaining(pidsOf(installation)))
  })
})

describe.concurrent('an upgrade', () => {
  it('to another copy starts a new supervisor', async ({ installation, http }) => {
    const before = pidsOf(installation)
    upgrade(installation.home)
    for (const pid of before) await waitForExit(pid)
    await open(installation, http)
    await answersOverHttp(installation, http)
  })

  it('during which the copy is missing for a while restarts the daemon automatically', async ({
    installation,
    http,
  }) => {
    const pid = await open(installation, http)
    const link = join(installation.home.runtime, 'current')
    renameSync(link, `${link}.away`)
    await waitForExit(pid)
    const [supervisor] = await eventually(() => {
      const left = installation.processes()
      return left.length === 1 && left
    }, 'the supervisor waits')
    renameSync(`${link}.away`, link)
    await open(installation, http)
    await answersOverHttp(installation, http)
    expect(installation.processes()).not.toContain(supervisor)
  })
})

describe.concurrent('another program on the port', () => {
  it('blocks every prompt until it is gone, and changes no other decision', async ({
    installation,
    http,
  }) => {
    await installation.command('daemon', 'stop')
    const impostor = await startImpostor(http.port)
    try {
      await installation.call(bash('ls'))
      await eventually(installation.status, 'a daemon serves')
      const stopped = await installation.call(prompt, { event: 'UserPromptSubmit' })
      expect(stopped).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('[HTTP_PORT_TAKEN]') })
      await expectRightAnswers(installation)
    } finally {
      impostor.closeAllConnections()
      impostor.close()
    }
    await open(installation, http)
    expect(await installation.call(prompt, { event: 'UserPromptSubmit' })).toMatchObject({ exitCode: 0 })
    await answersOverHttp(installation, http)
  })
})

function startImpostor(port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((_request, response) => response.end('{}'))
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => resolve(server))
  })
}

/** Everything that arrives before the connection ends. */
function raw(http: HttpSettings, request: string): Promise<string> {
  return new Promise((resolve) => {
    let heard = ''
    const socket = createConnection({ port: http.port, host: '127.0.0.1' }, () => socket.write(request))
    socket.on('data', (chunk) => {
      heard += chunk
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(heard))
  })
}
