import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type EvaluatorThread, startEvaluatorThread } from './evaluator-thread.ts'

/** A thread that does what the frame says, where the real one would judge. */
const WORKER = `
const { parentPort } = require('node:worker_threads')
const deeds = {
  answer: (id) => parentPort.postMessage({ id, reply: Buffer.from('answer') }),
  exit: () => process.exit(0),
  throw: () => { throw new Error('thrown') },
  reject: async () => { throw new Error('rejected') },
  spin: () => { for (;;); },
  allocate: () => { const kept = []; for (;;) kept.push(new Array(1e5).fill(kept.length)) },
  wait: () => {},
  stranger: () => parentPort.postMessage({ id: 1e9, reply: Buffer.from('not yours') }),
  tell: (id) => { parentPort.postMessage({ trouble: 'told' }); deeds.answer(id) },
}
parentPort.on('message', ({ id, frame }) =>
  frame === undefined ? parentPort.postMessage({ id }) : deeds[Buffer.from(frame).toString()](id))
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

/** A short time to give a sign of life is for one that spins: any other is only slow. */
function begin(file: string, signOfLifeMs = LONG_MS): EvaluatorThread {
  return startEvaluatorThread(join(folder, file), (line) => said.push(line), { heapMaxMb: 32, signOfLifeMs })
}

async function ask(deed: string, waitMs = LONG_MS): Promise<string> {
  const result = await thread.ask(Buffer.from(deed), 0, waitMs)
  return typeof result === 'string' ? result : Buffer.from(result).toString()
}

it('answers', async () => {
  expect(await Promise.all(['answer', 'tell', 'answer'].map((deed) => ask(deed)))).toEqual(
    Array(3).fill('answer'),
  )
  expect(said).toEqual(['told'])
})

describe('a thread that dies is lost to whoever waits for it, and the next question finds a new one', () => {
  it.each(['exit', 'throw', 'reject', 'allocate'])('%s', async (deed) => {
    const beside = ask('wait')
    expect(await ask(deed)).toBe('lost')
    expect(await beside).toBe('lost')
    expect(await ask('answer')).toBe('answer')
  })

  it('again and again', async () => {
    for (let round = 0; round < 5; round += 1) expect(await ask('exit')).toBe('lost')
    expect(await ask('answer')).toBe('answer')
  })
})

it('one that spins is late, then ended, and the next question finds a new one', async () => {
  thread = begin('worker.cjs', 1_000)
  expect(await ask('spin', SHORT_MS)).toBe('late')
  // Whoever asks meanwhile loses the thread that could not have answered.
  expect(await ask('answer')).toBe('lost')
  expect(await ask('answer')).toBe('answer')
  expect(said).toEqual(['the evaluator does not answer and is replaced'])
})

it('one that is only slow is late and goes on', async () => {
  await ask('answer')
  const beside = ask('wait', 4 * SHORT_MS)
  expect(await ask('wait', SHORT_MS)).toBe('late')
  expect(await ask('answer')).toBe('answer')
  expect(await beside).toBe('late')
  expect(said).toEqual([])
})

it('an answer to nobody is nobody’s', async () => {
  await ask('answer')
  expect(await ask('stranger', SHORT_MS)).toBe('late')
  expect(await ask('answer')).toBe('answer')
})

it('a program that is not there loses every question and holds none', async () => {
  thread = begin('missing.cjs')
  expect(await ask('answer')).toBe('lost')
  expect(await ask('answer')).toBe('lost')
  writeFileSync(join(folder, 'missing.cjs'), WORKER)
  expect(await ask('answer')).toBe('answer')
})
