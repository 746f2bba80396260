import { type ClientRequestArgs, request } from 'node:http'
import type { InstalledEntry } from '../hosts/installer.ts'
import type { Home } from '../system/home.ts'
import { isDeny, isReply, type Probed, probeBy, type Seen } from '../system/probe.ts'
import { findListener, takenProblem } from './http-ready.ts'
import { LOOPBACK, readHttpSettings } from './http-settings.ts'

const PROBE_MAX_MS = 30_000
const SHOWN_MAX_LENGTH = 200

/**
 * Sends requests to a hook's address as the agent would: an event, an invalid event that must be refused, and
 * a request without the secret, which must get nothing. Nothing is sent before the listener has proved to be
 * Holdpoint, and the secret is never printed.
 */
export async function probeHttp(entry: InstalledEntry, home: Home): Promise<Probed> {
  const notLive = (why: string): Probed => ({ event: entry.event, live: false, why, tookMs: 0 })
  const obstacle = await obstacleTo(entry, home)
  if (obstacle !== undefined) return notLive(obstacle)
  const failsClosed = new URL(entry.command).searchParams.get('on-failure') === 'deny'
  const send = async (payload: string) => reading(await post(entry, payload, entry.headers))
  const probed = await probeBy({ failsClosed, send }, entry.event, home)
  if (!probed.live) return probed
  const unknown = await post(entry, '{}', {})
  return unknown === undefined ? probed : notLive(`it answers without the secret: ${seen(unknown)}`)
}

function reading(answer: Answer | undefined): Seen {
  const answered = answer?.status === 200 && isReply(answer.body)
  return { answered, denied: answered && isDeny(answer.body), text: seen(answer) }
}

/** Why this address cannot, or must not, be called. */
async function obstacleTo(entry: InstalledEntry, home: Home): Promise<string | undefined> {
  const settings = readHttpSettings(home)
  if (settings === undefined)
    return `${home.http} is missing or cannot be read. Run \`holdpoint init --http\`.`
  const { port } = new URL(entry.command)
  if (Number(port) !== settings.port) {
    return `it uses port ${port}, but Holdpoint listens on ${settings.port}. Run \`holdpoint init --http\` again.`
  }
  if (entry.headers?.Authorization !== `Bearer ${settings.secret}`) {
    return "its secret is not the one in Holdpoint's settings. Run `holdpoint init --http` again."
  }
  const listener = await findListener(settings)
  if (listener === 'foreign') return `${takenProblem(settings).message} Nothing was sent to it.`
  return listener === 'none' ? `nothing listens on port ${port}.` : undefined
}

interface Answer {
  readonly status: number
  readonly body: string
}

/** Undefined if the connection ended without an answer. */
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

function seen(answer: Answer | undefined): string {
  if (answer === undefined) return 'the connection ended without an answer'
  return `status ${answer.status}, ${answer.body.trim().slice(0, SHOWN_MAX_LENGTH)}`
}
