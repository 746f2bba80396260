import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type DaemonRequest, encodeReply, GREETING } from '../../src/daemon/protocol.ts'
import { buildClient, type ClientHome, createHome, oneShot, removeClient, run } from './client.ts'
import {
  answering,
  dying,
  type FakeDaemon,
  hanging,
  replying,
  type Script,
  saying,
  startFakeDaemon,
} from './fake-daemon.ts'

let client: string
let home: ClientHome
let daemon: FakeDaemon | undefined
beforeAll(() => {
  client = buildClient('sanitize')
})
afterAll(() => removeClient(client))
beforeEach(() => {
  home = createHome()
})
afterEach(async () => {
  await daemon?.stop()
  daemon = undefined
  home.remove()
})

async function listen(script: Parameters<typeof startFakeDaemon>[1]): Promise<FakeDaemon> {
  daemon = await startFakeDaemon(home.run, script)
  return daemon
}

const DENIED = { exitCode: 2, stdout: 'out\n', stderr: 'Because.\n' }
const NOTHING = Buffer.alloc(0)

/** The header of a reply with these numbers. */
function header(exitCode: number, stdoutBytes: number, stderrBytes: number): Buffer {
  const bytes = Buffer.alloc(12)
  for (const [i, number] of [exitCode, stdoutBytes, stderrBytes].entries()) bytes.writeUInt32LE(number, 4 * i)
  return bytes
}

/** Sends such a header and then nothing. A client that believes it would wait. */
function claiming(exitCode: number, stdoutBytes: number, stderrBytes: number) {
  return hanging(Buffer.concat([GREETING, header(exitCode, stdoutBytes, stderrBytes)]))
}

describe('the agent gets exactly the reply of the daemon', () => {
  it.each([
    ['if it is a denial', DENIED],
    ['if it is empty', { exitCode: 0, stdout: '', stderr: '' }],
    ['if its exit code is 255', { exitCode: 255, stdout: '', stderr: 'x' }],
    ['if it is larger than any buffer', { exitCode: 0, stdout: 'o'.repeat(3e6), stderr: 'e'.repeat(2e6) }],
  ])('%s', async (_name, reply) => {
    await listen(replying(reply))
    expect(await run(client, home.args(), { stdin: '{}' })).toEqual(reply)
    expect(home.noted('daemon')).toBeUndefined()
  })

  it('if it arrives byte by byte', async () => {
    await listen(answering([...encodeReply(DENIED)].map((byte) => Buffer.of(byte))))
    expect(await run(client, home.args())).toEqual(DENIED)
  })

  it('if the greeting arrives byte by byte', async () => {
    await listen(answering([Buffer.from('PA1'), encodeReply(DENIED)], Buffer.from('H')))
    expect(await run(client, home.args())).toEqual(DENIED)
  })

  it('if more bytes follow', async () => {
    await listen(answering([Buffer.concat([encodeReply(DENIED), Buffer.from('more')])]))
    expect(await run(client, home.args())).toEqual(DENIED)
  })
})

describe('the daemon gets exactly the call of the agent', () => {
  it('with arguments, folder, environment and input', async () => {
    const { calls } = await listen(replying(DENIED))
    const env = { EMPTY: '', TEXT: 'a=b\nc', LD_PRELOAD: '', NODE_OPTIONS: '--kept' }
    const input = Buffer.from([0, 255, 10, 123])
    await run(client, [...home.args(), '', '--pack', 'ü'], { stdin: input, env, cwd: home.path })
    const [call] = calls
    expect(call?.argv).toEqual([...home.args(), '', '--pack', 'ü'])
    expect(call?.cwd).toBe(home.path)
    expect(call?.env).toMatchObject(env)
    expect(call?.input).toEqual(input)
    expect(call?.elapsedMs).toBeLessThan(200_000)
  })

  it('from a folder that was deleted', async () => {
    const { calls } = await listen(replying(DENIED))
    const gone = join(home.path, 'gone')
    mkdirSync(gone)
    const through = ['/bin/sh', '-c', `rmdir '${gone}' && exec "$0" "$@"`]
    expect(await run(client, home.args(), { cwd: gone, through })).toEqual(DENIED)
    expect(calls[0]?.cwd).toBe('/')
  })

  it('with ten megabytes of input', async () => {
    const { calls } = await listen(replying(DENIED))
    const input = Buffer.alloc(10_000_000, 'abc')
    expect(await run(client, home.args(), { stdin: input })).toEqual(DENIED)
    expect(calls[0]?.input.length).toBe(input.length)
    expect(input.equals(calls[0]?.input ?? NOTHING)).toBe(true)
  })

  it('but of forty megabytes only one byte more than the limit', async () => {
    const { calls } = await listen(replying(DENIED))
    expect(await run(client, home.args(), { stdin: Buffer.alloc(40_000_000, 'x') })).toEqual(DENIED)
    expect(calls[0]?.input.length).toBe(32 * 1024 * 1024 + 1)
  })
})

