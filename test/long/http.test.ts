import { copyFileSync, renameSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { createConnection } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect } from 'vitest'
import type { HttpSettings } from '../../src/daemon/http-settings.ts'
import {
  answersRight,
  it as base,
  bash,
  copyOfDist,
  createStation,
  DIST,
  eventually,
  gone,
  kill,
  readText,
  type Station,
  socketsOf,
} from '../faults/station.ts'

/** The door for an agent that asks over HTTP: it answers like the socket, and it comes back. */

/** A station whose daemon was asked to open the door, and has. */
const it = base.extend<{ door: HttpSettings }>({
  door: async ({ station }, use) => {
    const settings = await choose(station)
    await station.call(bash('ls'))
    await open(station, settings)
    await use(settings)
  },
})

async function choose({ home }: Station): Promise<HttpSettings> {
  const file = pathToFileURL(join(DIST, 'src', 'daemon', 'http-settings.js')).href
  const { chooseHttpSettings } = (await import(file)) as typeof import('../../src/daemon/http-settings.ts')
  return chooseHttpSettings(home, { HOME: '/home/dev', PATH: process.env.PATH })
}

/** Until the door is open, by whomever; who that is. */
async function open(station: Station, { port }: HttpSettings): Promise<number> {
  const { pid } = await eventually(async () => {
    const status = await station.status()
    return status?.http === port && status
  }, 'the door is open')
  return pid
}

/** Who has the place, and who watches over it. */
function pairOf(station: Station): [daemon: number, supervisor: number] {
  const [daemon, supervisor] = readText(join(station.home.run, 'daemon.pid')).split(' ').map(Number)
  return [daemon ?? Number.NaN, supervisor ?? Number.NaN]
}

interface Answer {
  readonly status: number
  readonly body: string
}

function ask(
  door: HttpSettings,
  payload: object | string,
  more: Record<string, string> = {},
): Promise<Answer> {
  return fetch(`http://127.0.0.1:${door.port}/hook/claude-code?event=PreToolUse&deadline-ms=200000`, {
    method: 'POST',
    headers: { authorization: `Bearer ${door.secret}`, ...more },
    body: typeof payload === 'string' ? payload : JSON.stringify(payload),
  }).then(async (response) => ({ status: response.status, body: await response.text() }))
}

async function answersOverHttp(station: Station, door: HttpSettings): Promise<void> {
  const inProject = (command: string) => bash(command, { cwd: station.project })
  const denied = inProject('git push --force')
  const overHttp = await ask(door, denied)
  const overSocket = await station.call({ ...denied, tool_use_id: 'again' })
  expect(overHttp).toEqual({ status: 200, body: overSocket.stdout })
  expect(JSON.parse(overHttp.body)).toMatchObject({ hookSpecificOutput: { permissionDecision: 'deny' } })
  expect(await ask(door, inProject('ls'))).toEqual({ status: 200, body: '{}\n' })
}

const prompt = { session_id: 'session-1', hook_event_name: 'UserPromptSubmit', prompt: 'Go on.' }

describe.concurrent('the same decision', () => {
  it('as over the socket, also for what cannot be read', async ({ station, door }) => {
    await answersOverHttp(station, door)
    for (const payload of ['', '{"cut', '[]', `{"x":"${'x'.repeat(33 * 1024 * 1024)}"}`]) {
      const { status, body } = await ask(door, payload)
      expect(status).toBe(200)
      expect(JSON.parse(body)).toMatchObject({ hookSpecificOutput: { permissionDecision: 'deny' } })
    }
    await answersOverHttp(station, door)
  })

  it('only loopback is listened on', async ({ station, door }) => {
    const hexPort = door.port.toString(16).toUpperCase().padStart(4, '0')
    const listening = socketsOf(await open(station, door), 'tcp').map((line) => line.trim().split(/\s+/)[1])
    expect(listening).toContain(`0100007F:${hexPort}`)
    expect(listening.filter((address) => !address?.startsWith('0100007F:'))).toEqual([])
    expect(readText(station.home.http)).toContain(door.secret)
    expect(station.log()).not.toContain(door.secret)
  })
})

describe.concurrent('who does not know how to ask gets not a byte:', () => {
  const head = (door: HttpSettings) =>
    `Host: 127.0.0.1:${door.port}\r\nAuthorization: Bearer ${door.secret}\r\nContent-Length: 2\r\nConnection: close\r\n`
  const POST = 'POST /hook/claude-code?event=PreToolUse HTTP/1.1\r\n'

  it('no secret, another, another name, another way, another place', async ({ station, door }) => {
    const good = `${POST}${head(door)}\r\n{}`
    const bad: Record<string, string> = {
      'no secret': good.replace(/Authorization:.*?\r\n/, ''),
      'an empty secret': good.replace(door.secret, ''),
      'another secret': good.replace(
        door.secret,
        door.secret.replace(/^./, (c) => (c === '0' ? '1' : '0')),
      ),
      'half the secret': good.replace(door.secret, door.secret.slice(0, 32)),
      'no host': good.replace(/Host:.*?\r\n/, ''),
      'the name of a page': good.replace('Host: 127.0.0.1', 'Host: attacker.example'),
      localhost: good.replace('Host: 127.0.0.1', 'Host: localhost'),
      GET: good.replace('POST', 'GET'),
      OPTIONS: good.replace('POST', 'OPTIONS'),
      CONNECT: good.replace('POST /hook/claude-code', 'CONNECT 127.0.0.1:80'),
      'another place': good.replace('/hook/claude-code', '/'),
      'a way around': good.replace('/hook/claude-code', '/hook/../hook/x/claude-code'),
      'no such agent': good.replace('claude-code', 'no-such-agent'),
      'an order to the daemon': good.replace('/hook/claude-code', '/hook/%23stop'),
      'an expectation': good.replace('\r\n\r\n', '\r\nExpect: the unexpected\r\n\r\n'),
      'a stranger who would go on': good
        .replace(door.secret, 'x')
        .replace('\r\n\r\n', '\r\nExpect: 100-continue\r\n\r\n'),
      upgrade: good
        .replace('POST', 'GET')
        .replace('\r\n\r\n', '\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n'),
      'no HTTP': 'HPQ1\0\0\0\0\r\n\r\n',
      'HTTP of tomorrow': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    }
    for (const [name, request] of Object.entries(bad))
      expect([name, await raw(door, request)]).toEqual([name, ''])
    expect(await raw(door, good)).toContain('HTTP/1.1 200')
    const waiting = good.replace('\r\n\r\n', '\r\nExpect: 100-continue\r\n\r\n')
    expect(await raw(door, waiting)).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200/)
    await answersOverHttp(station, door)
  })
})

