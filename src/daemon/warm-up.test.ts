import { AsyncLocalStorage } from 'node:async_hooks'
import processes from 'node:child_process'
import { existsSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { expect, it, vi } from 'vitest'
import { warmUp } from './warm-up.ts'

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

it('the warm-up evaluates, starts nothing, saves nothing, and ends by itself', async () => {
  let turns = 0
  // A clock that reaches the limit after some turns: the warm-up ends early on a slow machine.
  const started = await startedBy(() =>
    warmUp(() => {
      turns += 1
      return turns * 10
    }),
  )
  expect(turns).toBeGreaterThan(100)
  expect(started).toEqual([])
  expect(existsSync('/dev/null/holdpoint')).toBe(false)
})
