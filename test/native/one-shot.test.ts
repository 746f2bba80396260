import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { wordList } from '../../src/core/word-list.ts'
import { isLinux, onLinux } from '../../src/library/testing/linux-only.ts'
import { isRunning } from '../../src/library/testing/processes.ts'
import { wordsOfAll } from '../../src/system/platform/processes.ts'
import { buildClient, type ClientHome, createHome, oneShot, removeClient, run } from './client.ts'
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

/** Writes the program of a home as a Node script, which does not change its input. */
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

/** The processes that still run this client. */
function startedFrom(program: string): readonly number[] {
  return [...wordsOfAll()].flatMap(([pid, words]) => (words.includes(program) ? [pid] : []))
}

const BARE =
  "holdpoint: this hook was started without its arguments, so nothing could be checked. An agent's hook configuration starts it; run `npx holdpoint init` to write it.\n"
const RELATIVE = 'holdpoint: --home must be an absolute path. Run `npx holdpoint init` to write it.\n'

describe('without an absolute --home the event is blocked, even with --on-failure pass', () => {
  it('if there are no arguments', async () => {
    expect(await run(client, [])).toEqual({ stdout: '', stderr: BARE, exitCode: 2 })
  })

  it('but a client that is started without arguments from its home uses that home as Claude Code', async () => {
    const installed = join(home.path, 'bin', 'holdpoint-hook')
    copyFileSync(release, installed)
    nodeProgram(
      `if (process.argv[2] === 'hook') note('argv', process.argv.slice(2)); console.log('{}'); process.exitCode = 113`,
    )
    expect(await run(installed, [], { stdin: '{}' })).toMatchObject({ stdout: '{}\n', exitCode: 0 })
    const words = ['hook', '--answered', '113', 'claude-code', '--home', home.path]
    expect(noted<string[]>('argv').slice(0, 6)).toEqual(words)
    await listen()
    expect(await run(installed, [], { stdin: '{}' })).toEqual(ALLOWED)
  })

  it.each([
    ['if --home is missing', [], BARE],
    ['if --home is not absolute', ['--home', 'here'], RELATIVE],
    ['if --home is empty', ['--home='], BARE],
    ['if --home is the value of another option', ['--event', '--home', '/nonesuch'], BARE],
    ['if --home has no value', ['--home'], BARE],
    ['if a later --home is not absolute', ['--home', '/', '--home', './here'], RELATIVE],
  ])('%s', async (_name, args, stderr) => {
    const ran = await run(client, ['claude-code', '--on-failure', 'pass', ...args])
    expect(ran).toEqual({ stdout: '', stderr, exitCode: 2 })
  })
})

const NOT_STARTED = 'bin/holdpoint-node could not be started; `npx holdpoint init` writes it.'
const BLOCKED_UNCHECKED = `holdpoint: blocked without a check: ${NOT_STARTED} Tell the user. \`npx holdpoint doctor\` tests the hooks.\n`
const ALLOWED_UNCHECKED = `holdpoint: allowed without a check: ${NOT_STARTED} \`npx holdpoint doctor\` tests the hooks.\n`

