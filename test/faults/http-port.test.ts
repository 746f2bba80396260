import { createHmac } from 'node:crypto'
import { existsSync, readlinkSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, request, type Server } from 'node:http'
import { createServer as createNetServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import type { HttpSettings } from '../../src/daemon/http-settings.ts'
import { eventually, readText } from '../processes.ts'
import { it as base, bash, type Installation, kill, moduleUrl } from './installation.ts'

/** The HTTP port is never free for another program. If another program has it anyway, Holdpoint notices. */
const it = base.extend<{ http: HttpSettings }>({
  http: async ({ installation }, use) => {
    const file = moduleUrl('daemon/http-settings.js')
    const { chooseHttpSettings } = (await import(file)) as typeof import('../../src/daemon/http-settings.ts')
    const settings = await chooseHttpSettings(installation.home, {
      HOME: '/home/dev',
      PATH: process.env.PATH,
    })
    await installation.call(bash('ls'))
    await waitUntilOpen(installation, settings)
    await use(settings)
  },
})

function waitUntilOpen(installation: Installation, { port }: HttpSettings): Promise<unknown> {
  return eventually(async () => (await installation.status())?.http === port, 'the port is open')
}

function pidsOf(installation: Installation): readonly number[] {
  return readText(join(installation.home.run, 'daemon.pid')).trim().split(' ').map(Number)
}

/** Whether another program could get the port now. */
function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createNetServer()
    server.once('error', () => resolve(false))
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)))
  })
}

/** One request over a separate connection. */
function ask(http: HttpSettings, command: string): Promise<string> {
  const path = '/hook/claude-code?event=PreToolUse&deadline-ms=200000'
  const headers = { authorization: `Bearer ${http.secret}` }
  return new Promise((resolve) => {
    const asked = request({ method: 'POST', host: '127.0.0.1', port: http.port, path, headers, agent: false })
    asked.on('error', () => resolve(''))
    asked.on('response', (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        text += chunk
      })
      response.on('close', () => resolve(text))
    })
    asked.end(JSON.stringify(bash(command)))
  })
}

describe.concurrent('the HTTP port', () => {
  it('is never free while a killed daemon is replaced, and requests in the meantime are answered', async ({
    installation,
    http,
  }) => {
    const [daemon = 0, supervisor] = pidsOf(installation)
    const tried: boolean[] = []
    await kill(daemon)
    const answer = ask(http, 'git push --force')
    while ((await installation.status())?.http !== http.port) tried.push(await isFree(http.port))
    expect(tried).not.toContain(true)
    expect(await answer).toContain('"permissionDecision":"deny"')
    expect(pidsOf(installation)[1]).toBe(supervisor)
  })

  it('is never free while a killed supervisor is replaced', async ({ installation, http }) => {
    const [daemon, supervisor = 0] = pidsOf(installation)
    const tried: boolean[] = []
    await kill(supervisor)
    const isReplaced = async () => {
      const status = await installation.status()
      return status !== undefined && status.pid !== daemon && status.http === http.port
    }
    while (!(await isReplaced())) tried.push(await isFree(http.port))
    expect(tried).not.toContain(true)
    expect(await ask(http, 'git push --force')).toContain('"permissionDecision":"deny"')
  })
})

const prompt = { session_id: 'session-1', hook_event_name: 'UserPromptSubmit', prompt: 'Go on.' }

describe.concurrent('another program that has the port and the secret is detected at the next prompt', () => {
  const hmac = (key: string, text: string) => createHmac('sha256', key).update(text).digest('hex')
  const PROOFS: Readonly<Record<string, (http: HttpSettings, nonce: string) => string>> = {
    'gives the proof of 0.1.0': ({ secret }, nonce) => hmac(secret, `alive:${nonce}`),
    'gives the proof with the secret': ({ secret, port }, nonce) => hmac(secret, `alive:${port}:${nonce}`),
    'gives the secret itself': ({ secret }) => secret,
    'repeats an old proof': ({ proofKey, port }) => hmac(proofKey, `alive:${port}:${'0'.repeat(32)}`),
    'gives the proof of another port': ({ proofKey, port }, nonce) =>
      hmac(proofKey, `alive:${port + 1}:${nonce}`),
    'says nothing': () => '',
  }
  for (const [name, proof] of Object.entries(PROOFS)) {
    it(`if it ${name}`, async ({ installation, http }) => {
      await installation.command('daemon', 'stop')
      const impostor = await startImpostor(http, proof)
      try {
        const stopped = await installation.call(prompt, { event: 'UserPromptSubmit' })
        expect(stopped).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('[HTTP_PORT_TAKEN]') })
      } finally {
        impostor.closeAllConnections()
        impostor.close()
      }
      await waitUntilOpen(installation, http)
      expect(await installation.call(prompt, { event: 'UserPromptSubmit' })).toMatchObject({ exitCode: 0 })
    })
  }

  it('a settings file of 0.1.0, which has no key for the proof, is reported as old', async ({
    installation,
    http,
  }) => {
    const { proofKey: _proofKey, ...old } = JSON.parse(readText(installation.home.http))
    await installation.command('daemon', 'stop')
    writeFileSync(installation.home.http, JSON.stringify(old))
    const stopped = await installation.call(prompt, { event: 'UserPromptSubmit' })
    expect(stopped).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('holdpoint init --http') })
    expect(readText(installation.home.http)).toContain(http.secret)
  })
})

describe.concurrent('a link `current` that leads to no installed copy', () => {
  const moveCopyAway = ({ home, folder }: Installation) => {
    const link = join(home.runtime, 'current')
    const elsewhere = join(folder, 'elsewhere')
    renameSync(join(home.runtime, readlinkSync(link)), elsewhere)
    rmSync(link)
    symlinkSync(elsewhere, link)
  }
  const startsMoreSlowly = async (installation: Installation) => {
    for (const waitMs of [80, 160, 320])
      await eventually(() => installation.log().includes(`starts in ${waitMs} ms`), `it waits ${waitMs} ms`)
  }

  it('makes each restart of the daemon wait longer', async ({ installation, http }) => {
    moveCopyAway(installation)
    await startsMoreSlowly(installation)
    expect(existsSync(installation.home.http) && http.port > 0).toBe(true)
  })

  it('makes each restart wait longer, even if the daemon died before it noticed', async ({
    installation,
    http,
  }) => {
    const [daemon = 0] = pidsOf(installation)
    process.kill(daemon, 'SIGSTOP')
    moveCopyAway(installation)
    await kill(daemon)
    await startsMoreSlowly(installation)
    expect(existsSync(installation.home.http) && http.port > 0).toBe(true)
  })
})

function startImpostor(
  http: HttpSettings,
  proof: (http: HttpSettings, nonce: string) => string,
): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((asked, response) => {
      const nonce = new URL(asked.url ?? '/', 'http://x').searchParams.get('nonce') ?? ''
      response.end(asked.url?.startsWith('/alive') ? proof(http, nonce) : '{}')
    })
    server.once('error', reject)
    server.listen(http.port, '127.0.0.1', () => resolve(server))
  })
}
