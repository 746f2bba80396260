import { describe, expect, it } from 'vitest'
import type { Answer } from '../../../core/decision.ts'
import type { Facts } from '../../../core/facts.ts'
import type { JsonObject } from '../../../core/json.ts'
import { actorOf, eventOf, frozenFacts } from '../../../library/testing/events.ts'
import { sessionStart } from './session-start.ts'

const pad = (path: string, text: string) => ({ [`/srv/project/.claude/scratchpad/${path}`]: text })
const lines = (count: number, word = 'line') =>
  Array.from({ length: count }, (_, i) => `${word} ${i + 1}`).join('\n')

interface Around {
  readonly files?: Readonly<Record<string, string>>
  readonly facts?: Partial<Facts>
  readonly options?: JsonObject
  readonly memory?: JsonObject
}

async function answer(source: string, { files = {}, facts = {}, options = {}, memory }: Around = {}) {
  const event = eventOf('SessionStart', { source })
  const around = frozenFacts({ files, recentCommits: async () => [], ...facts })
  return (await sessionStart.check({
    event,
    actor: actorOf(event),
    facts: around,
    options,
    memory,
  })) as Answer | null
}
const text = async (around: Around, source = 'startup') =>
  ((await answer(source, around))?.context ?? []).map((each) => each.text).join('\n')

describe('a new session', () => {
  const files = {
    ...pad('coordinator/2026-01-13.md', 'old'),
    ...pad('coordinator/2026-01-14.md', lines(30, 'plan')),
    ...pad('ego/2026-01-10.md', lines(22, 'doubt')),
  }
  const recentCommits = async (count: number) =>
    Array.from({ length: count }, (_, i) => `abc000${i} change ${i}`)

  it('receives the newest coordinator entry, the newest assessment and the last commits (R-003-06, R-003-14)', async () => {
    const told = await answer('startup', { files, facts: { recentCommits } })
    expect(told?.effect).toBe('pass')
    expect(told?.context).toHaveLength(1)
    expect(told?.context?.[0]).toMatchObject({ to: 'self' })
    expect(await text({ files, facts: { recentCommits } })).toBe(
      [
        `## Latest coordinator scratchpad (.claude/scratchpad/coordinator/2026-01-14.md)\n\n${lines(25, 'plan')}\n(5 more lines)`,
        `## Latest ego assessment (.claude/scratchpad/ego/2026-01-10.md)\n\n${lines(20, 'doubt')}\n(2 more lines)`,
        `## Recent commits\n\n${(await recentCommits(5)).join('\n')}`,
      ].join('\n\n'),
    )
  })

  it.each([
    ['R-003-11', 'coordinator', 25],
    ['R-003-12', 'ego', 20],
  ])('%s: receives the newest entry of the %s, at most %i lines', async (_id, agent, max) => {
    const shown = async (count: number) => {
      const newest = pad(`${agent}/2026-01-14.md`, `${lines(count)}\n\n`)
      const told = await text({ files: { ...pad(`${agent}/2026-01-13.md`, 'older'), ...newest } })
      return told.split('\n').slice(2)
    }
    expect(await shown(max)).toEqual(lines(max).split('\n'))
    expect(await shown(max + 1)).toEqual([...lines(max).split('\n'), '(1 more line)'])
  })

  it('receives five commits (R-003-13)', async () => {
    let asked = 0
    const facts = {
      recentCommits: async (count: number) => {
        asked = count
        return ['abc0001 first']
      },
    }
    expect(await text({ facts })).toBe('## Recent commits\n\nabc0001 first')
    expect(asked).toBe(5)
  })

  it('receives nothing if nothing was written', async () => {
    expect(await answer('startup')).toBeNull()
  })

  it('is assumed if the event does not say how the session started', async () => {
    expect(await text({ files }, '')).toContain('plan 1')
  })

  it('treats the entry with the highest date as the newest, and ignores other files', async () => {
    const others = { ...pad('coordinator/notes.md', 'no'), ...pad('coordinator/2026-1-99.md', 'no') }
    expect(await text({ files: { ...files, ...others } })).not.toContain('no\n')
  })
})

describe('any other session start', () => {
  it.each(['resume', 'compact', 'clear'])('%s receives nothing (R-003-07)', async (source) => {
    expect(await answer(source, { files: pad('coordinator/2026-01-14.md', 'plan') })).toBeNull()
  })

  it('receives context if the option is set (K-14)', async () => {
    const around = {
      files: pad('coordinator/2026-01-14.md', 'plan'),
      options: { sources: ['startup', 'clear'] },
    }
    expect(await text(around, 'clear')).toContain('plan')
    expect(await text(around, 'resume')).toBe('')
  })
})

describe('an unreadable entry', () => {
  const closed = { kind: 'closed', sizeBytes: 0, modifiedMs: 0 } as const

  it.each([
    ['missing', {}],
    ['empty', { readText: async () => '  \n' }],
    ['binary', { readText: async () => 'a\0b' }],
    ['huge or unreadable', { readText: async () => undefined }],
    ['closed', { stat: async () => closed }],
    ['a folder', { stat: async () => ({ ...closed, kind: 'folder' as const }) }],
    ['elsewhere', { realpath: (path: string) => (path.endsWith('.md') ? '/etc/passwd' : path) }],
  ])('is left out: %s', async (name, facts) => {
    const files = name === 'missing' ? {} : pad('coordinator/2026-01-14.md', 'plan')
    expect(await text({ files, facts })).toBe('')
  })

  it('does not hide the entry before it', async () => {
    const files = { ...pad('coordinator/2026-01-14.md', ''), ...pad('coordinator/2026-01-13.md', 'plan') }
    expect(await text({ files })).toContain('plan')
  })
})

it('the context of a session start fits into what an agent reads at once, with every part', async () => {
  const files = {
    ...pad('coordinator/2026-01-14.md', 'x'.repeat(50_000)),
    ...pad('ego/2026-01-14.md', 'short'),
  }
  const told = await text({ files, facts: { recentCommits: async () => ['abc0001 first'] } })
  expect(told.length).toBeLessThanOrEqual(9_000)
  expect(told).toContain('(shortened because it is too long)')
  expect(told).toContain('short')
  expect(told).toContain('abc0001 first')
})

describe('the start of a session', () => {
  const kept = { 'contracts/began': { atMs: 5, date: '2026-01-10' } }
  it('is remembered, but a compaction is not a start', async () => {
    const began = [{ op: 'set', key: 'contracts/began', value: { atMs: 1768478400000, date: '2026-01-15' } }]
    expect(await answer('startup', { memory: {} })).toEqual({ effect: 'pass', remember: began })
    expect(await answer('resume', { memory: kept })).toEqual({ effect: 'pass', remember: began })
    expect(await answer('compact', { memory: kept })).toBeNull()
    expect(await answer('compact', { memory: {} })).toEqual({ effect: 'pass', remember: began })
  })
})

it('is not any other event', async () => {
  const event = eventOf('Stop', { stopHookActive: false })
  const around = { event, actor: actorOf(event), facts: frozenFacts(), options: {}, memory: {} }
  expect(await sessionStart.check(around)).toBeNull()
})