describe('the options of the client', () => {
  it('may have an equals sign', async () => {
    await listen()
    expect(await run(client, ['claude-code', `--home=${home.path}`])).toEqual(ALLOWED)
  })

  it('use the last of two homes', async () => {
    await listen()
    expect(await run(client, ['claude-code', '--home', '/nonesuch', '--home', home.path])).toEqual(ALLOWED)
  })

  it('may name a very long home', async () => {
    home.remove()
    home = createHome(`${'a'.repeat(150)}/${'b'.repeat(150)}`)
    await listen()
    expect(await run(client, home.args(), { stdin: 'x' })).toEqual(ALLOWED)
    await daemon?.stop()
    daemon = undefined
    expect(await run(client, home.args(), { stdin: 'x' })).toEqual(oneShot(1))
  })

  it.each([
    ['denies for deny', ['--on-failure', 'denies for deny'], 2],
    ['passes for pass', ['--on-failure=pass'], 0],
    ['uses the last of two', ['--on-failure', 'pass', '--on-failure', 'deny'], 2],
    ['denies without the option', [], 2],
    ['denies for an unknown word', ['--on-failure', 'passed'], 2],
    ['ignores an option that only starts the same', ['--on-failures', 'pass'], 2],
  ] as const)('--on-failure %s if the program is missing', async (_name, args, exitCode) => {
    rmSync(join(home.path, 'bin'), { recursive: true })
    const ran = await run(client, ['claude-code', '--home', home.path, ...args])
    expect(ran).toEqual({
      stdout: '',
      stderr: exitCode === 0 ? ALLOWED_UNCHECKED : BLOCKED_UNCHECKED,
      exitCode,
    })
  })

  it.each([
    ['valid is kept', '5000', 4_000, 5_000],
    ['too small is replaced by the default', '9', 290_000, 295_000],
    ['too large is replaced by the default', '600001', 290_000, 295_000],
    ['not a number is replaced by the default', '5000x', 290_000, 295_000],
    ['far too large is replaced by the default', '92233720368547758070005000', 290_000, 295_000],
    ['the largest is kept', '600000', 590_000, 600_000],
  ])('a deadline that is %s', async (_name, deadline, atLeast, atMost) => {
    nodeProgram(`if (process.argv[2] === 'hook') note('left', Number(process.argv.at(-1)))`)
    await run(release, ['claude-code', '--home', home.path, '--deadline-ms', deadline])
    expect(noted<number>('left')).toBeGreaterThanOrEqual(atLeast)
    expect(noted<number>('left')).toBeLessThanOrEqual(atMost)
  })
})

