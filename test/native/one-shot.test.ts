import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildClient, type ClientHome, createHome, oneShot, type Ran, removeClient, run } from './client.ts'
import { type FakeDaemon, replying, startFakeDaemon } from './fake-daemon.ts'

let client: string
let release: string
let home: ClientHome
let daemon: FakeDaemon | undefined
beforeAll(() => {
  client = buildClient('sanitize')
  release = buildClient('release')
})
afterAll(() => {
  removeClient(client)
  removeClient(release)
})
beforeEach(() => {
  home = createHome()
})
afterEach(async () => {
  await daemon?.stop()
  daemon = undefined
  home.remove()
})

const ALLOWED = { exitCode: 0, stdout: 'out\n', stderr: '' }
const isRoot = process.geteuid?.() === 0

async function listen(): Promise<void> {
  daemon = await startFakeDaemon(home.run, replying(ALLOWED))
}

function stopped(ran: Ran, message: string): void {
  expect(ran).toMatchObject({ stdout: '', exitCode: 2 })
  expect(ran.stderr).toMatch(/^holdpoint: this could not be judged\. [^\n]*\n$/)
  expect(ran.stderr).toContain(message)
}

/** The program of a home as a Node script, which changes nothing of what it is given. */
function nodeProgram(body: string): void {
  home.program(`#!${process.execPath}
const fs = require('node:fs')
const note = (name, value) => {
  fs.writeFileSync('${home.path}/' + name + '.part', JSON.stringify(value))
  fs.renameSync('${home.path}/' + name + '.part', '${home.path}/' + name)
}
${body}
`)
}

function noted<T>(name: string): T {
  return JSON.parse(home.noted(name) ?? 'null')
}

describe('without --home nothing is judged, whatever the last resort', () => {
  it.each([
    ['none', []],
    ['not absolute', ['--home', 'here']],
    ['empty', ['--home=']],
    ['the value of another option', ['--event', '--home', '/nonesuch']],
    ['without a value', ['--home']],
    ['a later one that is not absolute', ['--home', '/', '--home', './here']],
  ])('%s', async (_name, args) => {
    const ran = await run(client, ['claude-code', '--on-failure', 'pass', ...args])
    stopped(ran, '--home with an absolute path: `holdpoint init` writes it')
  })
})

describe('options', () => {
  it('with an equals sign', async () => {
    await listen()
    expect(await run(client, ['claude-code', `--home=${home.path}`])).toEqual(ALLOWED)
  })

  it('the last home counts', async () => {
    await listen()
    expect(await run(client, ['claude-code', '--home', '/nonesuch', '--home', home.path])).toEqual(ALLOWED)
  })

  it('a very long home', async () => {
    home.remove()
    home = createHome(`${'a'.repeat(150)}/${'b'.repeat(150)}`)
    await listen()
    expect(await run(client, home.args(), { stdin: 'x' })).toEqual(ALLOWED)
    await daemon?.stop()
    daemon = undefined
    expect(await run(client, home.args(), { stdin: 'x' })).toEqual(oneShot(1))
  })

  it.each([
    ['deny', ['--on-failure', 'deny'], 2],
    ['pass', ['--on-failure=pass'], 0],
    ['the last of two', ['--on-failure', 'pass', '--on-failure', 'deny'], 2],
    ['none', [], 2],
    ['a word nobody knows', ['--on-failure', 'passed'], 2],
    ['an option that only starts alike', ['--on-failures', 'pass'], 2],
  ] as const)('the program is missing: %s', async (_name, args, exitCode) => {
    rmSync(join(home.path, 'bin'), { recursive: true })
    const ran = await run(client, ['claude-code', '--home', home.path, ...args])
    expect(ran).toMatchObject({ stdout: '', exitCode })
    expect(ran.stderr).toContain('Its program cannot be started: run `holdpoint init`.')
  })

  it.each([
    ['kept', '5000', 4_000, 5_000],
    ['too small', '9', 290_000, 295_000],
    ['too large', '600001', 290_000, 295_000],
    ['not a number', '5000x', 290_000, 295_000],
  ])('a deadline that is %s', async (_name, deadline, atLeast, atMost) => {
    nodeProgram(`if (process.argv[2] === 'hook') note('left', Number(process.argv.at(-1)))`)
    await run(release, ['claude-code', '--home', home.path, '--deadline-ms', deadline])
    expect(noted<number>('left')).toBeGreaterThanOrEqual(atLeast)
    expect(noted<number>('left')).toBeLessThanOrEqual(atMost)
  })
})

