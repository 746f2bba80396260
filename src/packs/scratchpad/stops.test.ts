import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Answer } from '../../decision.ts'
import type { Event } from '../../event.ts'
import type { Facts } from '../../facts.ts'
import type { JsonObject } from '../../json.ts'
import { actorOf, eventOf } from '../../testing/events.ts'
import { liveFacts } from '../../world/live-facts.ts'
import type { Guard } from '../guard.ts'
import { stop } from './stop.ts'
import { subagentStop } from './subagent-stop.ts'

let folder: string
let project: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-scratchpad-'))
  project = join(folder, 'project')
  mkdirSync(project)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const at = (path: string) => join(project, '.claude/scratchpad', path)
const write = (path: string, text: string | Buffer) => {
  mkdirSync(dirname(at(path)), { recursive: true })
  writeFileSync(at(path), text)
}
const WHOLE = '## What I did\nx\n**Cross-agent observations:** none\n### unresolved\n'

interface Around {
  readonly memory?: JsonObject
  readonly options?: JsonObject
  readonly now?: string
  readonly facts?: Partial<Facts>
}

async function ask(
  guard: Guard,
  event: Event,
  { memory, options = {}, now = '2026-01-15T12:00:00Z', facts }: Around,
) {
  const live = liveFacts({ cwd: project, home: '/home/dev', project, env: { TZ: 'UTC' } })
  const around = { ...live, env: { TZ: 'UTC' }, now: () => new Date(now), ...facts }
  return (await guard.check({
    event,
    actor: actorOf(event),
    facts: around,
    options,
    memory,
  })) as Answer | null
}
const subStop = (agentType = 'spec-writer', active = false) =>
  eventOf('SubagentStop', { agentId: 'a1', agentType, stopHookActive: active })
const mainStop = (active = false) => eventOf('Stop', { stopHookActive: active })
const finish = (around: Around = {}, event: Event = subStop()) => ask(subagentStop, event, around)
const end = (around: Around = {}, event: Event = mainStop()) => ask(stop, event, around)

const INCOMPLETE =
  'Scratchpad missing or incomplete. Write to .claude/scratchpad/spec-writer/2026-01-15.md with all three required sections before completing.'
const UNWRITTEN =
  'Multi-agent delegation detected but no coordinator scratchpad for today. Write to .claude/scratchpad/coordinator/2026-01-15.md before ending session.'
const began = (atMs: number, date: string) => ({ 'contracts/began': { atMs, date } })

describe('a sub-agent that finishes', () => {
  it('without its entry is held, word for word (R-003-29, R-003-32, R-003-33)', async () => {
    expect(await finish()).toMatchObject({ effect: 'deny', reason: INCOMPLETE })
  })

  it('with one that lacks a section is held (R-003-30)', async () => {
    for (const heading of ['What I did', 'Cross-agent observations', 'unresolved']) {
      write('spec-writer/2026-01-15.md', WHOLE.replace(heading, 'Else'))
      expect(await finish()).toMatchObject({ effect: 'deny', reason: INCOMPLETE })
    }
  })

  it('with all of it goes (R-003-31)', async () => {
    write('spec-writer/2026-01-15.md', WHOLE)
    expect(await finish()).toBeNull()
  })

  it('is held by what its own text says under other options', async () => {
    const options = { folder: 'notes', headings: ['Done', 'Left'], limits: { minLines: 3 } }
    expect(await finish({ options })).toMatchObject({
      reason:
        'Scratchpad missing or incomplete. Write to notes/spec-writer/2026-01-15.md with both required sections before completing.',
    })
  })

  it.each([
    ['empty', () => write('spec-writer/2026-01-15.md', '')],
    ['huge', () => write('spec-writer/2026-01-15.md', WHOLE + 'x'.repeat(1024 * 1024))],
    ['binary', () => write('spec-writer/2026-01-15.md', Buffer.from([0, 1, 2, 255]))],
    ['a folder', () => mkdirSync(at('spec-writer/2026-01-15.md'), { recursive: true })],
    [
      'a link out of the project',
      () => {
        writeFileSync(join(folder, 'pad.md'), WHOLE)
        mkdirSync(at('spec-writer'), { recursive: true })
        symlinkSync(join(folder, 'pad.md'), at('spec-writer/2026-01-15.md'))
      },
    ],
    [
      'a link to nowhere',
      () => {
        mkdirSync(at('spec-writer'), { recursive: true })
        symlinkSync('nowhere', at('spec-writer/2026-01-15.md'))
      },
    ],
  ])('with an entry that is %s is held', async (_what, make) => {
    make()
    expect(await finish()).toMatchObject({ effect: 'deny', reason: INCOMPLETE })
  })

  it('with an entry nobody can read goes, and a person is told (R-003-34)', async () => {
    const closed = { kind: 'closed', sizeBytes: 0, modifiedMs: 0 } as const
    expect(await finish({ facts: { stat: async () => closed } })).toEqual({
      effect: 'pass',
      notices: ['.claude/scratchpad/spec-writer/2026-01-15.md cannot be read, so it counts as complete.'],
    })
  })

  it('past midnight may have written under the date it began (K-24)', async () => {
    write('spec-writer/2026-01-14.md', WHOLE)
    const now = '2026-01-15T00:10:00Z'
    expect(await finish({ now, memory: {} })).toMatchObject({ effect: 'deny' })
    expect(await finish({ now, memory: began(0, '2026-01-14') })).toBeNull()
  })

  it('is held three times, then let go with a notice; honours what the host says', async () => {
    const memory = { 'scratchpad/subagent-stop/held': 3 }
    expect(await finish({ memory }, subStop('spec-writer', true))).toMatchObject({
      effect: 'pass',
      notices: [expect.stringContaining('Scratchpad: Held 3 times, then let go')],
    })
    expect(
      await finish({ options: { limits: { blocks: 1 } }, memory: { 'scratchpad/subagent-stop/held': 1 } }),
    ).toMatchObject({ effect: 'pass' })
  })

  it('whose name can be no folder, or has none, goes', async () => {
    expect(await finish({}, subStop('x y'))).toMatchObject({ effect: 'pass', notices: [expect.any(String)] })
    expect(await finish({}, eventOf('SubagentStop', { agentId: 'a1', stopHookActive: false }))).toBeNull()
  })

  it('with a name that climbs is looked for inside', async () => {
    writeFileSync(join(folder, '2026-01-15.md'), WHOLE)
    expect(await finish({}, subStop('../../..'))).toMatchObject({
      reason: expect.stringContaining('.claude/scratchpad/..-..-../2026-01-15.md'),
    })
  })
})

