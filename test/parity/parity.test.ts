import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askDaemon } from '../../src/daemon/client.ts'
import type { Ran } from '../e2e/command.ts'
import { createStation, DIST, eventually, run, type Station } from '../faults/station.ts'
import { allCases, type Case } from './cases.ts'

/**
 * One question, four ways to ask it: the library, a process of its own, the daemon, the native client. The answers
 * are the same to the byte: standard output, standard error, exit code. Each way has sessions of its own, so that
 * none finds what another left.
 */
const WAYS = ['library', 'daemon', 'client', 'process'] as const
type Way = (typeof WAYS)[number]

const DEADLINE_MS = 28_000
const AT_ONCE = 8

const CONFIG = `version: 1
packs: { safety: true, secrets: true, self: true }
hooks:
  SessionStart:
    - { run: "echo 'The style guide is in docs.'" }
  PreToolUse:
    - { match: Write, run: "echo 'nothing is written here' >&2; exit 2" }
    - { match: Read, run: "exit 3" }
  PostToolUse:
    - { match: Bash, run: "echo 'look at the output' >&2; exit 2" }
  Stop:
    - { run: "echo 'the tests were not run' >&2; exit 2" }
`

let station: Station
let cases: readonly Case[]
const answers = new Map<Way, ReadonlyMap<string, Ran>>()
const env = { PATH: process.env.PATH ?? '', HOME: '/home/dev' }

beforeAll(async () => {
  station = await createStation()
  writeFileSync(station.home.userConfig, CONFIG)
  mkdirSync(join(station.project, '.git'))
  await station.serving()
  cases = await allCases()
  const ways: Readonly<Record<Way, (each: Case, input: Buffer) => Promise<Ran>>> = {
    library: await library(),
    daemon: async (each, input) => {
      const call = { argv: wordsOf(each), cwd: station.project, env, input, elapsedMs: 0 }
      const { stdout, stderr, exitCode } = (await askDaemon(station.home.run, call, DEADLINE_MS)) ?? NONE
      return { stdout, stderr, exitCode }
    },
    client: (each, input) =>
      run(station.home.hookProgram, wordsOf(each), { stdin: input, cwd: station.project }),
    process: (each, input) =>
      run(process.execPath, [join(DIST, 'hook.cjs'), ...wordsOf(each)], {
        stdin: input,
        cwd: station.project,
      }),
  }
  for (const way of WAYS) {
    const asked = way === 'process' ? cases.filter(({ alone }) => alone) : cases
    answers.set(way, await askAll(asked, way, ways[way]))
  }
}, 240_000)
afterAll(() => station.remove())

const NONE: Ran = { stdout: 'the daemon did not answer', stderr: '', exitCode: null }

it('is about something: every kind of answer occurs, and the daemon gave those it should', async () => {
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
  const status = await eventually(station.status, 'the daemon serves')
  expect(status).toMatchObject({ answered: 2 * cases.length, late: 0, lost: 0 })
})

describe.each(WAYS.filter((way) => way !== 'library'))('the %s answers as the library does', (way) => {
  it('to the byte', () => {
    const expected = answers.get('library')
    const different = [...(answers.get(way) ?? [])].filter(
      ([name, ran]) => JSON.stringify(ran) !== JSON.stringify(expected?.get(name)),
    )
    const [name = ''] = different[0] ?? []
    expect({ case: name, ran: answers.get(way)?.get(name) }).toEqual({ case: name, ran: expected?.get(name) })
    expect(different).toEqual([])
  })
})

/** The words `init` writes into an agent's settings. */
function wordsOf({ host, event, onFailure }: Case): readonly string[] {
  const words = ['--home', station.home.folder, '--event', event, '--on-failure', onFailure]
  return [host, ...words, '--deadline-ms', `${DEADLINE_MS}`]
}

/** A series in order, everything else some at a time. */
async function askAll(
  asked: readonly Case[],
  way: Way,
  ask: (each: Case, input: Buffer) => Promise<Ran>,
): Promise<ReadonlyMap<string, Ran>> {
  const found = new Map<string, Ran>()
  const askOne = async (each: Case) => {
    // As long for each way, should an answer ever name it.
    const session = `parity-${WAYS.indexOf(way)}-${each.series ?? cases.indexOf(each)}`
    found.set(each.name, await ask(each, each.payload(session, station.project)))
  }
  for (const each of asked.filter(({ series }) => series !== undefined)) await askOne(each)
  const rest = asked.filter(({ series }) => series === undefined)
  const worker = async () => {
    for (let each = rest.pop(); each !== undefined; each = rest.pop()) await askOne(each)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return found
}

/** The published library: what another program would do with it. */
async function library(): Promise<(each: Case, input: Buffer) => Promise<Ran>> {
  const built = async <T>(...path: string[]): Promise<T> =>
    (await import(pathToFileURL(join(DIST, 'src', ...path)).href)) as T
  const { createResponder, createFileState } = await built<typeof import('../../src/index.ts')>('index.js')
  const { decodeInput } = await built<typeof import('../../src/hook-call.ts')>('hook-call.js')
  const state = createFileState(station.home.state)
  const responder = createResponder({ home: station.home, state, now: () => performance.now(), packs: [] })
  return async ({ host, event, onFailure }, input) => {
    const request = { host, event, onFailure, cwd: station.project, env, skills: [], deadlineMs: DEADLINE_MS }
    const payload = decodeInput([input])
    const { reply } = payload.ok
      ? await responder.respond({ ...request, payload: payload.value })
      : await responder.refuse(request, payload.problem)
    return { stdout: reply.stdout, stderr: reply.stderr, exitCode: reply.exitCode }
  }
}
