import type { Answer } from '../../src/core/decision.ts'
import { bash } from '../../src/library/testing/events.ts'
import { type CallableHook, engineOf } from '../../src/library/testing/hooks.ts'
import { deciderOf } from './decider.ts'
import type { Dimension } from './dimension.ts'

const elsewhere = (i: number): CallableHook => ({
  run: () => undefined,
  match: { subject: { kind: 'names', names: [`Tool${i}`] } },
})
const elsewhereByPattern = (i: number): CallableHook => ({
  run: () => undefined,
  match: { subject: { kind: 'glob', globs: [`mcp__server${i}__*`] } },
})
const silent = (): CallableHook => ({ run: () => undefined })
const silentLater = (): CallableHook => ({ run: async () => undefined })
const denying = (i: number): CallableHook => ({
  run: (): Answer => ({ effect: 'deny', reason: `Reason ${i}.`, remember: [] }),
})
const remembering = (i: number): CallableHook => ({
  run: (): Answer => ({ effect: 'pass', remember: [{ op: 'set', key: `key-${i}`, value: i }] }),
})

const CURVES = [
  ['hooks-elsewhere', 'decide a call that no hook is for, by name', 'flat', elsewhere, 'pass'],
  ['hooks-patterns', 'decide a call that no hook is for, by pattern', 'flat', elsewhereByPattern, 'pass'],
  ['hooks-silent', 'decide a call that every hook lets pass', 'linear', silent, 'pass'],
  ['hooks-later', 'decide a call that every hook lets pass, later', 'linear', silentLater, 'pass'],
  ['hooks-remember', 'decide a call at which every hook remembers something', 'linear', remembering, 'pass'],
  ['hooks-deny', 'decide a call that every hook denies', 'linear', denying, 'deny'],
] as const

export const hookDimensions: readonly Dimension[] = CURVES.map(([id, does, law, hookOf, expected]) => ({
  id,
  does,
  unit: 'hooks',
  law,
  counts: 'steps',
  sizes: [10, 100, 1_000],
  more: [10_000],
  async prepare(size) {
    const { engine } = await engineOf(Array.from({ length: size }, (_, i) => hookOf(i)))
    const decide = deciderOf(engine)
    const call = (session: string) => decide(bash('ls', { session }), expected)
    return { warmUp: () => call('before'), run: () => call('now') }
  },
}))
