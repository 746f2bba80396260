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
import { isRunning } from '../../src/library/testing/processes.ts'
import {
  start as begin,
  expectDaemonAnswers,
  expectRightAnswers,
  type Installation,
  it,
  modeOf,
  preventDaemonStart,
  run,
} from '../faults/installation.ts'
import { eventually } from '../processes.ts'

/** The daemon's folder in every state in which a crash, a user or an attacker may leave it. */

const OTHER_USER = 12_345
const isRoot = process.geteuid?.() === 0
const inRun = ({ home }: Installation, name: string) => join(home.run, name)
const longAgo = new Date(Date.now() - 60 * 60 * 1000)

type Case = readonly [name: string, prepare: (installation: Installation) => void]

describe.concurrent('the next daemon repairs', () => {
  it.for<Case>([
    ['a missing socket', () => {}],
    ['a missing run folder', (installation) => rmSync(installation.home.run, { recursive: true })],
    [
      'a plain file instead of the socket',
      (installation) => writeFileSync(inRun(installation, 'hook.sock'), 'not a socket'),
    ],
    [
      'a broken link instead of the socket',
      (installation) => symlinkSync('/nowhere', inRun(installation, 'hook.sock')),
    ],
    [
      'the files of a killed daemon',
      (installation) => {
        writeFileSync(inRun(installation, 'daemon.pid'), `${process.pid} \n`)
        writeFileSync(inRun(installation, 'hook.sock'), '')
      },
    ],
    [
      'a pid file that is garbage',
      (installation) => writeFileSync(inRun(installation, 'daemon.pid'), '-1 0 1 x\0'),
    ],
    [
      'an old file `starting`',
      (installation) => {
        writeFileSync(inRun(installation, 'starting'), '')
        utimesSync(inRun(installation, 'starting'), longAgo, longAgo)
      },
    ],
  ])('%s', async ([, prepare], { installation }) => {
    mkdirSync(installation.home.run, { mode: 0o700 })
    prepare(installation)
    await expectRightAnswers(installation)
    await expectDaemonAnswers(installation)
    expect(isRunning(process.pid)).toBe(true)
  })
})

describe.concurrent('the run folder is not used, and hooks are answered without a daemon, if', () => {
  const root: readonly Case[] = [
    [
      'it belongs to another user',
      (installation) => chownSync(installation.home.run, OTHER_USER, OTHER_USER),
    ],
  ]
  it.for<Case>([
    ...(isRoot ? root : []),
    ['the group can write to it', (installation) => chmodSync(installation.home.run, 0o770)],
    ['everybody can write to it', (installation) => chmodSync(installation.home.run, 0o707)],
    [
      'it is a link',
      (installation) => {
        renameSync(installation.home.run, join(installation.folder, 'elsewhere'))
        symlinkSync(join(installation.folder, 'elsewhere'), installation.home.run)
      },
    ],
    [
      'it is a file',
      (installation) => {
        rmSync(installation.home.run, { recursive: true })
        writeFileSync(installation.home.run, '')
      },
    ],
  ])('%s', async ([, prepare], { installation }) => {
    mkdirSync(installation.home.run, { mode: 0o700 })
    prepare(installation)
    const [start, status] = await Promise.all([
      installation.command('daemon', 'start'),
      installation.command('daemon', 'status'),
      expectRightAnswers(installation),
    ])
    expect(start).toMatchObject({ exitCode: 74, stderr: expect.stringContaining('[DAEMON_FOLDER]') })
    expect(status).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('hooks work without it') })
    expect(installation.processes()).toEqual([])
    rmSync(installation.home.run, { recursive: true })
    await expectDaemonAnswers(installation)
  })

  it('it has a folder instead of the socket', async ({ installation }) => {
    mkdirSync(join(inRun(installation, 'hook.sock'), 'sub'), { recursive: true })
    await expectRightAnswers(installation)
    await eventually(() => installation.log().includes('cannot start'), 'the daemon says why it cannot start')
    rmSync(inRun(installation, 'hook.sock'), { recursive: true })
    rmSync(inRun(installation, 'starting'), { force: true })
    await expectDaemonAnswers(installation)
  })
})

it('a process of another user on the socket is not used', async ({ installation }) => {
  mkdirSync(installation.home.run, { mode: 0o700 })
  // Only root can act as two users. For other users the folder has another owner, and is refused above.
  const uid = isRoot ? OTHER_USER : undefined
  const nest = join(installation.folder, 'nest')
  mkdirSync(nest)
  if (uid !== undefined) chownSync(nest, uid, uid)
  const yes = encodeReply({ stdout: '{}\n', stderr: '', exitCode: 0 }).toString('base64')
  const otherProcess = begin(
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
  otherProcess.stdout?.on('data', (chunk) => {
    said += chunk
  })
  try {
    await eventually(() => said.includes('listens'), 'the otherProcess listens')
    renameSync(join(nest, 'hook.sock'), inRun(installation, 'hook.sock'))
    const allowDaemonStart = preventDaemonStart(installation)
    if (isRoot) await expectRightAnswers(installation)
    else expect(said).toBe('listens\n')
    allowDaemonStart()
  } finally {
    otherProcess.kill('SIGKILL')
  }
  await expectDaemonAnswers(installation)
})

it.for(['000', '077'])(
  'with umask %s the run folder has mode 0700 and its files 0600',
  async (umask, { installation }) => {
    const words = ['claude-code', '--home', installation.home.folder, '--event', 'PreToolUse']
    await run('/bin/sh', ['-c', `umask ${umask}; exec "$0" "$@"`, installation.home.hookProgram, ...words])
    await expectDaemonAnswers(installation)
    expect(modeOf(installation.home.run)).toBe('700')
    for (const name of ['hook.sock', 'daemon.pid', 'daemon.log'])
      expect([name, modeOf(inRun(installation, name))]).toEqual([name, '600'])
  },
)
