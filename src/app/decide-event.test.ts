import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { Runner } from '../core/handler.ts'
import { bash, frozenFacts } from '../library/testing/events.ts'
import { hookOf } from '../library/testing/hooks.ts'
import { createMemoryState } from '../storage/state/memory-state.ts'
import { decideEvent, type EventContext } from './decide-event.ts'

const project = realpathSync(mkdtempSync(join(tmpdir(), 'holdpoint-decide-')))
afterAll(() => rmSync(project, { recursive: true, force: true }))

/** Passes the first call, then denies; requests a file and a note at each. */
const once =
  (name: string): Runner =>
  ({ memory }) => ({
    effect: memory?.seen === true ? 'deny' : 'pass',
    remember: [{ op: 'set', key: 'seen', value: true }],
    files: [{ path: `${name}.txt`, text: 'written' }],
    notes: [{ kind: 'create', path: `${name}.note`, text: 'noted' }],
  })

const contextOf = (runner: Runner, more: Partial<EventContext> = {}): EventContext => ({
  engine: { hooks: [hookOf({})], match: () => [0], runners: [runner] },
  state: createMemoryState(),
  facts: frozenFacts({ project, cwd: project }),
  maskers: [],
  stopBlocksMax: 3,
  now: () => performance.now(),
  ...more,
})

describe('what a decided event saves', () => {
  it.each<[NonNullable<EventContext['keeps']>, effects: readonly string[], written: boolean]>([
    ['everything', ['pass', 'deny'], true],
    ['state', ['pass', 'deny'], false],
    ['nothing', ['pass', 'pass'], false],
  ])('depends on `keeps`: %s', async (keeps, effects, written) => {
    const context = contextOf(once(keeps), { keeps })
    const calls = ['call-1', 'call-2'].map((useId) =>
      bash('ls', { tool: { name: 'Bash', input: {}, useId } }),
    )
    const decided = []
    for (const call of calls) decided.push((await decideEvent(call, context)).decision.effect)
    expect(decided).toEqual(effects)
    expect(existsSync(join(project, `${keeps}.txt`))).toBe(written)
    expect(existsSync(join(project, `${keeps}.note`))).toBe(written)
  })
})

it('no promise is returned if no hook returns one', () => {
  const sync = decideEvent(bash('ls'), contextOf(once('sync')))
  expect(sync).not.toBeInstanceOf(Promise)
  expect(sync).toMatchObject({ decision: { effect: 'pass' }, repeated: false })
  const later = decideEvent(
    bash('ls'),
    contextOf(async () => null),
  )
  expect(later).toBeInstanceOf(Promise)
})

it('every hook run is traced, even if the hook has no opinion', async () => {
  const traced: unknown[] = []
  const context = contextOf(() => null)
  await decideEvent(bash('ls'), {
    ...context,
    trace: (hookIndex, outcome) => traced.push([hookIndex, outcome]),
  })
  expect(traced).toEqual([[0, null]])
})
