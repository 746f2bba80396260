import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { EventKind } from '../../src/core/event.ts'
import { askDaemon } from '../../src/daemon/client.ts'
import type { Ran } from '../e2e/command.ts'
import { built, createInstallation, type Installation, moduleUrl, run } from '../faults/installation.ts'
import { eventually } from '../processes.ts'
import { startPythonClient } from '../python/python.ts'
import { allCases, type Case } from './cases.ts'

/**
 * Asks the same question in seven ways: with the library, in a separate process, through the daemon, with the native
 * client, with the client that other programs load, and with the client of the Python package, with and without an
 * event loop. All answers are the same, byte for byte: standard output, standard error and exit code. Each way has its
 * own sessions, so that they do not share state.
 */
const WAYS = ['library', 'daemon', 'client', 'loaded client', 'Python', 'Python, async', 'process'] as const
/** The ways that the daemon answers. */
const THROUGH_THE_DAEMON = WAYS.length - 2
type Way = (typeof WAYS)[number]

const DEADLINE_MS = 28_000
const AT_ONCE = 8

/** On a busy machine a command lasts longer than its usual time, and then the answers would differ. */
const CONFIG = `version: 1
packs: { safety: true, secrets: true, self: true }
hooks:
  SessionStart:
    - { run: "echo 'The style guide is in docs.'", timeoutMs: 20000 }
  PreToolUse:
    - { match: Write, run: "echo 'nothing is written here' >&2; exit 2", timeoutMs: 20000 }
    - { match: Read, run: "exit 3", timeoutMs: 20000 }
  PostToolUse:
    - { match: Bash, run: "echo 'look at the output' >&2; exit 2", timeoutMs: 20000 }
  Stop:
    - { run: "echo 'the tests were not run' >&2; exit 2", timeoutMs: 20000 }
`

let installation: Installation
let cases: readonly Case[]
const python = startPythonClient()
const answers = new Map<Way, ReadonlyMap<string, Ran>>()
const env = { PATH: process.env.PATH ?? '', HOME: '/home/dev' }

beforeAll(async () => {
  installation = await createInstallation()
  writeFileSync(installation.home.userConfig, CONFIG)
  mkdirSync(join(installation.project, '.git'))
  await installation.startDaemon()
  cases = await allCases()
  const ways: Readonly<Record<Way, (each: Case, input: Buffer) => Promise<Ran>>> = {
    library: await library(),
    daemon: async (each, input) => {
      const call = { argv: wordsOf(each), cwd: installation.project, env, input, elapsedMs: 0 }
      const { stdout, stderr, exitCode } = (await askDaemon(installation.home.run, call, DEADLINE_MS)) ?? NONE
      return { stdout, stderr, exitCode }
    },
    client: (each, input) =>
      run(installation.home.hookProgram, wordsOf(each), { stdin: input, cwd: installation.project }),
    'loaded client': await loadedClient(),
    Python: (each, input) => fromPython(each, input, false),
    'Python, async': (each, input) => fromPython(each, input, true),
    process: (each, input) =>
      run(process.execPath, [built('hook'), ...wordsOf(each)], {
        stdin: input,
        cwd: installation.project,
      }),
  }
  for (const way of WAYS) {
    const asked = way === 'process' ? cases.filter(({ alone }) => alone) : cases
    answers.set(way, await askAll(asked, way, ways[way]))
  }
}, 600_000)
afterAll(async () => {
  python.stop()
  await installation.remove()
})

const NONE: Ran = { stdout: 'the daemon did not answer', stderr: '', exitCode: null }

it('every kind of answer occurs in the cases, and the daemon gave its own answers', async () => {
  const all = [...(answers.get('library')?.values() ?? [])]
  const count = (has: (ran: Ran) => boolean) => all.filter(has).length
  expect({
    all: all.length > 450,
    denied: count(({ stdout }) => stdout.includes('"permissionDecision":"deny"')) > 150,
    asked: count(({ stdout }) => stdout.includes('"permissionDecision":"ask"')) > 0,
    passed: count(({ stdout, exitCode }) => stdout === '{}\n' && exitCode === 0) > 100,
    held: count(({ stdout }) => stdout.includes('the tests were not run')) > 0,
    refused: count(({ exitCode }) => exitCode === 2) > 10,
    alone: (answers.get('process')?.size ?? 0) > 60,
  }).toEqual({ all: true, denied: true, asked: true, passed: true, held: true, refused: true, alone: true })
  const status = await eventually(installation.status, 'the daemon serves')
  expect(status).toMatchObject({ answered: THROUGH_THE_DAEMON * cases.length, late: 0, lost: 0 })
})