describe('a session that ends', () => {
  it('without delegation goes (R-003-41, R-003-44)', async () => {
    expect(await end()).toBeNull()
    write('spec-writer/2026-01-14.md', WHOLE)
    expect(await end()).toBeNull()
  })

  it('after delegation is held until the coordinator wrote, word for word (R-003-36, R-003-39, R-003-42, R-003-43)', async () => {
    write('spec-writer/2026-01-15.md', 'whatever')
    expect(await end()).toMatchObject({ effect: 'deny', reason: UNWRITTEN })
    write('coordinator/2026-01-15.md', '')
    // R-003-45: that it is there is enough.
    expect(await end()).toBeNull()
  })

  it('does not take its own entry or the ego’s for a sign (R-003-40)', async () => {
    write('ego/2026-01-15.md', 'x')
    expect(await end()).toBeNull()
    write('coordinator/2026-01-14.md', 'x')
    expect(await end()).toBeNull()
  })

  it('does not take a folder, or what lies elsewhere, for an entry', async () => {
    mkdirSync(at('spec-writer/2026-01-15.md'), { recursive: true })
    expect(await end()).toBeNull()
    write('reviewer/2026-01-15.md', 'x')
    writeFileSync(join(folder, 'pad.md'), WHOLE)
    mkdirSync(at('coordinator'), { recursive: true })
    symlinkSync(join(folder, 'pad.md'), at('coordinator/2026-01-15.md'))
    expect(await end()).toMatchObject({ effect: 'deny' })
  })

  it('past midnight counts what was delegated, and written, before', async () => {
    const now = '2026-01-15T00:10:00Z'
    write('spec-writer/2026-01-14.md', 'x')
    expect(await end({ now, memory: began(0, '2026-01-14') })).toMatchObject({
      effect: 'deny',
      reason: UNWRITTEN,
    })
    write('coordinator/2026-01-14.md', 'x')
    expect(await end({ now, memory: began(0, '2026-01-14') })).toBeNull()
  })

  it('may count only what was written since it began', async () => {
    write('spec-writer/2026-01-15.md', 'x')
    utimesSync(at('spec-writer/2026-01-15.md'), 1_000, 1_000)
    const options = { sinceSession: true }
    expect(await end({ options, memory: began(5_000_000, '2026-01-15') })).toBeNull()
    expect(await end({ options, memory: began(1_000_000, '2026-01-15') })).toMatchObject({ effect: 'deny' })
    expect(await end({ options, memory: {} })).toMatchObject({ effect: 'deny' })
  })

  it('is not the end of a sub-agent under the same name', async () => {
    write('spec-writer/2026-01-15.md', 'x')
    expect(await end({}, eventOf('Stop', { agentId: 'a1', stopHookActive: false }))).toBeNull()
  })

  it('is held three times, then let go with a notice', async () => {
    write('spec-writer/2026-01-15.md', 'x')
    const memory = { 'scratchpad/stop/held': 3 }
    expect(await end({ memory }, mainStop(true))).toMatchObject({
      effect: 'pass',
      notices: [
        expect.stringContaining('although this is missing: .claude/scratchpad/coordinator/2026-01-15.md'),
      ],
    })
    expect(await end({ memory }, mainStop(false))).toMatchObject({ effect: 'deny' })
  })
})