describe('a folder that others could have written to is not used', () => {
  const foreign = 12_345

  it.each<[string, () => void]>([
    ['writable by the group', () => chmodSync(home.run, 0o770)],
    ['writable by everybody', () => chmodSync(home.run, 0o702)],
    [
      'a link',
      () => {
        renameSync(home.run, join(home.path, 'elsewhere'))
        symlinkSync('elsewhere', home.run)
      },
    ],
    [
      'a file',
      () => {
        rmSync(home.run, { recursive: true })
        writeFileSync(home.run, '')
      },
    ],
  ])('%s', async (_name, spoil) => {
    await listen()
    spoil()
    expect(await run(client, home.args(), { stdin: '123' })).toEqual(oneShot(3))
    expect(existsSync(join(home.run, 'starting'))).toBe(false)
  })

  it('of another owner', async () => {
    if (!isRoot) {
      // A folder of root is there for everybody: nothing is started in it, and nothing found.
      expect(await run(client, ['claude-code', '--home', '/'])).toMatchObject({ exitCode: 2, stdout: '' })
      expect(existsSync('/run/starting')).toBe(false)
      return
    }
    await listen()
    chownSync(home.run, foreign, foreign)
    expect(await run(client, home.args(), { stdin: '123' })).toEqual(oneShot(3))
    expect(existsSync(join(home.run, 'starting'))).toBe(false)
  })

  it('a daemon of another user is not asked', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hp-'))
    chmodSync(folder, 0o777)
    const path = join(folder, 'hook.sock')
    const server = spawn(
      process.execPath,
      [
        '-e',
        `process.umask(0)
        const reply = Buffer.from('HPA1' + '\\0'.repeat(12))
        require('node:net').createServer((s) => s.on('error', () => {}).end(reply)).listen(${JSON.stringify(path)}, () => console.log(1))`,
      ],
      { cwd: '/', stdio: ['ignore', 'pipe', 'inherit'], ...(isRoot ? { uid: foreign, gid: foreign } : {}) },
    )
    await once(server.stdout, 'data')
    symlinkSync(path, join(home.run, 'hook.sock'))
    const ran = await run(client, home.args(), { stdin: '123' })
    server.kill('SIGKILL')
    rmSync(folder, { recursive: true })
    expect(ran).toEqual(isRoot ? oneShot(3) : { stdout: '', stderr: '', exitCode: 0 })
  })

  it.each<[string, (socket: string) => void]>([
    ['missing', () => {}],
    ['a plain file', (socket) => writeFileSync(socket, '')],
    ['a folder', (socket) => mkdirSync(socket)],
    ['a link to nowhere', (socket) => symlinkSync('nowhere', socket)],
  ])('a socket that is %s', async (_name, make) => {
    make(join(home.run, 'hook.sock'))
    expect(await run(client, home.args(), { stdin: '123' })).toEqual(oneShot(3))
  })

  it('a home that is not there', async () => {
    const ran = await run(client, ['claude-code', '--home', join(home.path, 'nonesuch')])
    stopped(ran, 'Its program cannot be started')
    expect(existsSync(join(home.path, 'nonesuch'))).toBe(false)
  })
})