describe.concurrent('comes back', () => {
  it('when the daemon, then its supervisor, then both are killed; on the same port', async ({
    station,
    door,
  }) => {
    const first = await open(station, door)
    await kill(first)
    await answersRight(station)
    expect(await open(station, door)).not.toBe(first)
    await answersOverHttp(station, door)

    const [daemon, supervisor] = pairOf(station)
    await kill(supervisor)
    await gone(daemon)
    await open(station, door)
    await answersOverHttp(station, door)
    expect(pairOf(station)).not.toContain(supervisor)

    for (const pid of [...pairOf(station).reverse(), ...station.processes()]) {
      if (station.processes().includes(pid)) await kill(pid)
    }
    await answersRight(station)
    await open(station, door)
    await answersOverHttp(station, door)
    await eventually(() => station.processes().length === 2, 'one daemon and one supervisor are left')
  })

  it('by its supervisor alone: a call that finds nobody meanwhile starts no second pair', async ({
    station,
    door,
  }) => {
    for (let round = 0; round < 5; round += 1) {
      const [daemon, supervisor] = pairOf(station)
      await kill(daemon)
      await answersRight(station)
      await open(station, door)
      await eventually(() => station.processes().length === 2, 'one daemon and one supervisor are left')
      expect(pairOf(station)[1], station.log()).toBe(supervisor)
      await answersOverHttp(station, door)
    }
  })

  it('not when it is told to stop, until somebody asks', async ({ station, door }) => {
    const pid = await open(station, door)
    expect(await station.command('daemon', 'stop')).toMatchObject({ stdout: 'The daemon has stopped.\n' })
    expect(station.processes()).toEqual([])
    await station.call(bash('ls'))
    expect(await open(station, door)).not.toBe(pid)
    await answersOverHttp(station, door)
  })
})

describe.concurrent('a daemon from before, which nobody supervises', () => {
  it('does not open the door: it makes room for a pair', async ({ station }) => {
    const before = await station.serving()
    const door = await choose(station)
    // From now on it takes no more questions, also before it has left.
    expect((await station.status())?.pid).not.toBe(before)
    await answersRight(station)
    expect(await open(station, door)).not.toBe(before)
    await gone(before)
    await answersOverHttp(station, door)
    await eventually(() => station.processes().length === 2, 'one daemon and one supervisor are left')
    expect(station.processes()).toEqual(expect.arrayContaining(pairOf(station)))
  })
})

describe.concurrent('an upgrade', () => {
  it('in which the program is gone for a while: it comes back by itself', async ({ station, door }) => {
    // Another home, whose program the test may take away.
    const dist = copyOfDist(station.folder)
    const other = await createStation({ dist })
    try {
      copyFileSync(station.home.http, other.home.http)
      await station.command('daemon', 'stop')
      await other.call(bash('ls'))
      const pid = await open(other, door)
      const program = join(dist, 'daemon.cjs')
      renameSync(program, `${program}.away`)
      await gone(pid)
      const [supervisor] = await eventually(() => {
        const left = other.processes()
        return left.length === 1 && left
      }, 'the supervisor waits')
      copyFileSync(`${program}.away`, program)
      await open(other, door)
      await answersOverHttp(other, door)
      expect(other.processes()).not.toContain(supervisor)
    } finally {
      await other.remove()
    }
  })
})

describe.concurrent('a stranger on the port', () => {
  it('no prompt starts a turn until he is gone; everything else is judged as ever', async ({
    station,
    door,
  }) => {
    await station.command('daemon', 'stop')
    const stranger = await sitOn(door.port)
    try {
      await station.call(bash('ls'))
      await eventually(station.status, 'a daemon serves')
      const stopped = await station.call(prompt, { event: 'UserPromptSubmit' })
      expect(stopped).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('[HTTP_PORT_TAKEN]') })
      await answersRight(station)
    } finally {
      stranger.closeAllConnections()
      stranger.close()
    }
    await open(station, door)
    expect(await station.call(prompt, { event: 'UserPromptSubmit' })).toMatchObject({ exitCode: 0 })
    await answersOverHttp(station, door)
  })
})

function sitOn(port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((_request, response) => response.end('{}'))
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => resolve(server))
  })
}

/** Everything that comes back before the connection ends. */
function raw(door: HttpSettings, request: string): Promise<string> {
  return new Promise((resolve) => {
    let heard = ''
    const socket = createConnection({ port: door.port, host: '127.0.0.1' }, () => socket.write(request))
    socket.on('data', (chunk) => {
      heard += chunk
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(heard))
  })
}
