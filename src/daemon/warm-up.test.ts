import { existsSync } from 'node:fs'
import { expect, it, vi } from 'vitest'
import { warmUp } from './warm-up.ts'

it('judges, starts nothing, keeps nothing, and ends by itself', async () => {
  const spawned = vi.fn()
  vi.doMock('node:child_process', () => ({ spawn: spawned, spawnSync: spawned, execFile: spawned }))
  let turns = 0
  // A clock that passes the limit after some turns: a slow machine is let go.
  await warmUp(() => {
    turns += 1
    return turns * 10
  })
  expect(turns).toBeGreaterThan(100)
  expect(spawned).not.toHaveBeenCalled()
  expect(existsSync('/dev/null/holdpoint')).toBe(false)
})