describe('the hook by itself', () => {
  const RECORD = `if (process.argv[2] === 'hook') {
    const children = fs.readdirSync('/proc').filter((pid) => {
      try { return fs.readFileSync('/proc/' + pid + '/stat', 'utf8').split(') ')[1]?.split(' ')[1] === String(process.pid) } catch { return false }
    })
    const input = fs.readFileSync(0).toString('latin1')
    note('hook', { argv: process.argv.slice(2), env: process.env, cwd: process.cwd(), children, input })
    setTimeout(() => { console.log('alive'); process.exit(4) }, Number(process.argv.at(-1)) <= 1_000 ? 1_200 : 0)
  }`
  interface Recorded {
    readonly argv: readonly string[]
    readonly env: Readonly<Record<string, string>>
    readonly cwd: string
    readonly children: readonly string[]
    readonly input: string
  }

  it('gets the same words and input, and what is left of the time; no timer, no child', async () => {
    nodeProgram(RECORD)
    const cwd = join(home.path, 'bin')
    const ran = await run(client, home.args('deny', 1_000), { stdin: 'a\0\xff', cwd })
    expect(ran).toEqual({ stdout: 'alive\n', stderr: '', exitCode: 4 })
    const { argv, input, children, cwd: seen } = noted<Recorded>('hook')
    expect(argv.slice(0, -1)).toEqual(['hook', ...home.args('deny', 1_000), '--deadline-ms'])
    expect(Number(argv.at(-1))).toBeGreaterThanOrEqual(10)
    expect(Number(argv.at(-1))).toBeLessThanOrEqual(1_000)
    expect(Buffer.from(input, 'latin1').toString()).toBe('a\0\xff')
    expect(children).toEqual([])
    expect(seen).toBe(cwd)
  })

  it('cannot say anything where standard output was closed, though Node opens what is closed', async () => {
    nodeProgram(`if (process.argv[2] === 'daemon') process.exit()
let code = 0
try { fs.writeSync(1, 'x') } catch { code = 2 }
process.exit(code)`)
    const through = ['/bin/sh', '-c', 'exec "$0" "$@" >&-']
    expect(await run(client, home.args(), { through })).toMatchObject({ exitCode: 2 })
  })

  it('gets an environment that makes nothing run', async () => {
    nodeProgram(RECORD)
    const hostile = [
      ...[
        'LD_PRELOAD',
        'LD_LIBRARY_PATH',
        'DYLD_INSERT_LIBRARIES',
        'NODE_OPTIONS',
        'NODE_PATH',
        'OPENSSL_CONF',
      ],
      ...[
        'BASH_ENV',
        'ENV',
        'SHELLOPTS',
        'BASHOPTS',
        'PS4',
        'GCONV_PATH',
        'IFS',
        'CDPATH',
        'BASH_FUNC_exec%%',
      ],
    ]
    const kept = { HOME: '/home/dev', ENVIRONMENT: 'x', IFS_: 'y', OLD_LD_PRELOAD: 'z', NODE: 'n', EMPTY: '' }
    await run(release, home.args(), { env: { ...kept, ...Object.fromEntries(hostile.map((n) => [n, ''])) } })
    const { env } = noted<Recorded>('hook')
    expect(env).toMatchObject(kept)
    expect(Object.keys(env).filter((name) => hostile.includes(name))).toEqual([])
  })

  it('gets the input through a pipe where there are no files in memory', async () => {
    const piping = buildClient('sanitize', ['WITHOUT_MEMFD'])
    const input = Buffer.alloc(3_000_000, 'x')
    expect(await run(piping, home.args(), { stdin: input })).toEqual(oneShot(input.length))
    expect(await run(piping, home.args(), { stdin: '' })).toEqual(oneShot(0))
    nodeProgram(RECORD)
    await run(piping, home.args())
    expect(noted<Recorded>('hook').children).toEqual([])
    // Whoever still holds the unread input must not keep the agent waiting: neither it nor the writer has its pipes.
    home.program(`#!/bin/sh
[ "$1" = daemon ] && exit
exec 3<&0
sleep 40 <&3 >/dev/null 2>&1 3<&- &
echo $!
exit 5
`)
    const ran = await run(piping, home.args(), { stdin: input })
    expect(ran).toMatchObject({ exitCode: 5, stderr: '' })
    expect(process.kill(Number(ran.stdout), 'SIGKILL')).toBe(true)
    removeClient(piping)
  })

  it('gets signals as they were', async () => {
    home.program(`#!/bin/sh\n[ "$1" = daemon ] && exit\nexec grep -E 'Sig(Blk|Ign)' /proc/self/status\n`)
    for (const options of [
      ['--default-signal'],
      ['--block-signal=ALRM', '--ignore-signal=PIPE', '--ignore-signal=CHLD'],
    ]) {
      const through = ['env', ...options]
      const plain = await run('/bin/sh', ['-c', `exec grep -E 'Sig(Blk|Ign)' /proc/self/status`], { through })
      expect(await run(client, home.args(), { through })).toEqual(plain)
    }
  })

  it('a preloaded library changes nothing', async () => {
    const source = join(home.path, 'hostile.c')
    const library = join(home.path, 'hostile.so')
    writeFileSync(
      source,
      '#include <unistd.h>\n__attribute__((constructor)) static void go(void) { _exit(0); }\n',
    )
    execFileSync(process.env.CC ?? 'cc', ['-shared', '-fPIC', source, '-o', library])
    const env = { LD_PRELOAD: library }
    const dynamic = buildClient('debug')
    expect(await run(dynamic, home.args(), { env })).toEqual({ stdout: '', stderr: '', exitCode: 0 })
    removeClient(dynamic)
    expect(await run(release, home.args(), { env, stdin: '12' })).toEqual(oneShot(2))
    await listen()
    expect(await run(release, home.args(), { env })).toEqual(ALLOWED)
  })
})

