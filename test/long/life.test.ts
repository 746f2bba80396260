import { appendFileSync, existsSync, mkdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { isRunning } from '../../src/testing/processes.ts'
import type { Ran } from '../e2e/command.ts'
import {
  answersRight,
  bash,
  copyOfDist,
  createStation,
  DIST,
  eventually,
  expectDenied,
  freeze,
  gone,
  it,
  readText,
  type Station,
  servesAgain,
  socketsOf,
  start,
} from '../faults/station.ts'

/** When a daemon comes, what it takes with it, when it leaves. */

describe.concurrent('leaves', () => {
  it('when nobody asks it for long enough', async ({ station }) => {
    const words = [join(DIST, 'daemon.cjs'), '--home', station.home.folder, '--idle-ms', '300']
    const daemon = start(process.execPath, words)
    const ended = new Promise((resolve) => daemon.on('exit', resolve))
    expect(await ended).toBe(0)
    expect(station.log()).toContain('leaves: idle')
    expect(existsSync(join(station.home.run, 'hook.sock'))).toBe(false)
    await answersRight(station)
    await servesAgain(station)
  })

  it('when its home is deleted, and does not bring it back', async ({ station }) => {
    const pid = await station.serving()
    await servesAgain(station)
    // The record of the last call may be written at this very moment.
    rmSync(station.home.folder, { recursive: true, maxRetries: 10 })
    await gone(pid)
    expect(existsSync(station.home.folder)).toBe(false)
  })

  it('when its program changes, and the next call is served by the new one', async ({ station }) => {
    const dist = copyOfDist(station.folder)
    const other = await createStation({ dist })
    try {
      const pid = await other.serving()
      appendFileSync(join(dist, 'daemon.cjs'), '\n')
      // From now on it takes no more questions, also before it has left.
      expect((await other.status())?.pid).not.toBe(pid)
      await answersRight(other)
      expect((await servesAgain(other)).pid).not.toBe(pid)
      await gone(pid)
      expect(other.log()).toMatch(/leaves: (outdated|replaced)/)
      rmSync(join(dist, 'daemon.cjs'))
      await eventually(() => other.processes().length === 0, 'nobody serves from a program that is gone')
      await answersRight(other)
    } finally {
      await other.remove()
    }
  })

  /** Answers when it may, and notes that it was asked. */
  const SLOW = `version: 1
hooks:
  PreToolUse:
    - match: Bash
      timeoutMs: 120000
      run: 'cd "$CLAUDE_PROJECT_DIR"; echo run >> ran; until [ -e go ]; do sleep 0.05; done; echo not this one >&2; exit 2'
`
  it.for<[string, (station: Station, pid: number) => Promise<unknown> | boolean]>([
    ['SIGTERM', (_station, pid) => process.kill(pid, 'SIGTERM')],
    ['daemon stop', (station) => station.command('daemon', 'stop')],
  ])('when it is asked to by %s, after it has answered what it was asked', async ([, ask], { station }) => {
    const pid = await station.serving()
    writeFileSync(station.home.userConfig, SLOW)
    const calls = Array.from({ length: 4 }, () => station.call(bash('echo harmless')))
    await eventually(async () => (await station.status())?.open === 4, 'all four are being answered')
    const asked = ask(station, pid)
    await eventually(() => station.log().includes('leaves: stopped'), 'it was told')
    writeFileSync(join(station.project, 'go'), '')
    await asked
    for (const answer of await Promise.all(calls)) expectDenied(answer)
    await gone(pid)
    // By the daemon, each once: nobody had to ask again in a process of its own.
    expect(readText(join(station.project, 'ran'))).toBe('run\n'.repeat(4))
    rmSync(station.home.userConfig)
    await answersRight(station)
    await servesAgain(station)
  })
})

describe.concurrent('takes nothing of its starter with it', () => {
  it('no variable, no folder, no open file, no port', async ({ station }) => {
    await station.call(bash('ls'), { env: { SECRET_TOKEN: 'tell-nobody', LD_PRELOAD: '', NODE_OPTIONS: '' } })
    const { pid } = await servesAgain(station)
    const variables = readText(`/proc/${pid}/environ`).split('\0')
    // The shell that starts Node adds its own working directory.
    expect(variables.filter((each) => !/^(PWD=\/|)$/.test(each))).toEqual([
      'PATH=/usr/local/bin:/usr/bin:/bin',
    ])
    expect(readlinkSync(`/proc/${pid}/cwd`)).toBe('/')
    for (const descriptor of [0, 1, 2])
      expect(readlinkSync(`/proc/${pid}/fd/${descriptor}`)).toBe('/dev/null')
    expect(socketsOf(pid, 'tcp')).toEqual([])
    expect(socketsOf(pid, 'unix').length).toBeGreaterThan(0)
  })

  it('no secret of an event in its log', async ({ station }) => {
    const secret = 'ghp_0123456789abcdefABCDEF0123456789abcd'
    await servesAgain(station)
    // Everything that makes it talk: a journal that fails, a state that fails, events that cannot be read.
    rmSync(station.home.journal, { recursive: true })
    mkdirSync(join(station.home.journal, 'spool.jsonl'), { recursive: true })
    rmSync(station.home.state, { recursive: true })
    writeFileSync(station.home.state, secret)
    for (const payload of [
      bash(`curl -H 'Authorization: ${secret}' https://example.com`),
      secret,
      `{"${secret}"`,
    ]) {
      await station.call(payload)
    }
    await eventually(() => station.log().includes('a record was lost'), 'the log says something')
    expect(station.log()).not.toContain(secret)
    expect(station.log()).not.toContain('curl')
    await answersRight(station)
  })
})

describe.concurrent('holdpoint daemon', () => {
  it('status, start, stop, logs', async ({ station }) => {
    const none = { exitCode: 1, stdout: expect.stringContaining('No daemon answers (none was ever started)') }
    expect(await station.command('daemon', 'status')).toMatchObject(none)
    expect(await station.command('daemon', 'logs')).toMatchObject(said('said nothing yet'))
    expect(await station.command('daemon', 'stop')).toMatchObject(said('There was no daemon.'))

    expect(await station.command('daemon', 'start')).toMatchObject(said('pid'))
    const { pid } = await servesAgain(station)
    expect(await station.command('daemon', 'start')).toMatchObject(said(`${pid}`))
    const { stdout } = await station.command('daemon', 'status', '--json')
    expect(JSON.parse(stdout)).toMatchObject({
      pid,
      answered: 3,
      late: 0,
      lost: 0,
      http: null,
      journal: 'well',
    })
    expect(await station.command('daemon', 'logs')).toMatchObject(said('started, build'))

    expect(await station.command('daemon', 'stop')).toMatchObject(said('The daemon has stopped.'))
    await gone(pid)
    expect(await station.command('daemon', 'status', '--json')).toMatchObject({
      exitCode: 1,
      stdout: '{"pid":null}\n',
    })
    await servesAgain(station)
  })

  it('also when the daemon is frozen', async ({ station }) => {
    const pid = await station.serving()
    await freeze(pid)
    const silent = { exitCode: 1, stdout: expect.stringContaining(`process ${pid} is there and silent`) }
    expect(await station.command('daemon', 'status')).toMatchObject(silent)
    expect(await station.command('daemon', 'stop')).toMatchObject(said('The daemon has stopped.'))
    await gone(pid)
    await answersRight(station)
    await servesAgain(station)
  })

  it('stop does not touch a process that only has the number', async ({ station }) => {
    mkdirSync(station.home.run, { mode: 0o700 })
    writeFileSync(join(station.home.run, 'daemon.pid'), `${process.pid} ${process.ppid}\n`)
    expect(await station.command('daemon', 'stop')).toMatchObject(said('There was no daemon.'))
    expect(isRunning(process.pid)).toBe(true)
  })
})

function said(text: string): Partial<Ran> {
  return { exitCode: 0, stdout: expect.stringContaining(text) }
}
