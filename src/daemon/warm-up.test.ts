import { AsyncLocalStorage } from 'node:async_hooks'
import processes from 'node:child_process'
import { existsSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { expect, it, vi } from 'vitest'
import { warmUp } from './warm-up.ts'

const STARTERS = ['spawn', 'spawnSync', 'execFile', 'execFileSync', 'exec', 'execSync', 'fork'] as const

/** What is started by `act` itself: calls that other tests of this process left behind go on, and do not count. */
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

it('judges, starts nothing, keeps nothing, and ends by itself', async () => {
  let turns = 0
  // A clock that passes the limit after some turns: a slow machine is let go.
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
