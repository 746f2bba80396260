import { chmodSync, chownSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import type { Client, Question } from '../../src/adapters/client/client.ts'
import type { Reply } from '../../src/core/decision.ts'
import { encodeReply, GREETING } from '../../src/daemon/protocol.ts'
import { isLinux, onLinux } from '../../src/library/testing/linux-only.ts'
import { answering, dying, hanging, saying, startFakeDaemon } from '../native/fake-daemon.ts'
import { connectionsTo, eventually } from '../processes.ts'
import {
  bash,
  freeze,
  type Installation,
  isRoot,
  it,
  kill,
  PASSED,
  preventDaemonStart,
} from './installation.ts'

/** The client that other programs load. Whatever is broken, it never throws, and denied calls stay denied. */

const file = join(import.meta.dirname, '..', '..', 'dist', 'lib', 'client.js')
const { createClient } = (await import(file)) as typeof import('../../src/adapters/client/client.ts')

const clientOf = ({ home }: Installation): Client => createClient({ home: home.folder, host: 'claude-code' })

function ask(installation: Installation, payload: unknown, more: Partial<Question> = {}): Promise<Reply> {
  const question: Question = { event: 'PreToolUse', payload, cwd: installation.project, deadlineMs: 200_000 }
  return clientOf(installation).ask({ ...question, ...more })
}

async function expectRightAnswers(installation: Installation): Promise<void> {
  const [denied, passed] = await Promise.all([
    ask(installation, bash('git push --force')),
    ask(installation, bash('ls')),
  ])
  expect(JSON.parse(denied.stdout)).toMatchObject({ hookSpecificOutput: { permissionDecision: 'deny' } })
  expect(passed).toEqual(PASSED)
}

/** Blocked by exit code, with a reason. */
function expectBlocked(reply: Reply, why: RegExp): void {
  expect(reply).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringMatching(why) })
  expect(reply.stderr).toMatch(/^holdpoint: blocked without a check: .*doctor/)
}

describe.concurrent('with the loaded client, a daemon', () => {
  it('that is not running is started by the hook program, and answers the next call', async ({
    installation,
  }) => {
    await expectRightAnswers(installation)
    const before = await eventually(installation.status, 'a daemon serves')
    await expectRightAnswers(installation)
    const after = await eventually(installation.status, 'a daemon serves')
    expect({ pid: after.pid, answered: after.answered }).toEqual({
      pid: before.pid,
      answered: before.answered + 2,
    })
  })

  it.runIf(isLinux)(
    onLinux(
      'that is killed between request and reply does not change the answers',
      'only there connections to a socket are listed',
    ),
    async ({ installation }) => {
      const pid = await installation.startDaemon()
      await freeze(pid)
      const asked = [ask(installation, bash('git push --force')), ask(installation, bash('ls'))] as const
      const name = `${installation.home.run}/hook.${pid}.sock`
      const waiting = () => connectionsTo(name)
      await eventually(() => waiting() > 1, 'both wait for the daemon')
      await kill(pid)
      expect((await asked[0]).stdout).toContain('"deny"')
      expect(await asked[1]).toEqual(PASSED)
    },
  )

  it('that hangs is skipped, and another one replaces it', async ({ installation }) => {
    const pid = await installation.startDaemon()
    await freeze(pid)
    await expectRightAnswers(installation)
    await eventually(async () => {
      const status = await installation.status()
      return status !== undefined && status.pid !== pid
    }, 'another daemon serves')
    await expectRightAnswers(installation)
    process.kill(pid, 'SIGCONT')
  })

  it('that has sent its greeting and then hangs delays a call only until its deadline', async ({
    installation,
  }) => {
    const allowDaemonStart = preventDaemonStart(installation)
    const fake = await startFakeDaemon(installation.home.run, hanging(GREETING))
    expectBlocked(await ask(installation, bash('ls'), { deadlineMs: 1_000 }), /no answer in time/)
    expect(fake.calls).toHaveLength(1)
    await fake.stop()
    allowDaemonStart()
  })

  it('that sends anything but a complete reply is ignored', async ({ installation }) => {
    await installation.startDaemon()
    await kill((await eventually(installation.status, 'a daemon serves')).pid)
    rmSync(join(installation.home.run, 'hook.sock'), { force: true })
    const allowDaemonStart = preventDaemonStart(installation)
    const pass = encodeReply({ stdout: '{}\n', stderr: '', exitCode: 0 })
    const head = (numbers: readonly number[]) => Buffer.from(Uint32Array.from(numbers).buffer)
    for (const script of [
      saying(Buffer.from('HTTP/1.1 200 OK\r\n\r\n{}')),
      saying(Buffer.from('HPX1')),
      dying(Buffer.alloc(0)),
      dying(GREETING),
      answering([pass.subarray(0, 5)]),
      answering([pass.subarray(0, pass.length - 1)]),
      answering([head([256, 0, 0])]),
      answering([head([0, 2 ** 31, 2 ** 31])]),
    ]) {
      const fake = await startFakeDaemon(installation.home.run, script)
      await expectRightAnswers(installation)
      await fake.stop()
    }
    allowDaemonStart()
  })
})

