import {
  chmodSync,
  chownSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { encodeReply } from '../../src/daemon/protocol.ts'
import { isRunning } from '../../src/testing/processes.ts'
import {
  answersRight,
  start as begin,
  eventually,
  it,
  keepDaemonsAway,
  modeOf,
  run,
  type Station,
  servesAgain,
} from '../faults/station.ts'

/** The daemon's folder in every state a crash, a person or an attacker leaves it in. */

const STRANGER = 12_345
const isRoot = process.geteuid?.() === 0
const inRun = ({ home }: Station, name: string) => join(home.run, name)
const longAgo = new Date(Date.now() - 60 * 60 * 1000)

type Case = readonly [name: string, prepare: (station: Station) => void]

describe.concurrent('is put right by the next daemon', () => {
  it.for<Case>([
    ['no socket', () => {}],
    ['no folder', (station) => rmSync(station.home.run, { recursive: true })],
    [
      'a plain file in the place of the socket',
      (station) => writeFileSync(inRun(station, 'hook.sock'), 'not a socket'),
    ],
    [
      'a link to nowhere in the place of the socket',
      (station) => symlinkSync('/nowhere', inRun(station, 'hook.sock')),
    ],
    [
      'what a daemon left that was killed',
      (station) => {
        writeFileSync(inRun(station, 'daemon.pid'), `${process.pid} \n`)
        writeFileSync(inRun(station, 'hook.sock'), '')
      },
    ],
    ['a pid file that is garbage', (station) => writeFileSync(inRun(station, 'daemon.pid'), '-1 0 1 x\0')],
    [
      'a mark of a daemon that never came',
      (station) => {
        writeFileSync(inRun(station, 'starting'), '')
        utimesSync(inRun(station, 'starting'), longAgo, longAgo)
      },
    ],
  ])('%s', async ([, prepare], { station }) => {
    mkdirSync(station.home.run, { mode: 0o700 })
    prepare(station)
    await answersRight(station)
    await servesAgain(station)
    expect(isRunning(process.pid)).toBe(true)
  })
})

describe.concurrent('is not trusted, and hooks answer without it', () => {
  const root: readonly Case[] = [
    ['of another user', (station) => chownSync(station.home.run, STRANGER, STRANGER)],
  ]
  it.for<Case>([
    ...(isRoot ? root : []),
    ['writable by the group', (station) => chmodSync(station.home.run, 0o770)],
    ['writable by everybody', (station) => chmodSync(station.home.run, 0o707)],
    [
      'a link',
      (station) => {
        renameSync(station.home.run, join(station.folder, 'elsewhere'))
        symlinkSync(join(station.folder, 'elsewhere'), station.home.run)
      },
    ],
    [
      'a file',
      (station) => {
        rmSync(station.home.run, { recursive: true })
        writeFileSync(station.home.run, '')
      },
    ],
  ])('%s', async ([, prepare], { station }) => {
    mkdirSync(station.home.run, { mode: 0o700 })
    prepare(station)
    const [start, status] = await Promise.all([
      station.command('daemon', 'start'),
      station.command('daemon', 'status'),
      answersRight(station),
    ])
    expect(start).toMatchObject({ exitCode: 74, stderr: expect.stringContaining('[DAEMON_FOLDER]') })
    expect(status).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('hooks answer without it') })
    expect(station.processes()).toEqual([])
    rmSync(station.home.run, { recursive: true })
    await servesAgain(station)
  })

  it('with a folder in the place of the socket', async ({ station }) => {
    mkdirSync(join(inRun(station, 'hook.sock'), 'sub'), { recursive: true })
    await answersRight(station)
    await eventually(() => station.log().includes('cannot start'), 'the daemon says why it cannot start')
    rmSync(inRun(station, 'hook.sock'), { recursive: true })
    rmSync(inRun(station, 'starting'), { force: true })
    await servesAgain(station)
  })
})

it('a process of another user on our socket is not asked', async ({ station }) => {
  mkdirSync(station.home.run, { mode: 0o700 })
  // Only root can be two users; for anybody else the stranger is the folder's owner, and refused above.
  const uid = isRoot ? STRANGER : undefined
  const nest = join(station.folder, 'nest')
  mkdirSync(nest)
  if (uid !== undefined) chownSync(nest, uid, uid)
  const yes = encodeReply({ stdout: '{}\n', stderr: '', exitCode: 0 }).toString('base64')
  const stranger = begin(
    process.execPath,
    [
      '-e',
      `require('net').createServer((s) => {
        console.log('asked')
        s.on('error', () => {})
        s.write('HPA1')
        s.write(Buffer.from('${yes}', 'base64'))
      }).listen('${join(nest, 'hook.sock')}', () => console.log('listens'))`,
    ],
    uid === undefined ? {} : { uid },
  )
  let said = ''
  stranger.stdout?.on('data', (chunk) => {
    said += chunk
  })
  try {
    await eventually(() => said.includes('listens'), 'the stranger listens')
    renameSync(join(nest, 'hook.sock'), inRun(station, 'hook.sock'))
    const letDaemonsIn = keepDaemonsAway(station)
    if (isRoot) await answersRight(station)
    else expect(said).toBe('listens\n')
    letDaemonsIn()
  } finally {
    stranger.kill('SIGKILL')
  }
  await servesAgain(station)
})

it.for(['000', '077'])('umask %s: the folder is 0700 and what is in it 0600', async (umask, { station }) => {
  const words = ['claude-code', '--home', station.home.folder, '--event', 'PreToolUse']
  await run('/bin/sh', ['-c', `umask ${umask}; exec "$0" "$@"`, station.home.hookProgram, ...words])
  await servesAgain(station)
  expect(modeOf(station.home.run)).toBe('700')
  for (const name of ['hook.sock', 'daemon.pid', 'daemon.log'])
    expect([name, modeOf(inRun(station, name))]).toEqual([name, '600'])
})
