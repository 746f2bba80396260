import { type ClientRequestArgs, request } from 'node:http'
import type { InstalledEntry } from '../hosts/installer.ts'
import type { Home } from '../world/home.ts'
import { isReply, type Probed, payloadFor } from '../world/probe.ts'
import { findListener, takenProblem } from './http-ready.ts'
import { LOOPBACK, readHttpSettings } from './http-settings.ts'

const PROBE_MAX_MS = 30_000
const SHOWN_MAX_LENGTH = 200

/**
 * Asks an entry's address as the agent would: what it must answer, what it must refuse, and without the secret, which
 * must get nothing. Nothing is sent before the listener has proved to be ours, and the secret is never told.
 */
export async function probeHttp(entry: InstalledEntry, home: Home): Promise<Probed> {
  const startedMs = performance.now()
  const notLive = (why: string): Probed => ({ event: entry.event, live: false, why, tookMs: tookMs() })
  const tookMs = () => performance.now() - startedMs
  const obstacle = await obstacleTo(entry, home)
  if (obstacle !== undefined) return notLive(obstacle)
  const answered = await post(entry, JSON.stringify(payloadFor(entry.event)), entry.headers)
  const answeredMs = tookMs()
  if (answered?.status !== 200 || !isReply(answered.body)) {
    return notLive(`it did not answer: ${seen(answered)}`)
  }
  const refused = await post(entry, 'this is no event', entry.headers)
  const mustRefuse = new URL(entry.command).searchParams.get('on-failure') === 'deny'
  if (refused?.status !== 200 || isRefusal(refused.body) !== mustRefuse) {
    return notLive(mustRefuse ? `it let garbage through: ${seen(refused)}` : `garbage: ${seen(refused)}`)
  }
  const unknown = await post(entry, JSON.stringify(payloadFor(entry.event)), {})
  if (unknown !== undefined) return notLive(`it answers without the secret: ${seen(unknown)}`)
  return { event: entry.event, live: true, why: '', tookMs: answeredMs }
}

/** Why this entry cannot be asked, or must not be. */
async function obstacleTo(entry: InstalledEntry, home: Home): Promise<string | undefined> {
  const settings = readHttpSettings(home)
  if (settings === undefined)
    return `${home.http} is missing or cannot be read; run \`holdpoint init --http\`.`
  const { port } = new URL(entry.command)
  if (Number(port) !== settings.port) {
    return `it asks port ${port}, and Holdpoint listens on ${settings.port}; run \`holdpoint init --http\` again.`
  }
  if (entry.headers?.Authorization !== `Bearer ${settings.secret}`) {
    return 'its secret is not the one Holdpoint knows; run `holdpoint init --http` again.'
  }
  const listener = await findListener(settings)
  if (listener === 'foreign') return `${takenProblem(settings).message} Nothing was sent to it.`
  return listener === 'nobody' ? `nobody listens on port ${port}.` : undefined
}

interface Answer {
  readonly status: number
  readonly body: string
}

/** Undefined when the connection ended without an answer. */
function post(
  { command }: InstalledEntry,
  body: string,
  headers: ClientRequestArgs['headers'],
): Promise<Answer | undefined> {
  const { port, pathname, search } = new URL(command)
  return new Promise((resolve) => {
    const asked = request(
      {
        ...{ method: 'POST', host: LOOPBACK, port, path: pathname + search, agent: false },
        headers: { ...headers, 'content-type': 'application/json' },
        signal: AbortSignal.timeout(PROBE_MAX_MS),
      },
      (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => {
          text += chunk
        })
        response.on('error', () => resolve(undefined))
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body: text }))
      },
    )
    asked.on('error', () => resolve(undefined))
    asked.end(body)
  })
}

function isRefusal(body: string): boolean {
  return /"(?:permissionDecision|behavior)":"deny"|"decision":"block"/.test(body)
}

function seen(answer: Answer | undefined): string {
  if (answer === undefined) return 'the connection ended without an answer'
  return `status ${answer.status}, ${answer.body.trim().slice(0, SHOWN_MAX_LENGTH)}`
}
