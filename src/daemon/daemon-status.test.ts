import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { BUILD_ID } from '../core/build-id.ts'
import { homeLayout } from '../system/home.ts'
import { isDaemonRunning, isSupervised } from './daemon-status.ts'
import { encodeReply } from './protocol.ts'
import { prepareRunFolder } from './run-folder.ts'
import { openSocketServer, type SocketServer } from './socket-server.ts'

let folder: string
let servers: SocketServer[] = []
const home = () => homeLayout(folder, {})

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-status-'))
  prepareRunFolder(home().run)
})
afterEach(() => {
  for (const server of servers) server.close()
  servers = []
  rmSync(folder, { recursive: true })
})

/** A server that gives this answer to every request. */
async function serve(stdout: string): Promise<void> {
  const answer = async () => encodeReply({ stdout, stderr: '', exitCode: 0 })
  servers.push(await openSocketServer(home().run, { accepts: () => true, answer }))
}

const saying = (status: object) => JSON.stringify({ build: BUILD_ID, ...status })

it.each([
  ['a daemon of this build is running and has no supervisor', saying({ supervisor: null }), [true, false]],
  [
    'a daemon of this build with a supervisor is running and supervised',
    saying({ supervisor: 7 }),
    [true, true],
  ],
  [
    'a daemon of another build does not count as running',
    saying({ build: 'another', supervisor: 7 }),
    [false, false],
  ],
  ['a daemon without a build in its status does not count as running', '{}', [false, false]],
  ['a server that does not answer with JSON does not count as a daemon', 'who are you?', [false, false]],
  ['a server that answers `null` does not count as a daemon', 'null', [false, false]],
])('%s', async (_name, status, expected) => {
  await serve(status)
  expect([await isDaemonRunning(home()), await isSupervised(home())]).toEqual(expected)
})

const GONE = 2 ** 22 + 1

it.each([
  ['no process was noted', undefined],
  ['the noted process is gone', `${GONE} ${GONE}\n`],
  ['no supervisor was noted', `${GONE} \n`],
  ['the note is not a number', 'x y\n'],
])('nothing is running if no daemon answers and %s', async (_name, noted) => {
  if (noted !== undefined) writeFileSync(join(home().run, 'daemon.pid'), noted)
  expect([await isDaemonRunning(home()), await isSupervised(home())]).toEqual([false, false])
})

it('a running supervisor gets the time to restart its daemon', async () => {
  writeFileSync(join(home().run, 'daemon.pid'), `${GONE} ${process.pid}\n`)
  const asked = isSupervised(home())
  await serve(saying({ supervisor: process.pid }))
  expect(await asked).toBe(true)
})
