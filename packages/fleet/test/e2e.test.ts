import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { atTerminal } from '../../../test/e2e/terminal.ts'
import { endDaemonsOf } from '../../../test/processes.ts'
import { type Cluster, startCluster } from './cluster.ts'
import { type Installed, installBoth } from './installed.ts'
import { type Receiver, startReceiver } from './receiver.ts'

/** One machine and its fleet: the packed and installed programs, a real daemon, collector, PostgreSQL and OTLP receiver. */

let cluster: Cluster
let installed: Installed
let receiver: Receiver
let folder: string
let running: ChildProcess | undefined
let port: number

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-fleet-e2e-'))
  mkdirSync(join(folder, 'project', '.git'), { recursive: true })
  ;[cluster, installed, receiver] = [await startCluster(), installBoth(), await startReceiver()]
})
afterAll(async () => {
  running?.kill('SIGKILL')
  await endDaemonsOf(home())
  receiver.close()
  cluster.remove()
  installed.remove()
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

const home = () => join(folder, 'home')
const project = () => join(folder, 'project')
const file = (name: string) => join(folder, name)

function holdpoint(args: readonly string[], input?: string) {
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    HOLDPOINT_HOME: home(),
    HOLDPOINT_DATABASE: cluster.url(),
  }
  const ran = spawnSync(installed.program, args, {
    cwd: project(),
    env,
    encoding: 'utf8',
    ...(input === undefined ? {} : { input }),
  })
  return { exitCode: ran.status, stdout: ran.stdout, stderr: ran.stderr }
}

function ran(...args: readonly string[]): string {
  const { exitCode, stdout, stderr } = holdpoint(args)
  expect(exitCode, stderr).toBe(0)
  return stdout
}

async function startCollector(): Promise<void> {
  const env = { PATH: process.env.PATH, HOME: folder, HOLDPOINT_DATABASE: cluster.url() }
  const listen = `127.0.0.1:${port ?? 0}`
  const child = spawn(installed.program, ['fleet', 'collector', '--listen', listen], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  running = child
  port = await new Promise<number>((resolve, reject) => {
    child.stdout.on('data', (text) => {
      const [, found] = /listens on 127\.0\.0\.1:(\d+)/.exec(String(text)) ?? []
      if (found !== undefined) resolve(Number(found))
    })
    child.on('exit', (code) => reject(new Error(`the collector ended with ${code}`)))
  })
}

async function until<T>(what: string, read: () => T | undefined): Promise<T> {
  for (let tries = 0; tries < 450; tries += 1) {
    const found = read()
    if (found !== undefined) return found
    await sleep(200)
  }
  throw new Error(`never: ${what}`)
}

function hook(command: string, more: Record<string, unknown> = {}): string {
  const payload = {
    hook_event_name: 'PreToolUse',
    session_id: 'session-1',
    cwd: project(),
    tool_name: 'Bash',
    tool_input: { command },
    tool_use_id: `toolu_${Math.random()}`,
    ...more,
  }
  const { stdout, stderr } = holdpoint(['hook', 'claude-code'], JSON.stringify(payload))
  return `${stdout}${stderr}`
}

const machines = () => JSON.parse(holdpoint(['fleet', 'machines', '--json']).stdout)

describe('one machine of a fleet', () => {
  it('sends its journal to a collector and its decisions to a receiver, by its daemon alone', async () => {
    await startCollector()
    const token = ran('fleet', 'token', 'create', '--team', 'payments', '--uses', '1').trim()
    writeFileSync(file('token'), token, { mode: 0o600 })
    mkdirSync(file('policy/tests'), { recursive: true })
    writeFileSync(
      file('policy/config.yaml'),
      `version: 1\npacks: { safety: true, self: true }\nsettings:\n  telemetry:\n    OTEL_EXPORTER_OTLP_ENDPOINT: ${receiver.url}\n    OTEL_RESOURCE_ATTRIBUTES: deployment.environment.name=test\n`,
    )
    writeFileSync(
      file('policy/tests/a.yaml'),
      'cases: [{ name: a, command: git push --force, expect: deny }]\n',
    )
    ran('fleet', 'key', 'create', '--out', file('key.pem'))
    const key = ran('fleet', 'key', 'show', file('key.pem')).trim()
    ran(
      'fleet',
      'bundle',
      'build',
      file('policy'),
      '--name',
      'acme',
      '--revision',
      '7',
      '--out',
      file('b.tar.gz'),
    )
    ran('fleet', 'bundle', 'sign', file('b.tar.gz'), '--key', file('key.pem'))
    ran('fleet', 'bundle', 'publish', file('b.tar.gz'), '--to', file('published'), '--key', file('key.pem'))
    ran('init', '--host', 'claude-code', '--scope', 'user', '--yes')
    const words = ['fleet', 'enroll', file('published'), '--key', key, '--poll', '10', '--yes']
    const more = ['--collector', `http://127.0.0.1:${port}`, '--token-file', file('token')]
    const enrolled = await atTerminal({ project: project(), home: home() }, [...words, ...more], {
      program: installed.program,
      env: { NO_COLOR: '1', HOME: folder },
    })
    expect(enrolled.text).toContain('Revision 7 is in force.')
    expect(hook('git push --force')).toContain('deny')
    hook('ls')
    ran('daemon', 'start')
    const [machine] = await until('the machine is seen', () => {
      const [found] = machines()
      return found?.bundle?.revision === 7 ? [found] : undefined
    })
    expect(machine).toMatchObject({
      team: 'payments',
      bundle: { name: 'acme', enforced: false },
      state: 'well',
    })
    await until('its records', () =>
      Number(cluster.sql("SELECT count(*) FROM holdpoint.records WHERE session = 'session-1'")) === 2
        ? true
        : undefined,
    )
    expect(ran('fleet', 'verify')).toMatch(/1 chain, \d+ records, 0 broken/)
    expect(JSON.parse(ran('fleet', 'stops', '--json'))).toContainEqual({
      name: 'safety/git/force-push',
      denied: 1,
      asked: 0,
    })
    await until('its decisions at the receiver', () =>
      receiver.logs.some(({ attributes }) => attributes['holdpoint.effect'] === 'deny') ? true : undefined,
    )
    expect(receiver.resource).toMatchObject({ 'deployment.environment.name': 'test' })
  })

  it('is shown at the terminal and in the browser', async () => {
    expect(ran('fleet', 'session', 'session-1')).toMatch(/deny PreToolUse Bash git push --force/)
    expect(holdpoint(['fleet', 'session', 'nobody'])).toMatchObject({ exitCode: 1 })
    expect(ran('fleet', 'rollout')).toContain('acme revision 7: 1 machine so far')
    const env = { PATH: process.env.PATH, HOME: folder, HOLDPOINT_DATABASE: cluster.url() }
    const board = spawn(installed.program, ['ui', '--fleet', '--no-open'], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const url = await new Promise<string>((resolve) => {
      board.stdout.on('data', (text) => {
        const [found] = /http:\S+/.exec(String(text)) ?? []
        if (found !== undefined) resolve(found)
      })
    })
    const page = async (name: string) => (await fetch(new URL(name, url))).text()
    expect(await page('machines')).toContain('<b>1</b>Well')
    expect(await page('stops')).toContain('safety/git/force-push')
    expect(await page('rollout')).toContain('acme 7: 1 of 1 machines')
    expect(await page('session?id=session-1')).toContain('git push --force')
    expect(await page('findings')).toContain('No gap, fork or changed record')
    board.kill('SIGTERM')
    expect(await new Promise((resolve) => board.on('exit', resolve))).toBe(0)
  })

  it('loses nothing while the collector is away', async () => {
    running?.kill('SIGKILL')
    for (let call = 0; call < 3; call += 1) hook(`echo ${call}`, { session_id: 'session-2' })
    await sleep(2_000)
    await startCollector()
    await until('the records of the second session', () =>
      cluster.sql("SELECT count(*) FROM holdpoint.records WHERE session = 'session-2'") === '3'
        ? true
        : undefined,
    )
    expect(ran('fleet', 'verify')).toContain('0 broken')
  })

  it('is erased and revoked by an administrator', () => {
    expect(ran('fleet', 'erase', '--session', 'session-2')).toContain('3 records erased')
    expect(ran('fleet', 'verify')).toContain('0 broken')
    const [{ machine }] = machines()
    expect(ran('fleet', 'revoke', machine)).toContain('no longer counts')
    expect(holdpoint(['fleet', 'revoke', 'nobody'])).toMatchObject({ exitCode: 66 })
    expect(holdpoint(['fleet', 'erase'])).toMatchObject({ exitCode: 64 })
  })

  it('exports in the foreground as the variables say', () => {
    const env = {
      PATH: process.env.PATH,
      HOME: folder,
      HOLDPOINT_HOME: home(),
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
      OTEL_EXPORTER_OTLP_TIMEOUT: '500',
    }
    hook('echo more')
    const away = spawnSync(installed.program, ['fleet', 'export'], { cwd: project(), env, encoding: 'utf8' })
    expect(away).toMatchObject({
      status: 69,
      stderr: expect.stringContaining('The records wait in the journal'),
    })
  })

  it('is told what is wrong with the options of a collector', () => {
    const wrong = (...words: readonly string[]) => holdpoint(['fleet', 'collector', ...words])
    expect(wrong('--listen', 'x')).toMatchObject({
      exitCode: 64,
      stderr: expect.stringContaining('--listen'),
    })
    expect(wrong('--database', 'mysql://x')).toMatchObject({
      exitCode: 64,
      stderr: expect.stringContaining('--database'),
    })
    expect(wrong('--tls-cert', 'x')).toMatchObject({
      exitCode: 64,
      stderr: expect.stringContaining('belong together'),
    })
    expect(wrong('--database', 'postgresql://127.0.0.1:1/x')).toMatchObject({
      exitCode: 69,
      stderr: expect.stringContaining('FLEET_DATABASE'),
    })
  })
})
