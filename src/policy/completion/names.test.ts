import { describe, expect, it } from 'vitest'
import { actorOf, eventOf, frozenFacts } from '../../library/testing/events.ts'
import { asFolder, localDate, pathsFrom, placeholdersOf } from './names.ts'

describe('the name of an agent in a path', () => {
  it.each([
    ['spec-writer', 'spec-writer'],
    ['plugin:writer', 'plugin-writer'],
    ['team/writer', 'team-writer'],
    ['Writer_2.0', 'Writer_2.0'],
    ['../../etc', '..-..-etc'],
    ['..', undefined],
    ['.', undefined],
    ['', undefined],
    ['a writer', undefined],
    ['writer\n', undefined],
    ['écrivain', undefined],
    ['a\0b', undefined],
    ['..\\..', undefined],
    ['x'.repeat(129), undefined],
  ])('%j becomes the folder %j', (name, folder) => {
    expect(asFolder(name)).toBe(folder)
  })
})

describe('paths with placeholders', () => {
  const names = { agentType: 'writer', session: 's1', dates: ['2026-01-16', '2026-01-15'] }

  it("have the placeholders filled in, today's date first", () => {
    expect(pathsFrom('notes/{agent_type}/{session}/{date}.md', names)).toEqual([
      'notes/writer/s1/2026-01-16.md',
      'notes/writer/s1/2026-01-15.md',
    ])
    expect(pathsFrom('notes/{agent_type}.md', names)).toEqual(['notes/writer.md'])
  })

  it('are unknown if a name they need is unknown', () => {
    expect(pathsFrom('notes/{agent_type}.md', { dates: [] })).toBeUndefined()
    expect(pathsFrom('notes/{session}.md', { dates: [] })).toBeUndefined()
    expect(pathsFrom('notes.md', { dates: [] })).toEqual(['notes.md'])
  })

  it('also use the date of the start if midnight came between (K-24)', () => {
    const event = eventOf('Stop', { agentType: 'writer' })
    const dates = (start: string | undefined) =>
      placeholdersOf(event, actorOf(event), frozenFacts(), start).dates
    expect(dates('2026-01-14')).toEqual(['2026-01-15', '2026-01-14'])
    expect(dates('2026-01-15')).toEqual(['2026-01-15'])
    expect(dates(undefined)).toEqual(['2026-01-15'])
  })
})

describe('the date', () => {
  const at = (time: string, TZ?: string) =>
    localDate({ now: () => new Date(time), env: TZ === undefined ? {} : { TZ } })

  it.each([
    ['2026-01-15T23:30:00Z', 'UTC', '2026-01-15'],
    ['2026-01-15T23:30:00Z', 'Asia/Tokyo', '2026-01-16'],
    ['2026-01-15T02:30:00Z', 'America/New_York', '2026-01-14'],
    ['2026-01-15T23:30:00Z', ':Europe/Berlin', '2026-01-16'],
  ])('at %s in %s is %s', (time, zone, date) => {
    expect(at(time, zone)).toBe(date)
  })

  it('is the local date of this machine if the caller gives no valid time zone', () => {
    const noon = new Date('2026-01-15T12:00:00Z')
    const here = [noon.getFullYear(), noon.getMonth() + 1, noon.getDate()].map((n) =>
      String(n).padStart(2, '0'),
    )
    for (const zone of [undefined, '', 'Nowhere/Land', '<x>y']) {
      expect(at('2026-01-15T12:00:00Z', zone)).toBe(here.join('-'))
    }
  })
})
