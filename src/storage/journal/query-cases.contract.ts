import type { JournalRecord, Query } from './store.ts'

/** Records and queries that every store of records must answer alike, on a machine and in a central database. */
export const KEPT: readonly Partial<JournalRecord>[] = [
  {
    id: 'r1',
    at: '2026-01-01T00:00:00.000Z',
    session: 's1',
    tool: 'Bash',
    effect: 'deny',
    because: ['h1', 'h2'],
  },
  { id: 'r2', at: '2026-01-02T00:00:00.000Z', session: 's1', agent: 'a1', tool: 'Read' },
  { id: 'r3', at: '2026-01-03T00:00:00.000Z', session: 's2', event: 'Stop', failed: ['h2'] },
  {
    id: 'r4',
    at: '2026-01-04T00:00:00.000Z',
    session: 's2',
    project: '/q',
    because: ['h22'],
    effect: 'ask',
  },
]

export const QUERY_CASES: readonly (readonly [Query, readonly string[]])[] = [
  [{}, ['r1', 'r2', 'r3', 'r4']],
  [{ limit: 2 }, ['r3', 'r4']],
  [{ limit: 0 }, []],
  [{ limit: 99 }, ['r1', 'r2', 'r3', 'r4']],
  [{ session: 's1' }, ['r1', 'r2']],
  [{ session: 's1', limit: 1 }, ['r2']],
  [{ agent: 'a1' }, ['r2']],
  [{ agent: 'main' }, ['r1', 'r3', 'r4']],
  [{ event: 'Stop' }, ['r3']],
  [{ tool: 'Bash' }, ['r1']],
  [{ effect: 'ask' }, ['r4']],
  [{ hook: 'h2' }, ['r1', 'r3']],
  [{ hook: 'h' }, []],
  [{ project: '/q' }, ['r4']],
  [{ since: '2026-01-03T00:00:00.000Z' }, ['r3', 'r4']],
  [{ since: '2026-01-04' }, ['r4']],
  [{ after: 2 }, ['r3', 'r4']],
  [{ after: 1, session: 's1' }, ['r2']],
  [{ after: 4 }, []],
  [{ session: 'nobody' }, []],
  [{ session: 's1', effect: 'ask' }, []],
]
