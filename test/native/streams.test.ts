import { execFileSync, spawn } from 'node:child_process'
import { closeSync, constants, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildClient, type ClientHome, createHome, oneShot, type Ran, removeClient, run } from './client.ts'
import { type FakeDaemon, replying, startFakeDaemon } from './fake-daemon.ts'

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

const ALLOWED = { exitCode: 0, stdout: 'out\n', stderr: 'a note\n' }
const LARGE = { exitCode: 0, stdout: 'x'.repeat(1_000_000), stderr: '' }

async function listen(reply: Ran): Promise<FakeDaemon> {
  daemon = await startFakeDaemon(home.run, replying({ ...reply, exitCode: reply.exitCode ?? 1 }))
  return daemon
}

function throughShell(redirection: string): readonly string[] {
  return ['/bin/sh', '-c', `exec "$0" "$@" ${redirection}`]
}

describe('standard input', () => {
  const text = '{"a": 1}\n'

  it.each<[string, (file: string) => string]>([
    ['may be a file', (file) => `< '${file}'`],
    ['may be a pipe', (file) => `< '${file}.pipe'`],
    ['may be open for reading and writing', (file) => `<> '${file}'`],
  ])('%s', async (_name, redirection) => {
    const { calls } = await listen(ALLOWED)
    const file = join(home.path, 'input')
    writeFileSync(file, text)
    execFileSync('mkfifo', [`${file}.pipe`])
    const writer = spawn('/bin/sh', ['-c', `cat '${file}' > '${file}.pipe'`], { stdio: 'ignore' })
    expect(await run(client, home.args(), { through: throughShell(redirection(file)) })).toEqual(ALLOWED)
    writer.kill('SIGKILL')
    expect(calls[0]?.input.toString()).toBe(text)
  })

  it('is read from its current position, also without the daemon', async () => {
    const file = join(home.path, 'input')
    writeFileSync(file, '1234567')
    const through = ['/bin/sh', '-c', `exec < '${file}'; dd bs=2 count=1 2>/dev/null >&2; exec "$0" "$@"`]
    expect(await run(client, home.args(), { through })).toEqual(oneShot(5))
  })

  it('may be a non-blocking pipe', async () => {
    const { calls } = await listen(ALLOWED)
    const fifo = join(home.path, 'fifo')
    execFileSync('mkfifo', [fifo])
    const fd = openSync(fifo, constants.O_RDWR | constants.O_NONBLOCK)
    const writer = spawn('/bin/sh', ['-c', 'sleep 0.2; printf later'], { stdio: ['ignore', fd, 'ignore'] })
    closeSync(fd)
    const reading = openSync(fifo, constants.O_RDONLY | constants.O_NONBLOCK)
    // As a fourth descriptor, because Node makes the first three of a child blocking.
    const running = run(client, home.args(), {
      stdio: ['pipe', 'pipe', 'pipe', reading],
      through: throughShell('<&3 3<&-'),
    })
    closeSync(reading)
    expect(await running).toEqual(ALLOWED)
    writer.kill('SIGKILL')
    expect(calls[0]?.input.toString()).toBe('later')
  })

  it.each([
    ['is closed', '<&-'],
    ['is a folder', '< /'],
  ])('that %s is reported by the one-shot hook', async (_name, redirection) => {
    const { calls } = await listen(ALLOWED)
    home.program('#!/bin/sh\nif read line; then echo read; else echo unreadable; exit 2; fi\n')
    const ran = await run(client, home.args(), { through: throughShell(redirection) })
    expect(ran).toMatchObject({ stdout: 'unreadable\n', exitCode: 2 })
    expect(calls).toEqual([])
  })

  it.each([
    ['deny', 2],
    ['pass', 0],
  ] as const)('that is never closed gets the failure policy: %s', async (onFailure, exitCode) => {
    await listen(ALLOWED)
    const ran = await run(client, home.args(onFailure, 300), { open: true, stdin: text })
    expect(ran).toMatchObject({ stdout: '', exitCode })
    expect(ran.stderr).toContain('no answer in time')
  })
})

