import { chmodSync, renameSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { appendToOwnSpool } from '../../storage/journal/spool.ts'
import type { Home } from '../../system/home.ts'
import { withSocketPath } from '../../system/platform/descriptors.ts'
import { type Broker, createBroker } from './broker.ts'
import { BOARD_SOCKET, openChannel } from './channel.ts'
import { readBoardRegistration } from './registration.ts'

export interface BrokerServer {
  readonly counts: Broker['counts']
  close(): void
}

const CONNECTIONS_MAX = 200

/** Opens the socket for boards and for questions, as the daemon opens its own: under another name first. */
export async function openBrokerServer(home: Home, newId: () => string): Promise<BrokerServer> {
  const broker = createBroker({
    read: (value) => readBoardRegistration(value, home, Date.now()),
    now: () => Date.now(),
    note: (event, { by, pid }, what) => {
      appendToOwnSpool(home.journal, {
        id: newId(),
        at: new Date().toISOString(),
        host: 'person',
        event,
        session: '',
        cwd: '/',
        project: '',
        effect: 'pass',
        because: [],
        notices: [what],
        durationMs: 0,
        revision: '',
        extra: { user: by.user, terminal: by.terminal, pid },
      })
    },
  })
  const server = createServer((socket) => {
    const listener = {
      onMessage: (message: Parameters<typeof handlers.onMessage>[0]) => handlers.onMessage(message),
      onClose: () => handlers.onClose(),
    }
    const channel = openChannel(socket, listener)
    const handlers = broker.connect(channel)
  })
  server.maxConnections = CONNECTIONS_MAX
  const own = `board.${process.pid}.sock`
  const [path, known] = [join(home.run, own), join(home.run, BOARD_SOCKET)]
  await withSocketPath(home.run, own, (short) => {
    return new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen({ path: short }, () => resolve())
    })
  })
  chmodSync(path, 0o600)
  const { ino } = statSync(path)
  renameSync(path, known)
  return {
    get counts() {
      return broker.counts
    },
    close() {
      if (statSync(known, { throwIfNoEntry: false })?.ino === ino) rmSync(known, { force: true })
      server.close()
    },
  }
}
