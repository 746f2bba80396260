import type { Answer } from '../../src/core/decision.ts'
import { bash } from '../../src/library/testing/events.ts'
import { engineOf } from '../../src/library/testing/hooks.ts'
import { createFileState } from '../../src/storage/state/file-state.ts'
import { deciderOf } from './decider.ts'
import type { Dimension } from './dimension.ts'

const remembering = {
  run: (): Answer => ({ effect: 'pass', remember: [{ op: 'count', key: 'calls', by: 1 }] }),
}
const call = (session: string, useId: number) =>
  bash('ls', { session, tool: { name: 'Bash', input: { command: 'ls' }, useId: `call-${useId}` } })
const named = (number: number) => `session-${String(number).padStart(8, '0')}`

/** A process that has met all of these sessions, or a new one that finds their files. */
async function among(size: number, folder: string) {
  const { engine } = await engineOf([remembering])
  const decide = deciderOf(engine, { state: createFileState(folder) })
  for (let i = 0; i < size; i += 1) await decide(call(named(i), 0))
  return { decide, fresh: () => deciderOf(engine, { state: createFileState(folder) }) }
}

const SIZES = { sizes: [10, 100, 1_000], more: [10_000] } as const

const inOneSession = (
  id: string,
  does: string,
  law: Pick<Dimension, 'law' | 'upTo' | 'counts'>,
): Dimension => ({
  ...{ id, does, unit: 'earlier calls', ...law },
  ...SIZES,
  async prepare(size, folder) {
    const { engine } = await engineOf([remembering])
    const decide = deciderOf(engine, { state: createFileState(folder) })
    for (let i = 0; i < size; i += 1) await decide(call('one', i))
    return { run: () => decide(call('one', size)) }
  },
})

export const sessionDimensions: readonly Dimension[] = [
  {
    id: 'sessions-kept',
    does: 'decide and remember a call of one of the sessions that a process has met',
    unit: 'sessions',
    law: 'flat',
    counts: 'steps',
    ...SIZES,
    async prepare(size, folder) {
      const { decide } = await among(size, folder)
      return { run: () => decide(call(named(size - 1), 1)) }
    },
  },
  {
    id: 'sessions-first',
    does: 'decide and remember a call of a session whose file the process has not read',
    unit: 'sessions',
    law: 'flat',
    counts: 'bytes',
    ...SIZES,
    async prepare(size, folder) {
      const { fresh } = await among(size, folder)
      return { run: () => fresh()(call(named(Math.floor(size / 2)), 1)) }
    },
  },
  inOneSession('session-length', 'write and read back the next call of one session', {
    law: 'flat',
    counts: 'bytes',
  }),
  // The calls that were answered are kept, in case the host sends one twice, and copied with each change of the state.
  inOneSession('session-memory', 'decide and remember the next call of one session, in memory', {
    law: 'linear',
    upTo: '2,000 calls',
    counts: 'steps',
  }),
]
