import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Problem } from '../core/errors.ts'
import { createDispatcher, type Dispatcher } from './dispatcher.ts'
import type { EvaluatorThread } from './evaluator-thread.ts'
import { decodeReply, encodeReply, encodeRequest } from './protocol.ts'

let home: string
let asked: number[]
let stopped: boolean
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'holdpoint-dispatcher-'))
  asked = []
  stopped = false
})
afterEach(() => {
  vi.restoreAllMocks()
  rmSync(home, { recursive: true })
})

type Outcome = Awaited<ReturnType<EvaluatorThread['ask']>>
const ANSWER = encodeReply({ stdout: 'answer', stderr: '', exitCode: 0 })

/**
 * A dispatcher whose thread gives these answers, one after the other, and notes how much time it gets for each.
 */
function dispatcherWith(outcomes: readonly Outcome[], closed?: Problem): Dispatcher {
  const left = [...outcomes]
  return createDispatcher({
    thread: {
      ask: async (_frame, _receivedMs, waitMs) => {
        asked.push(waitMs)
        return left.shift() ?? 'lost'
      },
    },
    closed: async () => closed,
    status: () => ({ pid: 1 }),
    stop: () => {
      stopped = true
    },
  })
}

function frame(event: string, more: readonly string[] = [], elapsedMs = 0): Buffer {
  const argv = ['claude-code', '--home', home, '--event', event, ...more]
  return encodeRequest({ argv, cwd: '/', env: {}, input: Buffer.from('{}'), elapsedMs })
}

const control = (word: string) =>
  encodeRequest({ argv: [word], cwd: '/', env: {}, input: Buffer.alloc(0), elapsedMs: 0 })
const said = (bytes: Uint8Array | undefined) =>
  bytes === undefined ? undefined : decodeReply(Buffer.from(bytes))
const spool = () => readFileSync(join(home, 'journal', 'spool.jsonl'), 'utf8')

describe('the dispatcher', () => {
  it('passes the answer on and counts it', async () => {
    const dispatcher = dispatcherWith([ANSWER, 'lost'])
    expect(await dispatcher.answer(frame('PreToolUse'))).toBe(ANSWER)
    expect(await dispatcher.answer(frame('PreToolUse'))).toBeUndefined()
    expect(dispatcher.counts).toEqual({ answered: 1, late: 0, lost: 1, open: 0 })
    expect(existsSync(join(home, 'journal'))).toBe(false)
  })

  it.each([
    ['PreToolUse', 2],
    ['PermissionRequest', 2],
    ['Stop', 0],
    ['NoSuchEvent', 2],
  ])('answers %s with exit code %i if the thread is late, and keeps the record', async (event, exitCode) => {
    const reply = said(await dispatcherWith(['late']).answer(frame(event, ['--deadline-ms', '1000'])))
    expect(reply?.exitCode).toBe(exitCode)
    expect(`${reply?.stdout}${reply?.stderr}`).toContain('No decision within 1000 ms')
    expect(spool()).toContain('INPUT_TIMEOUT')
  })

  it("gives the thread the caller's remaining time minus a margin, and never a negative time", async () => {
    // No time passes while the dispatcher reads its clock.
    vi.spyOn(process, 'hrtime').mockReturnValue([1_000, 0])
    const dispatcher = dispatcherWith([ANSWER, ANSWER, ANSWER])
    await dispatcher.answer(frame('PreToolUse', ['--deadline-ms', '8000'], 1_000))
    await dispatcher.answer(frame('PreToolUse', ['--deadline-ms', '80'], 0))
    await dispatcher.answer(frame('PreToolUse', ['--deadline-ms', '8000'], 60_000))
    expect(asked).toEqual([6_500, 70, 0])
  })

  it('tries a second time for a caller that cannot decide by itself, then uses the last resort', async () => {
    expect(await dispatcherWith(['lost', ANSWER]).answerAnyway(frame('PreToolUse'))).toBe(ANSWER)
    const stopped = said(await dispatcherWith(['lost', 'lost']).answerAnyway(frame('PreToolUse')))
    expect(stopped).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('[INTERNAL]') })
    expect(said(await dispatcherWith(['lost', 'lost']).answerAnyway(frame('Stop')))).toMatchObject({
      exitCode: 0,
    })
  })

  it('blocks every prompt while another program has the port, and does not evaluate it', async () => {
    const dispatcher = dispatcherWith([ANSWER], { code: 'HTTP_PORT_TAKEN', message: 'Taken.' })
    expect(said(await dispatcher.answer(frame('UserPromptSubmit')))).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('[HTTP_PORT_TAKEN]'),
    })
    expect(asked).toEqual([])
    expect(await dispatcher.answer(frame('PreToolUse'))).toBe(ANSWER)
  })

  it('executes commands to the daemon, which do not count as use', async () => {
    const dispatcher = dispatcherWith([])
    const before = dispatcher.usedMs()
    expect(said(await dispatcher.answer(control('#status')))).toEqual({
      stdout: '{"pid":1}\n',
      stderr: '',
      exitCode: 0,
    })
    expect(said(await dispatcher.answer(control('#stop')))).toMatchObject({ exitCode: 0 })
    await new Promise(setImmediate)
    expect([stopped, dispatcher.usedMs(), dispatcher.counts.answered]).toEqual([true, before, 0])
  })
})
