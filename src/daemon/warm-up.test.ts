import { AsyncLocalStorage } from 'node:async_hooks'
import processes from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type Home, homeLayout } from '../system/home.ts'
import { createDispatcher, type Dispatcher } from './dispatcher.ts'
import { evaluateInlineFirst } from './inline-evaluator.ts'
import { createWarmUp } from './warm-up.ts'

const STARTERS = ['spawn', 'spawnSync', 'execFile', 'execFileSync', 'exec', 'execSync', 'fork'] as const

/** Only calls made by `act` count; calls left over from other tests of this process are ignored. */
async function startedBy(act: () => Promise<void>): Promise<readonly string[]> {
  const inside = new AsyncLocalStorage<true>()
  const started: string[] = []
  for (const name of STARTERS) {
    const start = processes[name] as (...args: unknown[]) => unknown
    const noting = (...args: unknown[]) => {
      if (inside.getStore()) started.push(name)
      return start(...args)
    }
    vi.spyOn(processes, name).mockImplementation(noting as never)
  }
  syncBuiltinESMExports()
  try {
    await inside.run(true, act)
  } finally {
    vi.restoreAllMocks()
    syncBuiltinESMExports()
  }
  return started
}

let run: string

beforeEach(() => {
  run = mkdtempSync(join(tmpdir(), 'hp-warm-'))
})
afterEach(() => {
  rmSync(run, { recursive: true })
})

/** A clock that reaches the limit after some turns: the warm-up ends early on a slow machine. */
function fastClock() {
  let turns = 0
  return () => {
    turns += 1
    return turns * 40
  }
}

it('goes the way of real calls, starts nothing, counts and keeps nothing, and ends by itself', async () => {
  const warmUp = createWarmUp(fastClock())
  const others = { ask: async () => 'lost' as const, ready: async () => undefined, stop: async () => {} }
  const evaluated: string[] = []
  const watchdog = { begin: () => evaluated.push('one'), end: () => {} }
  const folders: string[] = []
  const at = (home: Home) => {
    folders.push(home.folder)
    return warmUp.at(home)
  }
  const dispatcher = createDispatcher({
    thread: evaluateInlineFirst(others, watchdog, () => {}, at),
    isUncounted: warmUp.isOwnCall,
    closed: () => undefined,
    status: () => ({}),
    stop: () => {},
  })
  const replies: string[] = []
  const answer: Dispatcher['answer'] = async (...asked) => {
    const reply = await dispatcher.answer(...asked)
    if (reply !== undefined) replies.push(Buffer.from(reply).toString())
    return reply
  }
  const started = await startedBy(() => warmUp.begin(answer))
  expect(evaluated.length).toBeGreaterThan(100)
  // A call that is only refused would make nothing but refusals fast.
  expect(replies.filter((reply) => reply.includes('could not be judged'))).toEqual([])
  expect(replies.filter((reply) => reply.includes('"deny"')).length).toBeGreaterThan(0)
  expect(started).toEqual([])
  expect(dispatcher.counts).toEqual({ answered: 0, late: 0, lost: 0, open: 0 })
  expect(folders.filter((folder) => existsSync(folder))).toEqual([])
  expect(warmUp.isOwnCall(['claude-code', '--home', join(run, 'home')])).toBe(false)
})

it('ends at once if nobody answers', async () => {
  let asked = 0
  const answer = () => {
    asked += 1
    return undefined
  }
  await createWarmUp(fastClock()).begin(answer)
  expect(asked).toBe(1)
})

it('removes what a killed daemon left behind, and nothing of one that is warming up', async () => {
  const old = mkdtempSync(join(tmpdir(), 'holdpoint-warm-up-'))
  const young = mkdtempSync(join(tmpdir(), 'holdpoint-warm-up-'))
  mkdirSync(join(old, 'home'))
  utimesSync(old, 0, 0)
  await createWarmUp(fastClock()).begin(() => undefined)
  expect([old, young].map((path) => existsSync(path))).toEqual([false, true])
  rmSync(young, { recursive: true })
})

it('leaves the home of a user as it is', async () => {
  const home = homeLayout(join(run, 'home'), {})
  expect(createWarmUp(fastClock()).at(home)).toBe(home)
})
