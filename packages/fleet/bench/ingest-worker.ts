import { createFleetHttp } from '../../../src/daemon/fleet/http.ts'
import { newMachine } from '../../../src/daemon/fleet/machine.ts'
import { encodePush, MAIN_BRANCH } from '../../../src/daemon/fleet/push-format.ts'
import { type PushCursor, pushJournal } from '../../../src/daemon/fleet/push-journal.ts'
import { signRequest } from '../../../src/daemon/fleet/request-signature.ts'
import { createSessions, createSimJournal, seeded } from './sim-journal.ts'

/**
 * Machines that always have a batch to send. The batches are made before the measurement, so that it measures collectors
 * and database; they are signed when they are sent. A few machines speak at once, as behind a load balancer.
 */

const AT_ONCE = 12

interface Start {
  readonly kind: 'start'
  readonly url: string
  readonly token: string
  readonly machines: number
  readonly first: number
  readonly batch: number
  readonly rounds: number
}

const http = createFleetHttp()
let senders: readonly Sender[] = []
let isOver = false
let going: Promise<void> | undefined

interface Sender {
  register(): Promise<unknown>
  /** False if it has nothing left. */
  push(): Promise<boolean>
}

function createSender({ url, token, first, batch, rounds }: Start, n: number): Sender {
  const machine = newMachine()
  const journal = createSimJournal()
  const next = createSessions(first + n, seeded(first + n + 1))
  const status = { hostname: `host-${first + n}`, version: '0.2.0' }
  let cursor: PushCursor | undefined
  const pushes = Array.from({ length: rounds }, (_, round) => {
    const now = new Date()
    const previous = journal.end
    for (let each = 0; each < batch; each += 1) journal.add(next(now))
    const { rows } = journal.chain(previous.seq, batch)
    journal.forget(journal.end.seq)
    const about = { machine: machine.id, counter: round + 10, sentAt: now.toISOString(), branch: MAIN_BRANCH }
    return encodePush({ ...about, previous: { ...previous }, status, rows })
  })
  const address = new URL('/v1/push', url)
  return {
    register: () =>
      pushJournal({
        ...{ url, token, machine, labels: {}, http, status: () => status, now: () => new Date() },
        journal: createSimJournal(),
        cursor: {
          read: () => cursor,
          write: (value) => {
            cursor = value
          },
        },
      }),
    async push() {
      const body = pushes.shift()
      if (body === undefined) return false
      const headers = { 'content-encoding': 'gzip', ...signRequest('/v1/push', machine, body) }
      for (;;) {
        const sent = await http.send({
          url: address,
          method: 'POST',
          headers,
          body,
          maxBytes: 100_000,
          timeoutMs: 60_000,
        })
        if (!sent.ok) throw new Error(sent.problem.message)
        if (sent.value.status === 200) return true
        if (sent.value.status !== 503) throw new Error(`${sent.value.status} ${sent.value.body}`)
        await new Promise((resolve) => setTimeout(resolve, 200))
      }
    },
  }
}

async function go(): Promise<void> {
  // A machine sends one batch after the other: each continues the chain of the one before.
  const free = [...senders]
  const loop = async () => {
    for (let sender = free.shift(); sender !== undefined && !isOver; sender = free.shift()) {
      if (await sender.push()) free.push(sender)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, loop))
}

process.on('message', async (message: Start | { readonly kind: 'go' } | { readonly kind: 'stop' }) => {
  if (message.kind === 'go') {
    going = go()
    return
  }
  if (message.kind === 'stop') {
    isOver = true
    await going
    process.send?.({ kind: 'stopped' })
    return
  }
  senders = Array.from({ length: message.machines }, (_, n) => createSender(message, n))
  for (let at = 0; at < senders.length; at += 50) {
    await Promise.all(senders.slice(at, at + 50).map((sender) => sender.register()))
  }
  process.send?.({ kind: 'started' })
})
process.on('disconnect', () => process.exit(0))