describe('standard output', () => {
  it.each([
    ['is closed', '>&-'],
    ['is full', '> /dev/full'],
    ['is open for reading only', '1< /dev/null'],
  ])('that %s leads to a denial', async (_name, redirection) => {
    await listen(ALLOWED)
    const ran = await run(client, home.args('pass'), { through: throughShell(redirection) })
    expect(ran).toEqual({ ...ALLOWED, stdout: '', exitCode: 2 })
  })

  it('that is not read leads to a denial', async () => {
    // More than fits into a pipe, because a short reply may be written before the reader is gone.
    await listen(LARGE)
    expect(await run(client, home.args('pass'), { deaf: true })).toMatchObject({ exitCode: 2 })
  })

  it('that fills up leads to a denial, never to half a reply with exit code 0', async () => {
    await listen(LARGE)
    const fifo = join(home.path, 'fifo')
    execFileSync('mkfifo', [fifo])
    const fd = openSync(fifo, constants.O_RDWR)
    const ran = await run(client, home.args('pass', 6_000), { stdio: ['pipe', fd, 'pipe'] })
    closeSync(fd)
    expect(ran).toMatchObject({ exitCode: 2 })
  })

  it('gets the complete reply if it is a slow non-blocking pipe', async () => {
    await listen(LARGE)
    const fifo = join(home.path, 'fifo')
    const copy = join(home.path, 'copy')
    execFileSync('mkfifo', [fifo])
    const fd = openSync(fifo, constants.O_RDWR | constants.O_NONBLOCK)
    const reader = spawn('/bin/sh', ['-c', `sleep 0.2; cat '${fifo}' > '${copy}'`], { stdio: 'ignore' })
    const ended = new Promise((resolve) => reader.on('close', resolve))
    const ran = await run(client, home.args(), {
      stdio: ['pipe', 'pipe', 'pipe', fd],
      through: throughShell('>&3 3>&-'),
    })
    closeSync(fd)
    await ended
    expect(ran.exitCode).toBe(0)
    expect(home.noted('copy')).toBe(LARGE.stdout)
  })

  it('may be closed if the reply prints nothing', async () => {
    await listen({ ...ALLOWED, stdout: '' })
    const ran = await run(client, home.args(), { through: throughShell('>&-') })
    expect(ran).toEqual({ ...ALLOWED, stdout: '' })
  })

  it('that is closed together with standard error leads to a denial', async () => {
    await listen(ALLOWED)
    const ran = await run(client, home.args('pass'), { through: throughShell('>&- 2>&-') })
    expect(ran).toEqual({ stdout: '', stderr: '', exitCode: 2 })
  })
})

describe('if standard error is full', () => {
  it.each([
    ['an allowed call stays allowed', ALLOWED, 0],
    ['a denied call stays denied', { ...ALLOWED, exitCode: 2 }, 2],
    ['any other exit code becomes a denial', { ...ALLOWED, exitCode: 1 }, 2],
  ])('%s', async (_name, reply, exitCode) => {
    await listen(reply)
    const ran = await run(client, home.args(), { through: throughShell('2> /dev/full') })
    expect(ran).toEqual({ stdout: 'out\n', stderr: '', exitCode })
  })

  it('the last resort does not wait, and a denial does not become a pass', async () => {
    await listen({ exitCode: 2, stdout: '', stderr: 'e'.repeat(1_000_000) })
    const fifo = join(home.path, 'fifo')
    execFileSync('mkfifo', [fifo])
    const fd = openSync(fifo, constants.O_RDWR)
    const ran = await run(client, home.args('pass', 1_200), { stdio: ['pipe', 'pipe', fd] })
    closeSync(fd)
    expect(ran).toMatchObject({ exitCode: 2, stdout: '' })
  })
})