describe('the hook runs without the daemon after', () => {
  const reply = encodeReply(DENIED)
  it.each<[string, (calls: DaemonRequest[]) => Script]>([
    ['a connection that is closed at once', dying(NOTHING)],
    ['a greeting and a closed connection', dying(GREETING)],
    ['half a greeting and a closed connection', dying(Buffer.from('HP'))],
    ['half a header', answering([reply.subarray(0, 7)])],
    ['a reply without its last byte', answering([reply.subarray(0, -1)])],
    ['another greeting', answering([reply], Buffer.from('HPA2'))],
    ['a reply without a greeting', answering([reply], NOTHING)],
    ['an HTTP reply', saying(Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n'))],
    ['an exit code of 256', claiming(256, 0, 0)],
    ['the largest exit code', claiming(0xffffffff, 0, 0)],
    ['lengths above the limit', claiming(0, 64 * 1024 * 1024, 1)],
    ['lengths whose sum overflows', claiming(0, 0xffffffff, 1)],
    ['the largest lengths', claiming(0, 0xffffffff, 0xffffffff)],
  ])('%s', async (_name, script) => {
    await listen(script)
    expect(await run(client, home.args(), { stdin: '12345' })).toEqual(oneShot(5))
  })

  it('no greeting from a daemon that hangs, whether it reads or not', async () => {
    const [small, large] = [Buffer.from('12345'), Buffer.alloc(10_000_000, 'x')]
    const cases: readonly [(calls: DaemonRequest[]) => Script, Buffer][] = [
      [hanging(NOTHING), small],
      [saying(NOTHING), small],
      [saying(Buffer.from('HPA')), small],
      [saying(NOTHING), large],
      [hanging(NOTHING), large],
    ]
    // At the same time, because each takes as long as the client waits for a greeting.
    const checks = cases.map(async ([script, stdin]) => {
      const own = createHome()
      const frozen = await startFakeDaemon(own.run, script)
      expect(await run(client, own.args(), { stdin })).toEqual(oneShot(stdin.length))
      await frozen.stop()
      own.remove()
    })
    await Promise.all(checks)
  })

  it('a complete reply to half a request', async () => {
    await listen(saying(Buffer.concat([GREETING, encodeReply({ ...DENIED, exitCode: 0 })])))
    const input = Buffer.alloc(10_000_000, 'x')
    expect(await run(client, home.args(), { stdin: input })).toEqual(oneShot(input.length))
  })

  it('no answer from a stopped daemon whose queue is full', async () => {
    const server = spawn(
      process.execPath,
      [
        '-e',
        `const path = ${JSON.stringify(join(home.run, 'hook.sock'))}
        require('node:net').createServer().listen({ path, backlog: 1 }, () => console.log('listening'))`,
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    )
    await once(server.stdout, 'data')
    server.kill('SIGSTOP')
    expect(await run(client, home.args(), { stdin: '1' })).toEqual(oneShot(1))
    const waiting = Array.from({ length: 5 }, () =>
      connect(join(home.run, 'hook.sock')).on('error', () => {}),
    )
    expect(await run(client, home.args(), { stdin: '12' })).toEqual(oneShot(2))
    for (const socket of waiting) socket.destroy()
    server.kill('SIGKILL')
  })

  it('a failed daemon, and starts another daemon for the next call', async () => {
    await listen(dying(GREETING))
    rmSync(join(home.run, 'starting'), { force: true })
    await run(client, home.args())
    await expect.poll(() => home.noted('daemon'), { timeout: 200_000 }).toBe('started\n')
  })
})

describe('a daemon that sends its greeting and then hangs', () => {
  it.each([
    ['deny', 2, 'blocked without a check: no answer in time. Tell the user.'],
    ['pass', 0, 'allowed without a check: no answer in time.'],
  ] as const)(
    'is answered at the deadline with the failure policy: %s',
    async (onFailure, exitCode, message) => {
      await listen(hanging(GREETING))
      const ran = await run(client, home.args(onFailure, 300))
      expect(ran).toEqual({
        exitCode,
        stdout: '',
        stderr: `holdpoint: ${message} \`npx holdpoint doctor\` tests the hooks.\n`,
      })
    },
  )

  it('is denied at the deadline, even if it never reads ten megabytes', async () => {
    await listen(saying(GREETING))
    const stdin = Buffer.alloc(10_000_000, 'x')
    expect(await run(client, home.args('deny', 500), { stdin })).toMatchObject({ exitCode: 2, stdout: '' })
  })

  it('does not count if it sent half a reply', async () => {
    await listen(hanging(Buffer.concat([GREETING, header(0, 10, 0), Buffer.from('half')])))
    expect(await run(client, home.args('pass', 300))).toMatchObject({ exitCode: 0, stdout: '' })
  })

  it.each([
    ['blocked', '--block-signal=ALRM'],
    ['ignored', '--ignore-signal=ALRM'],
  ])('is denied at the deadline, even if SIGALRM was %s', async (_name, option) => {
    await listen(hanging(GREETING))
    expect(await run(client, home.args('deny', 300), { through: ['env', option] })).toMatchObject({
      exitCode: 2,
    })
  })
})
