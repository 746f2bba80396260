import { randomBytes, timingSafeEqual } from 'node:crypto'
import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { bad, good, type Problem, type Result } from '../core/errors.ts'
import type { Home } from '../system/home.ts'
import { proofOf } from './http-server.ts'
import { type HttpSettings, LOOPBACK, proxyIn, readHttpSettings } from './http-settings.ts'
import { ensureDaemon } from './launch.ts'

/** What listens on the port that an agent uses: Holdpoint's daemon, another program, or nothing. */
export type Listener = 'ours' | 'foreign' | 'none'

const ANSWER_MAX_MS = 2_000
const PROOF_MAX_BYTES = 1_024
const POLL_MS = 50

/**
 * Checks that the HTTP server is running and is Holdpoint's own; starts a daemon if there is none. Called
 * before a turn begins, because the listener decides about every tool of that turn.
 */
export async function ensureHttpServer(
  home: Home,
  env: Readonly<Record<string, string | undefined>>,
  waitMs: number,
): Promise<Result<void>> {
  const settings = readHttpSettings(home)
  if (settings === undefined) {
    const fix = 'Run `holdpoint init --http` again.'
    return bad('DAEMON_SILENT', 'The settings for HTTP hooks cannot be read.', { file: home.http, fix })
  }
  const diverted = divertedProblem(env)
  if (diverted !== undefined) return { ok: false, problem: diverted }
  const endMs = Date.now() + waitMs
  for (;;) {
    const listener = await findListener(settings)
    if (listener === 'ours') return good(undefined)
    if (listener === 'foreign') return { ok: false, problem: takenProblem(settings) }
    const leftMs = endMs - Date.now()
    if (leftMs <= 0)
      return bad('DAEMON_SILENT', 'The daemon was started, but its HTTP server does not answer.')
    const started = await ensureDaemon(home, leftMs)
    if (!started.ok) return started
    await sleep(POLL_MS)
  }
}

export function divertedProblem(env: Readonly<Record<string, string | undefined>>): Problem | undefined {
  const variable = proxyIn(env)
  if (variable === undefined) return undefined
  const fix = `Add ${LOOPBACK} to NO_PROXY, or go back to hooks that need no port: run \`holdpoint init\` without --http.`
  const message = `${variable} would send this agent's hook requests to a proxy.`
  return { code: 'HTTP_PORT_TAKEN', message, fix }
}

export function takenProblem({ port }: HttpSettings): Problem {
  const message = `Another program uses port ${port}, where this agent sends its hook requests.`
  return { code: 'HTTP_PORT_TAKEN', message }
}

/** Asks for a proof that only the daemon's own key can give. No secret is sent: this may be another program. */
export function findListener(settings: HttpSettings): Promise<Listener> {
  const nonce = randomBytes(16).toString('hex')
  return new Promise((resolve) => {
    // A separate agent, because the shared one may be set to use a proxy.
    const asked = request({
      ...{ host: LOOPBACK, port: settings.port, path: `/alive?nonce=${nonce}`, agent: false },
      signal: AbortSignal.timeout(ANSWER_MAX_MS),
    })
    asked.on('error', (error) => resolve(isNotListening(error) ? 'none' : 'foreign'))
    asked.on('response', (response) => {
      let said = ''
      response.setEncoding('latin1')
      response.on('data', (chunk: string) => {
        said += chunk
        if (said.length > PROOF_MAX_BYTES) asked.destroy()
      })
      response.on('error', () => resolve('foreign'))
      response.on('close', () => resolve(isProof(said, proofOf(settings, nonce)) ? 'ours' : 'foreign'))
    })
    asked.end()
  })
}

/**
 * Either nothing listens, or Holdpoint's own daemon is about to exit. A listener that does not speak HTTP, or
 * does not answer, is another program.
 */
function isNotListening(error: Error): boolean {
  return 'code' in error && (error.code === 'ECONNREFUSED' || error.code === 'ECONNRESET')
}

function isProof(said: string, proof: string): boolean {
  return said.length === proof.length && timingSafeEqual(Buffer.from(said, 'latin1'), Buffer.from(proof))
}
