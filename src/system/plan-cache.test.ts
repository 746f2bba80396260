import { mkdirSync, mkdtempSync, readdirSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { buildPlan } from '../handlers/plan.ts'
import { homeLayout } from './home.ts'
import { type CachedPlan, isPlanFresh, planCachePath, readCachedPlan, writeCachedPlan } from './plan-cache.ts'

let folder: string
const home = () => homeLayout(folder, { HOME: folder })
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-cache-'))
  mkdirSync(home().cache, { recursive: true })
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function write(key: string): string {
  const plan = buildPlan([], new Map())
  const cached: CachedPlan = { plan, broken: [], complete: true, lastGood: {}, stamps: [], key }
  const path = planCachePath(home().cache, key)
  writeCachedPlan(home(), path, cached)
  return path
}

/** `ageS` seconds old. */
function old(name: string, ageS: number, sizeBytes = 10): void {
  const path = join(home().cache, name)
  writeFileSync(path, '')
  truncateSync(path, sizeBytes)
  const at = Date.now() / 1_000 - ageS
  utimesSync(path, at, at)
}

const names = () => readdirSync(home().cache)

describe('cached plans', () => {
  it('are kept only for the newest folders', () => {
    for (let each = 0; each < 400; each += 1) old(`plan-${each.toString(16)}.json`, 10 + each)
    const path = write('mine')
    expect(names()).toHaveLength(300)
    expect(names()).toContain('plan-0.json')
    expect(names()).not.toContain('plan-18f.json')
    expect(readCachedPlan(home(), path, 'mine')?.key).toBe('mine')
  })

  it('are kept up to a total size', () => {
    for (let each = 0; each < 10; each += 1) old(`plan-${each}.json`, 10 + each, 30 * 1024 * 1024)
    write('mine')
    expect(names().filter((name) => /^plan-\d\.json$/.test(name))).toHaveLength(4)
  })

  it('that a killed process left incomplete are removed, but not one that is being written', () => {
    old('plan-a.json.12.abc.tmp', 2 * 60 * 60)
    old('plan-b.json.12.abc.tmp', 1)
    old('replay-c', 2 * 60 * 60)
    write('mine')
    expect(names().sort()).toEqual(expect.arrayContaining(['plan-b.json.12.abc.tmp', 'replay-c']))
    expect(names()).not.toContain('plan-a.json.12.abc.tmp')
  })
})

it.each([
  ['now', 0, true],
  ['a little later', 30_000, true],
  ['after its time', 60_000, false],
  ['after the clock was set back', -1_000, false],
])('a plan that is only kept for a while is used %s: %#', (_when, ageMs, isFresh) => {
  const kept = { fromMs: Date.now() - ageMs, forMs: 60_000 }
  expect(isPlanFresh({ stamps: [], kept })).toBe(isFresh)
})
