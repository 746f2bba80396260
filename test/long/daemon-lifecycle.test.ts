import { existsSync, mkdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { isLinux, onLinux } from '../../src/library/testing/linux-only.ts'
import { isRunning } from '../../src/library/testing/processes.ts'
import { DAEMON_ENV } from '../../src/system/daemon-node.ts'
import type { Ran } from '../e2e/command.ts'
import {
  bash,
  expectDaemonAnswers,
  expectDenied,
  expectRightAnswers,
  freeze,
  type Installation,
  it,
  socketsOf,
  start,
  upgrade,
  waitForExit,
} from '../faults/installation.ts'
import { eventually, readText } from '../processes.ts'

/** When a daemon starts, what it inherits, and when it exits. */

describe.concurrent('a daemon exits', () => {
  it('when it is idle for long enough', async ({ installation }) => {
    const words = ['daemon', '--home', installation.home.folder, '--idle-ms', '300']
    const daemon = start(installation.home.nodeProgram, words)
    const ended = new Promise((resolve) => daemon.on('exit', resolve))
    expect(await ended).toBe(0)
    expect(installation.log()).toContain('exits: idle')
    expect(existsSync(join(installation.home.run, 'hook.sock'))).toBe(false)
    await expectRightAnswers(installation)
    await expectDaemonAnswers(installation)
  })

  it('when its home is deleted, and does not create it again', async ({ installation }) => {
    const pid = await installation.startDaemon()
    await expectDaemonAnswers(installation)
    // The record of the last call may be written at this moment.
    rmSync(installation.home.folder, { recursive: true, maxRetries: 10 })
    await waitForExit(pid)
    expect(existsSync(installation.home.folder)).toBe(false)
  })

  it('when another copy is installed, and the new copy answers the next call', async ({ installation }) => {
    const pid = await installation.startDaemon()
    upgrade(installation.home)
    // From now on it accepts no requests, even before it has exited.
    expect((await installation.status())?.pid).not.toBe(pid)
    await expectRightAnswers(installation)
    expect((await expectDaemonAnswers(installation)).pid).not.toBe(pid)
    await waitForExit(pid)
    expect(installation.log()).toMatch(/exits: (outdated|replaced)/)
  })

  /** A hook that waits for a file, and writes that it was started. */
  const SLOW = `version: 1
hooks:
  PreToolUse:
    - match: Bash
      timeoutMs: 120000
      run: 'cd "$CLAUDE_PROJECT_DIR"; echo run >> ran; until [ -e go ]; do sleep 0.05; done; echo not this one >&2; exit 2'
`
  it.for<[string, (installation: Installation, pid: number) => Promise<unknown> | boolean]>([
    ['SIGTERM', (_installation, pid) => process.kill(pid, 'SIGTERM')],
    ['daemon stop', (installation) => installation.command('daemon', 'stop')],
  ])('after %s, once it has answered all requests', async ([, ask], { installation }) => {
    const pid = await installation.startDaemon()
    writeFileSync(installation.home.userConfig, SLOW)
    const calls = Array.from({ length: 4 }, () => installation.call(bash('echo harmless')))
    await eventually(async () => (await installation.status())?.open === 4, 'all four are being answered')
    const asked = ask(installation, pid)
    await eventually(() => installation.log().includes('exits: stopped'), 'it was told')
    writeFileSync(join(installation.project, 'go'), '')
    await asked
    for (const answer of await Promise.all(calls)) expectDenied(answer)
    await waitForExit(pid)
    // The daemon ran each hook once: no call had to be answered by a separate process.
    expect(readText(join(installation.project, 'ran'))).toBe('run\n'.repeat(4))
    rmSync(installation.home.userConfig)
    await expectRightAnswers(installation)
    await expectDaemonAnswers(installation)
  })
})

describe.concurrent('a daemon', () => {
  it.runIf(isLinux)(
    onLinux(
      'inherits no variable, no folder, no open file and no port',
      '/proc shows what a process inherited',
    ),
    async ({ installation }) => {
      await installation.call(bash('ls'), {
        env: { SECRET_TOKEN: 'tell-nobody', LD_PRELOAD: '', NODE_OPTIONS: '' },
      })
      const { pid } = await expectDaemonAnswers(installation)
      const variables = readText(`/proc/${pid}/environ`).split('\0')
      // The shell that starts Node adds its own working directory, and a setting for its memory.
      const own = Object.entries(DAEMON_ENV).map(([name, value]) => `${name}=${value}`)
      expect(variables.filter((each) => !/^(PWD=\/|)$/.test(each) && !own.includes(each))).toEqual([
        'PATH=/usr/local/bin:/usr/bin:/bin',
      ])
      expect(readlinkSync(`/proc/${pid}/cwd`)).toBe('/')
      for (const descriptor of [0, 1, 2])
        expect(readlinkSync(`/proc/${pid}/fd/${descriptor}`)).toBe('/dev/null')
      expect(socketsOf(pid, 'tcp')).toEqual([])
      expect(socketsOf(pid, 'unix').length).toBeGreaterThan(0)
    },
  )

  it('writes no secret of an event to its log', async ({ installation }) => {
    const secret = 'ghp_0123456789abcdefABCDEF0123456789abcd'
    await expectDaemonAnswers(installation)
    // Everything that makes it log: a journal that fails, a state that fails, events that cannot be read.
    rmSync(installation.home.journal, { recursive: true })
    mkdirSync(join(installation.home.journal, 'spool.jsonl'), { recursive: true })
    rmSync(installation.home.state, { recursive: true })
    writeFileSync(installation.home.state, secret)
    for (const payload of [
      bash(`curl -H 'Authorization: ${secret}' https://example.com`),
      secret,
      `{"${secret}"`,
    ]) {
      await installation.call(payload)
    }
    await eventually(() => installation.log().includes('a record was lost'), 'the log says something')
    expect(installation.log()).not.toContain(secret)
    expect(installation.log()).not.toContain('curl')
    await expectRightAnswers(installation)
  })
})

describe.concurrent('holdpoint daemon', () => {
  it('status, start, stop and logs print what they did', async ({ installation }) => {
    const none = {
      exitCode: 1,
      stdout: expect.stringContaining('The daemon is not running (it was never started)'),
    }
    expect(await installation.command('daemon', 'status')).toMatchObject(none)
    expect(await installation.command('daemon', 'logs')).toMatchObject(said('log is empty'))
    expect(await installation.command('daemon', 'stop')).toMatchObject(said('The daemon was not running.'))

    expect(await installation.command('daemon', 'start')).toMatchObject(said('process '))
    const { pid } = await expectDaemonAnswers(installation)
    expect(await installation.command('daemon', 'start')).toMatchObject(said(`${pid}`))
    const { stdout } = await installation.command('daemon', 'status', '--json')
    expect(JSON.parse(stdout)).toMatchObject({
      pid,
      answered: 3,
      late: 0,
      lost: 0,
      http: null,
      journal: 'well',
    })
    const told = (await installation.command('daemon', 'status')).stdout
    expect(told).toMatch(/^process +\d+$/m)
    expect(told).toContain('approvals  0 questions open, no board to answer them\n')
    expect(told).not.toContain('[object')
    expect(await installation.command('daemon', 'logs')).toMatchObject(said('started, build'))

    expect(await installation.command('daemon', 'stop')).toMatchObject(said('The daemon was stopped.'))
    await waitForExit(pid)
    expect(await installation.command('daemon', 'status', '--json')).toMatchObject({
      exitCode: 1,
      stdout: '{"pid":null}\n',
    })
    await expectDaemonAnswers(installation)
  })

  it('stop ends a daemon that hangs', async ({ installation }) => {
    const pid = await installation.startDaemon()
    await freeze(pid)
    const silent = {
      exitCode: 1,
      stdout: expect.stringContaining(`process ${pid} exists but does not answer`),
    }
    expect(await installation.command('daemon', 'status')).toMatchObject(silent)
    expect(await installation.command('daemon', 'stop')).toMatchObject(said('The daemon was stopped.'))
    await waitForExit(pid)
    await expectRightAnswers(installation)
    await expectDaemonAnswers(installation)
  })

  it('stop does not end another process with the same pid', async ({ installation }) => {
    mkdirSync(installation.home.run, { mode: 0o700 })
    writeFileSync(join(installation.home.run, 'daemon.pid'), `${process.pid} ${process.ppid}\n`)
    expect(await installation.command('daemon', 'stop')).toMatchObject(said('The daemon was not running.'))
    expect(isRunning(process.pid)).toBe(true)
  })
})

function said(text: string): Partial<Ran> {
  return { exitCode: 0, stdout: expect.stringContaining(text) }
}