describe('a daemon for the next call', () => {
  const starts = () => expect.poll(() => home.noted('daemon'), { timeout: 200_000 })
  /** Long enough for another start to show. */
  const settle = () => new Promise((resolve) => setTimeout(resolve, 300))

  it('is started once by fifty at once', async () => {
    rmSync(home.run, { recursive: true })
    const all = Array.from({ length: 50 }, () => run(release, home.args(), { stdin: '12' }))
    expect(new Set((await Promise.all(all)).map((ran) => JSON.stringify(ran)))).toEqual(
      new Set([JSON.stringify(oneShot(2))]),
    )
    await starts().toBe('started\n')
    await settle()
    expect(home.noted('daemon')).toBe('started\n')
    expect(home.noted('run/starting')).toBe('')
  })

  it.each([
    ['just now', 0, false],
    ['long ago', -60, true],
    ['in the future', 3_600, true],
  ])('where one was started %s', async (_name, ageS, expected) => {
    const mark = join(home.run, 'starting')
    writeFileSync(mark, '')
    const at = Date.now() / 1000 + ageS
    utimesSync(mark, at, at)
    expect(await run(client, home.args())).toEqual(oneShot(0))
    if (expected) await starts().toBe('started\n')
    else await settle()
    expect(home.noted('daemon')).toBe(expected ? 'started\n' : undefined)
  })

  it('is not started where the mark cannot be made', async () => {
    mkdirSync(join(home.run, 'starting'))
    utimesSync(join(home.run, 'starting'), 1, 1)
    expect(await run(client, home.args())).toEqual(oneShot(0))
    await settle()
    expect(home.noted('daemon')).toBeUndefined()
  })

  it('has nothing of the agent: environment, folder, session, descriptors', async () => {
    home.program(`#!/bin/sh
if [ "$1" = hook ]; then exit 3; fi
links=$(readlink /proc/$$/fd/0 /proc/$$/fd/1 /proc/$$/fd/2)
descriptors=$(ls /proc/$$/fd | wc -l)
{ echo "$@"; pwd -P; env | grep -v -e ^_= -e ^PWD= -e ^OLDPWD= -e ^SHLVL=; echo "$links"; echo "$descriptors"
cut -d' ' -f6 /proc/$$/stat; } > '${home.path}/noted.part'
mv '${home.path}/noted.part' '${home.path}/daemon'
`)
    const stdio = ['pipe', 'pipe', 'pipe', 'pipe', 'pipe', 'pipe'] as const
    await run(client, home.args(), { env: { SECRET: 'x' }, stdio: [...stdio], cwd: home.path })
    await starts().toBeDefined()
    const [args, cwd, env, stdin, stdout, stderr, descriptors, session] =
      home.noted('daemon')?.split('\n') ?? []
    expect(args).toBe(`daemon --home ${home.path}`)
    expect(cwd).toBe('/')
    expect(env).toBe('PATH=/usr/local/bin:/usr/bin:/bin')
    expect([stdin, stdout, stderr]).toEqual(['/dev/null', '/dev/null', '/dev/null'])
    // Three, the script itself, and the pipe the shell reads this number from.
    expect(Number(descriptors)).toBeLessThanOrEqual(5)
    const ours = execFileSync('cut', ['-d', ' ', '-f6', '/proc/self/stat'], { encoding: 'utf8' }).trim()
    expect(Number(session)).toBeGreaterThan(0)
    expect(session).not.toBe(ours)
  })
})
