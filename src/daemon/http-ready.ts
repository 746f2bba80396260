import { randomBytes, timingSafeEqual } from 'node:crypto'
import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { bad, good, type Problem, type Result } from '../errors.ts'
import type { Home } from '../world/home.ts'
import { proofOf } from './http-door.ts'
import { type HttpSettings, LOOPBACK, proxyIn, readHttpSettings } from './http-settings.ts'
import { ensureDaemon } from './launch.ts'

/** Who listens where an agent asks: our daemon, somebody else, or nobody. */
export type Listener = 'ours' | 'foreign' | 'nobody'

const ANSWER_MAX_MS = 2_000
const PROOF_MAX_BYTES = 1_024
const POLL_MS = 50

/**
 * The door is open and ours, with a daemon started if there was none. Asked before a turn begins, because every tool
 * of that turn will be judged by whoever listens there.
 */
export async function ensureHttpDoor(
  home: Home,
  daemon: string,
  env: Readonly<Record<string, string | undefined>>,
  waitMs: number,
): Promise<Result<void>> {
  const settings = readHttpSettings(home)
  if (settings === undefined) {
    const fix = 'Run `holdpoint init --http` again.'
    return bad('DAEMON_SILENT', 'The address for hooks over HTTP cannot be read.', { file: home.http, fix })
  }
  const diverted = divertedProblem(env)
  if (diverted !== undefined) return { ok: false, problem: diverted }
  const endMs = Date.now() + waitMs
  for (;;) {
    const listener = await findListener(settings)
    if (listener === 'ours') return good(undefined)
    if (listener === 'foreign') return { ok: false, problem: takenProblem(settings) }
    const leftMs = endMs - Date.now()
    if (leftMs <= 0) return bad('DAEMON_SILENT', 'The daemon was started and does not open its HTTP door.')
    const started = await ensureDaemon(home, daemon, leftMs)
    if (!started.ok) return started
    await sleep(POLL_MS)
  }
}

export function divertedProblem(env: Readonly<Record<string, string | undefined>>): Problem | undefined {
  const variable = proxyIn(env)
  if (variable === undefined) return undefined
  const fix = `Put ${LOOPBACK} into NO_PROXY, or go back to hooks that need no port: \`holdpoint init\` without --http.`
  const message = `${variable} would send what this agent asks Holdpoint to a proxy.`
  return { code: 'HTTP_PORT_TAKEN', message, fix }
}

export function takenProblem({ port }: HttpSettings): Problem {
  const message = `Another program holds port ${port}, where this agent asks Holdpoint.`
  return { code: 'HTTP_PORT_TAKEN', message }
}

/** Asks for a proof that only the secret can give. The secret itself is not sent: this may be a stranger. */
export function findListener(settings: HttpSettings): Promise<Listener> {
  const nonce = randomBytes(16).toString('hex')
  return new Promise((resolve) => {
    // An agent of its own: the shared one may be set to use a proxy.
    const asked = request({
      ...{ host: LOOPBACK, port: settings.port, path: `/alive?nonce=${nonce}`, agent: false },
      signal: AbortSignal.timeout(ANSWER_MAX_MS),
    })
    asked.on('error', (error) => resolve(isNobody(error) ? 'nobody' : 'foreign'))
    asked.on('response', (response) => {
      let said = ''
      response.setEncoding('latin1')
      response.on('data', (chunk: string) => {
        said += chunk
        if (said.length > PROOF_MAX_BYTES) asked.destroy()
      })
      response.on('error', () => resolve('foreign'))
      response.on('close', () => resolve(isProof(said, proofOf(settings.secret, nonce)) ? 'ours' : 'foreign'))
    })
    asked.end()
  })
}

/** Nobody is there, or our own is just leaving; whoever speaks anything but HTTP, or is silent, is a stranger. */
function isNobody(error: Error): boolean {
  return 'code' in error && (error.code === 'ECONNREFUSED' || error.code === 'ECONNRESET')
}

function isProof(said: string, proof: string): boolean {
  return said.length === proof.length && timingSafeEqual(Buffer.from(said, 'latin1'), Buffer.from(proof))
}