describe.concurrent('with the loaded client, a home', () => {
  it('that is missing blocks every call, and is not created', async ({ installation }) => {
    const home = join(installation.folder, 'nowhere')
    const missing = createClient({ home, host: 'claude-code' })
    expectBlocked(await missing.ask({ event: 'PreToolUse', payload: bash('ls') }), /is missing/)
    expect(existsSync(home)).toBe(false)
    for (const wrong of ['', 'home', 7 as never, undefined as never]) {
      const client = createClient({ home: wrong, host: 'claude-code' })
      expectBlocked(await client.ask({ event: 'PreToolUse', payload: bash('ls') }), /absolute path/)
    }
  })

  it('that other users own or can write to blocks every call', async ({ installation }) => {
    await installation.startDaemon()
    const { folder } = installation.home
    // Only root can give a folder to another user. Otherwise only the mode is tested.
    if (isRoot) {
      chownSync(folder, 65_534, 65_534)
      expectBlocked(await ask(installation, bash('ls')), /belongs to another user/)
      chownSync(folder, 0, 0)
    }
    chmodSync(folder, 0o777)
    expectBlocked(await ask(installation, bash('ls')), /writable for other users/)
    chmodSync(folder, 0o700)
    await expectRightAnswers(installation)
  })

  it('whose hook program is missing, dies, hangs or prints without end blocks every call', async ({
    installation,
  }) => {
    const allowDaemonStart = preventDaemonStart(installation)
    const program = installation.home.hookProgram
    rmSync(program)
    expectBlocked(await ask(installation, bash('ls')), /holdpoint-hook is missing/)
    mkdirSync(program)
    expectBlocked(await ask(installation, bash('ls')), /could not be started/)
    rmSync(program, { recursive: true })
    for (const [text, why] of [
      ['kill -9 $$', /without an answer/],
      ['exit 1', /without an answer/],
      ['sleep 300 & sleep 300', /no answer in time/],
      ['yes', /too large|no answer in time/],
    ] as const) {
      rmSync(program, { force: true })
      writeFileSync(program, `#!/bin/sh\n${text}\n`, { mode: 0o755 })
      expectBlocked(await ask(installation, bash('ls'), { deadlineMs: 3_000 }), why)
    }
    const pass = await ask(installation, bash('ls'), { deadlineMs: 500, onFailure: 'pass' })
    expect(pass).toMatchObject({
      exitCode: 0,
      stdout: '',
      stderr: expect.stringContaining('allowed without a check'),
    })
    allowDaemonStart()
  })
})

describe.concurrent('with the loaded client, an event', () => {
  it('that cannot be written as JSON blocks the call', async ({ installation }) => {
    const cyclic: Record<string, unknown> = bash('ls')
    cyclic.self = cyclic
    const thrower = {
      get tool_name(): never {
        throw new Error('no')
      },
    }
    for (const payload of [cyclic, thrower, { n: 1n }, undefined, () => 1, Symbol('x')])
      expectBlocked(await ask(installation, payload), /the client failed/)
    for (const payload of [null, 7, [], ''])
      expect(await ask(installation, payload)).toMatchObject({ exitCode: 2, stdout: '' })
  })

  it('that is frozen, or that changes during the check, is checked as it was', async ({ installation }) => {
    const frozen = Object.freeze(bash('git push --force'))
    expect((await ask(installation, frozen)).stdout).toContain('"deny"')
    const changing = bash('git push --force') as { tool_input: { command: string } }
    const asked = ask(installation, changing)
    changing.tool_input.command = 'ls'
    expect((await asked).stdout).toContain('"deny"')
  })

  it('of a folder that does not exist is checked', async ({ installation }) => {
    const cwd = join(installation.folder, 'gone')
    expect((await ask(installation, bash('git push --force'), { cwd })).stdout).toContain('"deny"')
  })

  it('that is one of fifty at once gets the same answer as alone', async ({ installation }) => {
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, i) => ask(installation, bash(i % 2 === 0 ? 'git push --force' : 'ls'))),
    )
    expect(replies.map(({ stdout }) => stdout.includes('"deny"'))).toEqual(replies.map((_, i) => i % 2 === 0))
  })
})
