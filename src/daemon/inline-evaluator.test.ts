import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { monotonicMs } from '../system/clock.ts'
import type { EvaluatorThread } from './evaluator-thread.ts'
import { evaluateInlineFirst } from './inline-evaluator.ts'
import { decodeReply, encodeReply, encodeRequest } from './protocol.ts'

let home: string
let passedOn: number
let turns: string[]
let thread: EvaluatorThread
/** The first request loads all code. */
const LONG_MS = 200_000
const ELSEWHERE = encodeReply({ stdout: 'elsewhere', stderr: '', exitCode: 0 })

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'holdpoint-here-'))
  passedOn = 0
  turns = []
  const others: EvaluatorThread = {
    ask: async () => {
      passedOn += 1
      return ELSEWHERE
    },
    ready: async () => undefined,
    stop: async () => {},
  }
  const watchdog = { begin: () => turns.push('begin'), end: () => turns.push('end') }
  thread = evaluateInlineFirst(others, watchdog, () => {})
})
afterEach(() => rmSync(home, { recursive: true }))

function frame(command: string): Buffer {
  const payload = {
    session_id: 's',
    cwd: '/',
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command },
  }
  const argv = ['claude-code', '--home', home, '--event', 'PreToolUse']
  return encodeRequest({ argv, cwd: '/', env: {}, input: Buffer.from(JSON.stringify(payload)), elapsedMs: 0 })
}

const said = (result: Uint8Array | 'late' | 'lost') =>
  typeof result === 'string' ? result : decodeReply(Buffer.from(result))?.stdout

describe('the inline evaluator', () => {
  it('answers, is watched meanwhile, and stores the record afterwards', async () => {
    expect(said(await thread.ask(frame('git push --force'), monotonicMs(), LONG_MS))).toContain('"deny"')
    expect(turns).toEqual(['begin', 'end'])
    await new Promise(setImmediate)
    expect(existsSync(join(home, 'journal', 'spool.jsonl'))).toBe(true)
    expect(passedOn).toBe(0)
  })

  it('passes on requests that arrive while it is busy', async () => {
    const first = thread.ask(frame('ls'), monotonicMs(), LONG_MS)
    expect(said(await thread.ask(frame('ls'), monotonicMs(), LONG_MS))).toBe('elsewhere')
    expect(said(await first)).toBe('{}\n')
    expect(passedOn).toBe(1)
  })

  it('evaluates again in the next turn of the event loop', async () => {
    for (let i = 0; i < 10; i += 1) {
      expect(said(await thread.ask(frame('ls'), monotonicMs(), LONG_MS))).toBe('{}\n')
      await new Promise(setImmediate)
    }
    expect(passedOn).toBe(0)
  })

  it('answers `late` when the time is over', async () => {
    const [go, spool] = [join(home, 'go'), join(home, 'journal', 'spool.jsonl')]
    const command = `until [ -e ${go} ]; do sleep 0.02; done`
    const config = { version: 1, hooks: { PreToolUse: [{ match: '*', run: { command } }] } }
    writeFileSync(join(home, 'config.yaml'), JSON.stringify(config))
    expect(await thread.ask(frame('ls'), monotonicMs(), 300)).toBe('late')
    expect(turns).toEqual(['begin', 'end'])
    // The program must end before the next test begins.
    writeFileSync(go, '')
    while (!existsSync(spool)) await new Promise((resolve) => setTimeout(resolve, 20))
  })

  it('answers `lost` to a request that it cannot read, and continues', async () => {
    expect(await thread.ask(Buffer.alloc(3), monotonicMs(), LONG_MS)).toBe('lost')
    expect(said(await thread.ask(frame('ls'), monotonicMs(), LONG_MS))).toBe('{}\n')
  })
})