describe('the client does not use the daemon', () => {
  const foreign = 12_345

  it.each<[string, () => void]>([
    ['if the group can write to the run folder', () => chmodSync(home.run, 0o770)],
    ['if everybody can write to the run folder', () => chmodSync(home.run, 0o702)],
    [
      'if the run folder is a link',
      () => {
        renameSync(home.run, join(home.path, 'elsewhere'))
        symlinkSync('elsewhere', home.run)
      },
    ],
    [
      'if the run folder is a file',
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

  it('if the run folder has another owner', async () => {
    if (!isRoot) {
      // A folder of root: nothing is started in it, and no daemon is found.
      expect(await run(client, ['claude-code', '--home', '/'])).toMatchObject({ exitCode: 2, stdout: '' })
      expect(existsSync('/run/starting')).toBe(false)
      return
    }
    await listen()
    chownSync(home.run, foreign, foreign)
    expect(await run(client, home.args(), { stdin: '123' })).toEqual(oneShot(3))
    expect(existsSync(join(home.run, 'starting'))).toBe(false)
  })

  it('if another user runs it', async () => {
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
    ['if the socket is missing', () => {}],
    ['if the socket is a plain file', (socket) => writeFileSync(socket, '')],
    ['if the socket is a folder', (socket) => mkdirSync(socket)],
    ['if the socket is a broken link', (socket) => symlinkSync('nowhere', socket)],
  ])('%s', async (_name, make) => {
    make(join(home.run, 'hook.sock'))
    expect(await run(client, home.args(), { stdin: '123' })).toEqual(oneShot(3))
  })

  it('if the home does not exist, and it does not create the home', async () => {
    const ran = await run(client, ['claude-code', '--home', join(home.path, 'nonesuch')])
    expect(ran).toEqual({ stdout: '', stderr: BLOCKED_UNCHECKED, exitCode: 2 })
    expect(existsSync(join(home.path, 'nonesuch'))).toBe(false)
  })
})

describe('the one-shot hook', () => {
  const RECORD = `if (process.argv[2] === 'hook') {
    const ps = require('node:child_process').spawnSync('ps', ['-A', '-o', 'pid=', '-o', 'ppid='], { encoding: 'utf8' })
    const children = ps.stdout.trim().split('\\n').map((line) => line.trim().split(/ +/))
      .filter(([pid, parent]) => parent === String(process.pid) && pid !== String(ps.pid))
    const input = fs.readFileSync(0).toString('latin1')
    note('hook', { argv: process.argv.slice(2), env: process.env, cwd: process.cwd(), children, input })
    console.log('alive')
    process.exitCode = 2
  }`
  interface Recorded {
    readonly argv: readonly string[]
    readonly env: Readonly<Record<string, string>>
    readonly cwd: string
    readonly children: readonly (readonly string[])[]
    readonly input: string
  }

  it('gets the same arguments and input, the code of an answer and the remaining time, and has no child process', async () => {
    nodeProgram(RECORD)
    const cwd = join(home.path, 'bin')
    const ran = await run(client, home.args('deny', 60_000), { stdin: 'a\0\xff', cwd })
    expect(ran).toEqual({ stdout: 'alive\n', stderr: '', exitCode: 2 })
    const { argv, input, children, cwd: seen } = noted<Recorded>('hook')
    const answered = ['hook', '--answered', '113']
    expect(argv.slice(0, -1)).toEqual([...answered, ...home.args('deny', 60_000), '--deadline-ms'])
    expect(Number(argv.at(-1))).toBeGreaterThanOrEqual(10)
    expect(Number(argv.at(-1))).toBeLessThanOrEqual(60_000)
    expect(Buffer.from(input, 'latin1').toString()).toBe('a\0\xff')
    expect(children).toEqual([])
    expect(seen).toBe(cwd)
  })

  const late = (effect: string) =>
    `holdpoint: ${effect} without a check: no answer in time.${effect === 'blocked' ? ' Tell the user.' : ''} \`npx holdpoint doctor\` tests the hooks.\n`

  it.each([
    ['deny', 2, late('blocked')],
    ['pass', 0, late('allowed')],
  ] as const)(
    'that never answers is ended at the deadline, with the processes that it started: %s',
    async (onFailure, exitCode, stderr) => {
      home.program(`#!/bin/sh
[ "$1" = daemon ] && exit
echo half
sleep 600 &
echo $! > "${home.path}/started"
wait
`)
      expect(await run(client, home.args(onFailure, 3_000))).toEqual({ stdout: '', stderr, exitCode })
      const started = Number(readFileSync(join(home.path, 'started'), 'utf8'))
      await expect.poll(() => isRunning(started), { timeout: 20_000 }).toBe(false)
    },
  )

  it.each([
    ['exits with 0', 'exit 0'],
    ['prints an answer and exits with 0', 'echo "{}"; exit 0'],
    ['is another program', 'exec /bin/true'],
    ['exits with 1', 'exit 1'],
    ['exits with a code next to the one of an answer', 'exit 112'],
    ['exits with 3', 'echo "{}"; exit 3'],
    ['is killed', 'kill -9 $$'],
    ['crashes', 'kill -SEGV $$'],
  ])('that %s counts as no answer', async (_name, how) => {
    home.program(`#!/bin/sh\n[ "$1" = daemon ] && exit\n${how}\n`)
    expect(await run(client, home.args())).toEqual({
      stdout: '',
      stderr: expect.stringContaining('the hook process ended without an answer'),
      exitCode: 2,
    })
  })

  it('that ends with 0 is reported where a failure lets the call pass, and what it printed is dropped', async () => {
    home.program('#!/bin/sh\n[ "$1" = daemon ] && exit\necho "{}"\n')
    expect(await run(client, home.args('pass'))).toEqual({
      stdout: '',
      stderr: expect.stringMatching(/^holdpoint: allowed without a check: .* ended without an answer\. /),
      exitCode: 0,
    })
  })

  it('answers 0 by the code that it was given', async () => {
    home.program(
      '#!/bin/sh\n[ "$1" = daemon ] && exit\n[ "$2" = --answered ] || exit 1\necho "{}"; exit "$3"\n',
    )
    expect(await run(client, home.args())).toEqual({ stdout: '{}\n', stderr: '', exitCode: 0 })
  })

  /** The second is what other systems than Linux have. */
  it.each([
    ['by the system', [] as string[]],
    ['by another process', ['WITHOUT_PDEATHSIG']],
  ])('ends with the client, %s', async (_name, without) => {
    const killed = buildClient('sanitize', without)
    home.program(`#!/bin/sh
[ "$1" = daemon ] && exit
sleep 600 &
echo $$ > "${home.path}/started"
exec sleep 600
`)
    const child = spawn(killed, home.args('deny', 60_000), { stdio: 'ignore' })
    const file = join(home.path, 'started')
    await expect
      .poll(() => existsSync(file) && readFileSync(file, 'utf8').trim() !== '', { timeout: 20_000 })
      .toBe(true)
    child.kill('SIGKILL')
    await expect.poll(() => isRunning(Number(readFileSync(file, 'utf8'))), { timeout: 20_000 }).toBe(false)
    removeClient(killed)
  })

  it('leaves alone what a hook has left behind, where another process ends hooks with their client', async () => {
    const watching = buildClient('sanitize', ['WITHOUT_PDEATHSIG'])
    home.program(`#!/bin/sh
[ "$1" = daemon ] && exit
sleep 600 >/dev/null 2>&1 </dev/null &
echo $!
exit 2
`)
    const ran = await run(watching, home.args())
    expect(ran).toMatchObject({ exitCode: 2, stderr: '' })
    // Nobody waits for the agent's pipes, and nothing of the client is left to kill it.
    await expect.poll(() => startedFrom(watching), { timeout: 20_000 }).toEqual([])
    expect(isRunning(Number(ran.stdout))).toBe(true)
    process.kill(Number(ran.stdout), 'SIGKILL')
    removeClient(watching)
  })

  it('denies if standard output was closed, although Node opens closed descriptors', async () => {
    nodeProgram(`if (process.argv[2] === 'daemon') process.exit()
let code = 0
try { fs.writeSync(1, 'x') } catch { code = 2 }
process.exit(code)`)
    const through = ['/bin/sh', '-c', 'exec "$0" "$@" >&-']
    expect(await run(client, home.args(), { through })).toMatchObject({ exitCode: 2 })
  })

  it('gets an environment that loads no other code', async () => {
    nodeProgram(RECORD)
    const hostile = wordList(`
      LD_PRELOAD LD_LIBRARY_PATH DYLD_INSERT_LIBRARIES NODE_OPTIONS NODE_PATH OPENSSL_CONF BASH_ENV ENV
      SHELLOPTS BASHOPTS PS4 GCONV_PATH IFS CDPATH BASH_FUNC_exec%%
    `)
    const kept = { HOME: '/home/dev', ENVIRONMENT: 'x', IFS_: 'y', OLD_LD_PRELOAD: 'z', NODE: 'n', EMPTY: '' }
    await run(release, home.args(), { env: { ...kept, ...Object.fromEntries(hostile.map((n) => [n, ''])) } })
    const { env } = noted<Recorded>('hook')
    expect(env).toMatchObject(kept)
    expect(Object.keys(env).filter((name) => hostile.includes(name))).toEqual([])
  })

  it('gets the input through a pipe if the system has no files in memory', async () => {
    const piping = buildClient('sanitize', ['WITHOUT_MEMFD'])
    const input = Buffer.alloc(3_000_000, 'x')
    expect(await run(piping, home.args(), { stdin: input })).toEqual(oneShot(input.length))
    expect(await run(piping, home.args(), { stdin: '' })).toEqual(oneShot(0))
    nodeProgram(RECORD)
    await run(piping, home.args())
    expect(noted<Recorded>('hook').children).toEqual([])
    // A process that still holds the unread input must not keep the agent waiting: it does not have the agent's pipes.
    home.program(`#!/bin/sh
[ "$1" = daemon ] && exit
exec 3<&0
sleep 40 <&3 >/dev/null 2>&1 3<&- &
echo $!
exit 2
`)
    const ran = await run(piping, home.args(), { stdin: input })
    expect(ran).toMatchObject({ exitCode: 2, stderr: '' })
    expect(process.kill(Number(ran.stdout), 'SIGKILL')).toBe(true)
    removeClient(piping)
  })

  const settings = onLinux(
    'gets the signal settings of the agent',
    '`env` sets signals, and /proc shows them',
  )
  it.runIf(isLinux)(settings, async () => {
    const tells = `while read -r line; do case $line in SigBlk* | SigIgn*) echo "$line" ;; esac; done < /proc/self/status`
    home.program(`#!/bin/sh\n[ "$1" = daemon ] && exit\n${tells}\nexit 113\n`)
    for (const options of [
      ['--default-signal'],
      ['--block-signal=ALRM', '--ignore-signal=PIPE', '--ignore-signal=CHLD'],
    ]) {
      const through = ['env', ...options]
      const plain = await run('/bin/sh', ['-c', tells], { through })
      expect(plain.stdout).toMatch(/^SigBlk:.*\nSigIgn:.*\n$/)
      expect(await run(client, home.args(), { through })).toEqual(plain)
    }
  })

  const preloaded = onLinux('is not changed by a preloaded library', 'no other system has static programs')
  it.runIf(isLinux)(preloaded, async () => {
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
  /** Long enough to notice a second start. */
  const settle = () => new Promise((resolve) => setTimeout(resolve, 300))

  it('is started once by fifty calls at once', async () => {
    rmSync(home.run, { recursive: true })
    // A call that comes ten seconds after a start without a daemon starts another: on a slow machine that may be one of these.
    const young = setInterval(() => {
      const mark = join(home.run, 'starting')
      if (existsSync(mark)) utimesSync(mark, new Date(), new Date())
    }, 200)
    onTestFinished(() => clearInterval(young))
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
    ['is not started if one was started just now', 0, false],
    ['is started if one was started long ago', -60, true],
    ['is started if one was started in the future', 3_600, true],
  ])('%s', async (_name, ageS, expected) => {
    const mark = join(home.run, 'starting')
    writeFileSync(mark, '')
    const at = Date.now() / 1000 + ageS
    utimesSync(mark, at, at)
    expect(await run(client, home.args())).toEqual(oneShot(0))
    if (expected) await starts().toBe('started\n')
    else await settle()
    expect(home.noted('daemon')).toBe(expected ? 'started\n' : undefined)
  })

  it('is not started if the file `starting` cannot be created', async () => {
    mkdirSync(join(home.run, 'starting'))
    utimesSync(join(home.run, 'starting'), 1, 1)
    expect(await run(client, home.args())).toEqual(oneShot(0))
    await settle()
    expect(home.noted('daemon')).toBeUndefined()
  })

  const inherits = onLinux(
    'inherits nothing from the agent: environment, folder, session, descriptors',
    'a shell sees its descriptors and its session in /proc',
  )
  it.runIf(isLinux)(inherits, async () => {
    home.program(`#!/bin/sh
if [ "$1" = hook ]; then exit 2; fi
ls /proc/$$/fd > '${home.path}/descriptors'
descriptors=$(wc -l < '${home.path}/descriptors')
links=$(readlink /proc/$$/fd/0 /proc/$$/fd/1 /proc/$$/fd/2)
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
    // Standard streams, the script itself, and the output that the shell keeps while it lists into a file. Of a pipe
    // it would have both ends for a moment.
    expect(Number(descriptors)).toBeLessThanOrEqual(5)
    const ours = execFileSync('cut', ['-d', ' ', '-f6', '/proc/self/stat'], { encoding: 'utf8' }).trim()
    expect(Number(session)).toBeGreaterThan(0)
    expect(session).not.toBe(ours)
  })
})
