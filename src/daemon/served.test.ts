import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { BUILD_ID } from '../build-id.ts'
import { homeLayout } from '../world/home.ts'
import { encodeReply } from './protocol.ts'
import { prepareRunFolder } from './run-folder.ts'
import { isServed, isSupervised } from './served.ts'
import { openSocketDoor, type SocketDoor } from './socket-door.ts'

let folder: string
let doors: SocketDoor[] = []
const home = () => homeLayout(folder, {})

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-served-'))
  prepareRunFolder(home().run)
})
afterEach(() => {
  for (const door of doors) door.close()
  doors = []
  rmSync(folder, { recursive: true })
})

/** Somebody who answers every question with this. */
async function serve(stdout: string): Promise<void> {
  const answer = async () => encodeReply({ stdout, stderr: '', exitCode: 0 })
  doors.push(await openSocketDoor(home().run, { mayEnter: () => true, answer }))
}

const saying = (status: object) => JSON.stringify({ build: BUILD_ID, ...status })

it.each([
  ['a daemon of this build', saying({ supervisor: null }), [true, false]],
  ['one with a supervisor', saying({ supervisor: 7 }), [true, true]],
  ['one of another build', saying({ build: 'another', supervisor: 7 }), [false, false]],
  ['one that says nothing of itself', '{}', [false, false]],
  ['no daemon at all', 'who are you?', [false, false]],
  ['nothing', 'null', [false, false]],
])('%s', async (_name, status, expected) => {
  await serve(status)
  expect([await isServed(home()), await isSupervised(home())]).toEqual(expected)
})

const GONE = 2 ** 22 + 1

it.each([
  ['nobody was noted', undefined],
  ['the noted one is gone', `${GONE} ${GONE}\n`],
  ['none was noted beside the daemon', `${GONE} \n`],
  ['what is noted is no number', 'x y\n'],
])('nobody answers and %s', async (_name, noted) => {
  if (noted !== undefined) writeFileSync(join(home().run, 'daemon.pid'), noted)
  expect([await isServed(home()), await isSupervised(home())]).toEqual([false, false])
})

it('a supervisor that lives is given the time to bring its daemon back', async () => {
  writeFileSync(join(home().run, 'daemon.pid'), `${GONE} ${process.pid}\n`)
  const asked = isSupervised(home())
  await serve(saying({ supervisor: process.pid }))
  expect(await asked).toBe(true)
})