describe.each(WAYS.filter((way) => way !== 'library'))('the %s answers as the library does', (way) => {
  it('byte for byte', () => {
    const expected = answers.get('library')
    const different = [...(answers.get(way) ?? [])].filter(
      ([name, ran]) => JSON.stringify(ran) !== JSON.stringify(expected?.get(name)),
    )
    const [name = ''] = different[0] ?? []
    expect({ case: name, ran: answers.get(way)?.get(name) }).toEqual({ case: name, ran: expected?.get(name) })
    expect(different).toEqual([])
  })
})

/** Loads the built file, as a plugin does. */
async function loadedClient(): Promise<(each: Case, input: Buffer) => Promise<Ran>> {
  const file = join(import.meta.dirname, '..', '..', 'dist', 'lib', 'client.js')
  const { createClient } = (await import(file)) as typeof import('../../src/adapters/client/client.ts')
  return async ({ host, event, onFailure }, input) => {
    const client = createClient({ home: installation.home.folder, host })
    const question = { event: event as EventKind, onFailure, payload: input, deadlineMs: DEADLINE_MS }
    const { stdout, stderr, exitCode } = await client.ask({ ...question, cwd: installation.project, env })
    return { stdout, stderr, exitCode }
  }
}

/** One Python process asks everything, because its start would cost more than the questions. */
function fromPython({ host, event, onFailure }: Case, payload: Buffer, isAsync: boolean): Promise<Ran> {
  const where = { home: installation.home.folder, cwd: installation.project, env }
  return python.ask({ host, event, onFailure, payload, ...where, deadline: DEADLINE_MS / 1_000, isAsync })
}

/** The arguments that `init` writes into an agent's settings. */
function wordsOf({ host, event, onFailure }: Case): readonly string[] {
  const words = ['--home', installation.home.folder, '--event', event, '--on-failure', onFailure]
  return [host, ...words, '--deadline-ms', `${DEADLINE_MS}`]
}

/** Asks a series in order, and everything else in parallel. */
async function askAll(
  asked: readonly Case[],
  way: Way,
  ask: (each: Case, input: Buffer) => Promise<Ran>,
): Promise<ReadonlyMap<string, Ran>> {
  const found = new Map<string, Ran>()
  const askOne = async (each: Case) => {
    // The same length for each way, in case an answer contains it.
    const session = `parity-${WAYS.indexOf(way)}-${each.series ?? cases.indexOf(each)}`
    found.set(each.name, await ask(each, each.payload(session, installation.project)))
  }
  for (const each of asked.filter(({ series }) => series !== undefined)) await askOne(each)
  const rest = asked.filter(({ series }) => series === undefined)
  const worker = async () => {
    for (let each = rest.pop(); each !== undefined; each = rest.pop()) await askOne(each)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return found
}

/** The published library, used as another program would. */
async function library(): Promise<(each: Case, input: Buffer) => Promise<Ran>> {
  const built = async <T>(...path: string[]): Promise<T> => (await import(moduleUrl(path.join('/')))) as T
  const { createResponder } = await built<typeof import('../../src/app/responder.ts')>('app', 'responder.js')
  const { createFileState } = await built<typeof import('../../src/storage/state/file-state.ts')>(
    'storage',
    'state',
    'file-state.js',
  )
  const { decodeInput } = await built<typeof import('../../src/app/hook-call.ts')>('app', 'hook-call.js')
  const state = createFileState(installation.home.state)
  const responder = createResponder({
    home: installation.home,
    state,
    now: () => performance.now(),
    packs: [],
  })
  return async ({ host, event, onFailure }, input) => {
    const request = {
      host,
      event,
      onFailure,
      cwd: installation.project,
      env,
      skills: [],
      deadlineMs: DEADLINE_MS,
    }
    const payload = decodeInput([input])
    const { reply } = payload.ok
      ? await responder.respond({ ...request, payload: payload.value })
      : await responder.refuse(request, payload.problem)
    return { stdout: reply.stdout, stderr: reply.stderr, exitCode: reply.exitCode }
  }
}
