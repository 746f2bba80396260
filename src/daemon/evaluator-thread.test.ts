import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type EvaluatorThread, startEvaluatorThread } from './evaluator-thread.ts'

/** A thread that does what the frame says instead of evaluating an event. */
const WORKER = `
const { parentPort, threadId } = require('node:worker_threads')
const actions = {
  name: (id) => parentPort.postMessage({ id, reply: Buffer.from(String(threadId)) }),
  answer: (id) => parentPort.postMessage({ id, reply: Buffer.from('answer') }),
  exit: () => process.exit(0),
  throw: () => { throw new Error('thrown') },
  reject: async () => { throw new Error('rejected') },
  spin: () => { for (;;); },
  allocate: () => { const kept = []; for (;;) kept.push(new Array(1e5).fill(kept.length)) },
  wait: () => {},
  unrequested: () => parentPort.postMessage({ id: 1e9, reply: Buffer.from('not yours') }),
  tell: (id) => { parentPort.postMessage({ trouble: 'told' }); actions.answer(id) },
}
parentPort.on('message', ({ id, frame }) =>
  frame === undefined ? parentPort.postMessage({ id }) : actions[Buffer.from(frame).toString()](id))
`

let folder: string
let thread: EvaluatorThread
let said: string[]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-thread-'))
  writeFileSync(join(folder, 'worker.cjs'), WORKER)
  said = []
  thread = begin('worker.cjs')
})
afterEach(async () => {
  await thread.stop()
  rmSync(folder, { recursive: true })
})

const LONG_MS = 30_000
const SHORT_MS = 50

/** The short time for a sign of life is only for a thread in an endless loop; other threads are just slow. */
function begin(file: string, signOfLifeMs = LONG_MS, idleMs = LONG_MS): EvaluatorThread {
  const limits = { heapMaxMb: 32, signOfLifeMs, idleMs }
  return startEvaluatorThread(join(folder, file), (line) => said.push(line), limits)
}

async function ask(action: string, waitMs = LONG_MS): Promise<string> {
  const result = await thread.ask(Buffer.from(action), 0, waitMs)
  return typeof result === 'string' ? result : Buffer.from(result).toString()
}

it('a thread answers every request, and its messages go to the log', async () => {
  expect(await Promise.all(['answer', 'tell', 'answer'].map((action) => ask(action)))).toEqual(
    Array(3).fill('answer'),
  )
  expect(said).toEqual(['told'])
})

it('a thread without requests ends, not one that is still asked, and the next request gets a new one', async () => {
  expect(await ask('name')).toBe(await ask('name'))
  thread = begin('worker.cjs', LONG_MS, 200)
  const first = await ask('name')
  const meanwhile = ask('wait', 1_000)
  await sleep(500)
  expect(await ask('name')).toBe(first)
  expect(await meanwhile).toBe('late')
  await vi.waitFor(async () => {
    await sleep(400)
    expect(await ask('name')).not.toBe(first)
  }, LONG_MS)
})

describe('a request is lost if its thread dies, and the next one gets a new thread', () => {
  it.each(['exit', 'throw', 'reject', 'allocate'])('if the thread dies by %s', async (action) => {
    const meanwhile = ask('wait')
    expect(await ask(action)).toBe('lost')
    expect(await meanwhile).toBe('lost')
    expect(await ask('answer')).toBe('answer')
  })

  it('if the thread dies five times in a row', async () => {
    for (let round = 0; round < 5; round += 1) expect(await ask('exit')).toBe('lost')
    expect(await ask('answer')).toBe('answer')
  })
})

it('a thread in an endless loop is late, then ended; the next request gets a new thread', async () => {
  thread = begin('worker.cjs', 1_000)
  expect(await ask('spin', SHORT_MS)).toBe('late')
  // A request that arrives meanwhile is lost with the thread that could not have answered.
  expect(await ask('answer')).toBe('lost')
  expect(await ask('answer')).toBe('answer')
  expect(said).toEqual(['the evaluator does not answer and is replaced'])
})

it('a slow thread is late and keeps running', async () => {
  await ask('answer')
  const meanwhile = ask('wait', 4 * SHORT_MS)
  expect(await ask('wait', SHORT_MS)).toBe('late')
  expect(await ask('answer')).toBe('answer')
  expect(await meanwhile).toBe('late')
  expect(said).toEqual([])
})

it('an answer without a request is ignored', async () => {
  await ask('answer')
  expect(await ask('unrequested', SHORT_MS)).toBe('late')
  expect(await ask('answer')).toBe('answer')
})

it('a missing program loses every request and does not hang', async () => {
  thread = begin('missing.cjs')
  expect(await ask('answer')).toBe('lost')
  expect(await ask('answer')).toBe('lost')
  writeFileSync(join(folder, 'missing.cjs'), WORKER)
  expect(await ask('answer')).toBe('answer')
})
