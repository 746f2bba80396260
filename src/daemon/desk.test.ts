import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Problem } from '../errors.ts'
import { createDesk, type Desk } from './desk.ts'
import type { EvaluatorThread } from './evaluator-thread.ts'
import { decodeReply, encodeReply, encodeRequest } from './protocol.ts'

let home: string
let asked: number[]
let stopped: boolean
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'holdpoint-desk-'))
  asked = []
  stopped = false
})
afterEach(() => {
  vi.restoreAllMocks()
  rmSync(home, { recursive: true })
})

type Outcome = Awaited<ReturnType<EvaluatorThread['ask']>>
const ANSWER = encodeReply({ stdout: 'answer', stderr: '', exitCode: 0 })

/** A desk whose thread answers with these, one after the other; it notes how long it was given. */
function deskWith(outcomes: readonly Outcome[], closed?: Problem): Desk {
  const left = [...outcomes]
  return createDesk({
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

const order = (word: string) =>
  encodeRequest({ argv: [word], cwd: '/', env: {}, input: Buffer.alloc(0), elapsedMs: 0 })
const said = (bytes: Uint8Array | undefined) =>
  bytes === undefined ? undefined : decodeReply(Buffer.from(bytes))
const spool = () => readFileSync(join(home, 'journal', 'spool.jsonl'), 'utf8')

describe('the desk', () => {
  it('passes the answer on, and counts', async () => {
    const desk = deskWith([ANSWER, 'lost'])
    expect(await desk.answer(frame('PreToolUse'))).toBe(ANSWER)
    expect(await desk.answer(frame('PreToolUse'))).toBeUndefined()
    expect(desk.counts).toEqual({ answered: 1, late: 0, lost: 1, open: 0 })
    expect(existsSync(join(home, 'journal'))).toBe(false)
  })

  it.each([
    ['PreToolUse', 2],
    ['PermissionRequest', 2],
    ['Stop', 0],
    ['NoSuchEvent', 2],
  ])('late at %s: exit %i, and the record is kept', async (event, exitCode) => {
    const reply = said(await deskWith(['late']).answer(frame(event, ['--deadline-ms', '1000'])))
    expect(reply?.exitCode).toBe(exitCode)
    expect(`${reply?.stdout}${reply?.stderr}`).toContain('No decision within 1000 ms')
    expect(spool()).toContain('INPUT_TIMEOUT')
  })

  it('gives the thread what the caller has left, less a margin, and never less than nothing', async () => {
    // No time passes while the desk looks at its clock.
    vi.spyOn(process, 'hrtime').mockReturnValue([1_000, 0])
    const desk = deskWith([ANSWER, ANSWER, ANSWER])
    await desk.answer(frame('PreToolUse', ['--deadline-ms', '8000'], 1_000))
    await desk.answer(frame('PreToolUse', ['--deadline-ms', '80'], 0))
    await desk.answer(frame('PreToolUse', ['--deadline-ms', '8000'], 60_000))
    expect(asked).toEqual([6_500, 70, 0])
  })

  it('a caller who cannot ask itself gets an answer at the second try, or the last resort', async () => {
    expect(await deskWith(['lost', ANSWER]).answerAnyway(frame('PreToolUse'))).toBe(ANSWER)
    const stopped = said(await deskWith(['lost', 'lost']).answerAnyway(frame('PreToolUse')))
    expect(stopped).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('[INTERNAL]') })
    expect(said(await deskWith(['lost', 'lost']).answerAnyway(frame('Stop')))).toMatchObject({ exitCode: 0 })
  })

  it('lets no prompt start a turn while the port is taken, and asks nobody about it', async () => {
    const desk = deskWith([ANSWER], { code: 'HTTP_PORT_TAKEN', message: 'Taken.' })
    expect(said(await desk.answer(frame('UserPromptSubmit')))).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('[HTTP_PORT_TAKEN]'),
    })
    expect(asked).toEqual([])
    expect(await desk.answer(frame('PreToolUse'))).toBe(ANSWER)
  })

  it('takes orders, which count as no use', async () => {
    const desk = deskWith([])
    const before = desk.usedMs()
    expect(said(await desk.answer(order('#status')))).toEqual({
      stdout: '{"pid":1}\n',
      stderr: '',
      exitCode: 0,
    })
    expect(said(await desk.answer(order('#stop')))).toMatchObject({ exitCode: 0 })
    await new Promise(setImmediate)
    expect([stopped, desk.usedMs(), desk.counts.answered]).toEqual([true, before, 0])
  })
})
