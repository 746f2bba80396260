import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { KnownAgent } from '../../../core/actor.ts'
import type { Answer } from '../../../core/decision.ts'
import type { Event } from '../../../core/event.ts'
import type { Facts } from '../../../core/facts.ts'
import type { Guard } from '../../../core/guard.ts'
import type { JsonObject } from '../../../core/json.ts'
import { actorOf, eventOf } from '../../../library/testing/events.ts'
import { liveFacts } from '../../../system/live-facts.ts'
import { stop } from './stop.ts'
import { subagentStart } from './subagent-start.ts'
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
  readonly agents?: readonly KnownAgent[]
}

async function ask(
  guard: Guard,
  event: Event,
  { memory, options = {}, now = '2026-01-15T12:00:00Z', facts, agents }: Around,
) {
  const live = liveFacts({ cwd: project, home: '/home/dev', project, env: { TZ: 'UTC' } })
  const around = { ...live, env: { TZ: 'UTC' }, now: () => new Date(now), ...facts }
  return (await guard.check({
    event,
    actor: actorOf(event),
    facts: around,
    options,
    memory,
    ...(agents === undefined ? {} : { agents }),
  })) as Answer | null
}
const worker = { agentId: 'a1', agentType: 'spec-writer' }
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

describe('a sub-agent that ends', () => {
  it('is held with the exact text until its entry exists (R-003-29, R-003-33)', async () => {
    expect(await finish()).toMatchObject({ effect: 'deny', reason: INCOMPLETE })
    write('spec-writer/2026-01-14.md', WHOLE)
    write('reviewer/2026-01-15.md', WHOLE)
    expect(await finish()).toMatchObject({ effect: 'deny', reason: INCOMPLETE })
    write('spec-writer/2026-01-15.md', WHOLE)
    expect(await finish()).toBeNull()
  })

  it('is held if its entry lacks a section, and may end with all three (R-003-30)', async () => {
    for (const heading of ['What I did', 'Cross-agent observations', 'unresolved']) {
      write('spec-writer/2026-01-15.md', WHOLE.replace(heading, 'Else'))
      expect(await finish()).toMatchObject({ effect: 'deny', reason: INCOMPLETE })
    }
    write('spec-writer/2026-01-15.md', WHOLE)
    expect(await finish()).toBeNull()
  })

  it('is judged only by the file and its text, within ten seconds and always the same (R-003-48)', async () => {
    const saying = (lastMessage: string) =>
      eventOf('SubagentStop', { ...worker, stopHookActive: false, lastMessage })
    const claims = saying('I wrote my scratchpad: What I did, Cross-agent observations, Unresolved.')
    const silent = saying('')
    for (let round = 0; round < 5; round += 1) {
      expect(await finish({}, claims)).toMatchObject({ effect: 'deny', reason: INCOMPLETE })
    }
    write('spec-writer/2026-01-15.md', 'What I did, Cross-agent observations, Unresolved.')
    expect(await finish({}, claims)).toMatchObject({ effect: 'deny', reason: INCOMPLETE })
    write('spec-writer/2026-01-15.md', WHOLE)
    for (let round = 0; round < 5; round += 1) expect(await finish({}, silent)).toBeNull()
    expect([subagentStop.timeoutMs, stop.timeoutMs]).toEqual([10_000, 10_000])
  })

  it('is held with a text that follows other options', async () => {
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
  ])('is held if its entry is %s', async (_what, make) => {
    make()
    expect(await finish()).toMatchObject({ effect: 'deny', reason: INCOMPLETE })
  })

  it('may end if its entry cannot be read, and the user is notified', async () => {
    const closed = { kind: 'closed', sizeBytes: 0, modifiedMs: 0 } as const
    expect(await finish({ facts: { stat: async () => closed } })).toEqual({
      effect: 'pass',
      notices: ['.claude/scratchpad/spec-writer/2026-01-15.md cannot be read, so it counts as complete.'],
    })
  })

  it('may have written under the date of its start if it ends after midnight (K-24)', async () => {
    write('spec-writer/2026-01-14.md', WHOLE)
    const now = '2026-01-15T00:10:00Z'
    expect(await finish({ now, memory: {} })).toMatchObject({ effect: 'deny' })
    expect(await finish({ now, memory: began(0, '2026-01-14') })).toBeNull()
  })

  it("is held three times, then may end with a notice; the host's own flag is respected", async () => {
    const memory = { 'scratchpad/subagent-stop/held': 3 }
    expect(await finish({ memory }, subStop('spec-writer', true))).toMatchObject({
      effect: 'pass',
      notices: [expect.stringContaining('Scratchpad: The agent was held 3 times, then allowed to stop')],
    })
    expect(
      await finish({ options: { limits: { blocks: 1 } }, memory: { 'scratchpad/subagent-stop/held': 1 } }),
    ).toMatchObject({ effect: 'pass' })
  })

  it('may end if it has no name or the name cannot be a folder name', async () => {
    expect(await finish({}, subStop('x y'))).toMatchObject({ effect: 'pass', notices: [expect.any(String)] })
    expect(await finish({}, eventOf('SubagentStop', { agentId: 'a1', stopHookActive: false }))).toBeNull()
  })

  it('stays inside the folder if its name contains ..', async () => {
    writeFileSync(join(folder, '2026-01-15.md'), WHOLE)
    expect(await finish({}, subStop('../../..'))).toMatchObject({
      reason: expect.stringContaining('.claude/scratchpad/..-..-../2026-01-15.md'),
    })
  })
})

describe('K-32: delegation that left no entry', () => {
  const held3 = { 'scratchpad/subagent-stop/held': 3 }
  it('an agent that was let go is told to the coordinator, with what it owed', async () => {
    const answer = await finish({ memory: held3 }, subStop('spec-writer', true))
    expect(answer).toMatchObject({
      effect: 'pass',
      context: [
        {
          to: 'main',
          text: expect.stringContaining('The agent spec-writer ended without its scratchpad entry.'),
        },
      ],
      detail: { missing: [expect.stringContaining('spec-writer/2026-01-15.md')] },
    })
    expect((await finish({ memory: {} }))?.context).toBeUndefined()
  })

  it('holds the session, because its start was seen', async () => {
    const started = await ask(subagentStart, eventOf('SubagentStart', worker), { memory: {} })
    const began = started?.remember?.[0]
    const memory = began?.op === 'set' ? { [began.key]: began.value } : {}
    const agents = [{ id: 'a1', type: 'spec-writer', ended: true, memory }]
    expect((await end({ memory: {}, agents }))?.effect).toBe('deny')
    expect(await end({ memory: {}, agents, now: '2026-01-16T12:00:00Z' })).toBeNull()
    expect(await end({ memory: {}, agents: [{ id: 'c', ended: true, memory }] })).toBeNull()
  })

  it.each([
    ['a folder', () => mkdirSync(at('spec-writer/2026-01-15.md'), { recursive: true }), 'deny'],
    [
      '100 MB',
      () => {
        write('spec-writer/2026-01-15.md', '')
        truncateSync(at('spec-writer/2026-01-15.md'), 100 * 1024 * 1024)
      },
      'deny',
    ],
    [
      'a link to /dev/zero',
      () => {
        mkdirSync(at('spec-writer'), { recursive: true })
        symlinkSync('/dev/zero', at('spec-writer/2026-01-15.md'))
      },
      'deny',
    ],
  ])('an entry that is %s is no entry', async (_what, make, effect) => {
    make()
    expect((await finish({ memory: {} }))?.effect ?? 'pass').toBe(effect)
  })
})

describe('from start to end of a sub-agent', () => {
  it('the start text names what is checked later, also for the end of the session (R-003-46, R-003-47)', async () => {
    write('ego/2026-01-14.md', 'A doubt.')
    write('coordinator/2026-01-14.md', 'The plan.')
    const told = (await ask(subagentStart, eventOf('SubagentStart', worker), {}))?.context?.[0]?.text ?? ''
    expect(told).toContain('A doubt.')
    expect(told).toContain('The plan.')
    const [, path = ''] = /\.claude\/scratchpad\/(\S+\.md)/.exec(told) ?? []
    const headings = told.match(/^ {2}## .+$/gm) ?? []
    expect(headings).toHaveLength(3)

    expect(await end()).toBeNull()
    expect(await finish()).toMatchObject({ effect: 'deny', reason: INCOMPLETE })
    expect(INCOMPLETE).toContain(path)
    for (const left of headings) {
      write(path, headings.filter((each) => each !== left).join('\n'))
      expect(await finish()).toMatchObject({ effect: 'deny' })
    }
    write(path, headings.join('\n'))
    expect(await finish()).toBeNull()
    expect(await end()).toMatchObject({ effect: 'deny', reason: UNWRITTEN })
    write('coordinator/2026-01-15.md', '')
    expect(await end()).toBeNull()
  })
})

describe('a session that ends', () => {
  it('may end without delegation', async () => {
    expect(await end()).toBeNull()
    write('spec-writer/2026-01-14.md', WHOLE)
    expect(await end()).toBeNull()
  })

  it('is held after delegation with the exact text until the coordinator wrote (R-003-36, R-003-39, R-003-43)', async () => {
    write('spec-writer/2026-01-15.md', 'whatever')
    expect(await end()).toMatchObject({ effect: 'deny', reason: UNWRITTEN })
    write('coordinator/2026-01-15.md', '')
    expect(await end()).toBeNull()
  })

  it.each(['', 'no headings', WHOLE])(
    'needs only that the coordinator entry exists: %j (R-003-45)',
    async (text) => {
      write('spec-writer/2026-01-15.md', '')
      write('coordinator/2026-01-15.md', text)
      expect(await end()).toBeNull()
    },
  )

  it.each([
    ['an agent’s entry of today', ['spec-writer/2026-01-15.md'], true],
    ['one of any name', ['a-name_of.its-own/2026-01-15.md'], true],
    ['one among others', ['ego/2026-01-15.md', 'a/2026-01-14.md', 'b/2026-01-15.md'], true],
    ['its own', ['coordinator/2026-01-14.md'], false],
    ['the ego’s', ['ego/2026-01-15.md'], false],
    ['an entry of another day', ['spec-writer/2026-01-14.md', 'spec-writer/2026-01-16.md'], false],
    ['a file that is no entry', ['spec-writer/notes.md', 'spec-writer/2026-01-15.txt'], false],
    ['a file outside of a folder', ['2026-01-15.md'], false],
    ['a file further below', ['spec-writer/old/2026-01-15.md'], false],
  ])('counts %s as delegation, or not (R-003-40)', async (_what, paths, isSign) => {
    for (const path of paths) write(path, '')
    expect(await end()).toEqual(isSign ? expect.objectContaining({ reason: UNWRITTEN }) : null)
  })

  it('does not count a folder or a file elsewhere as an entry', async () => {
    mkdirSync(at('spec-writer/2026-01-15.md'), { recursive: true })
    expect(await end()).toBeNull()
    write('reviewer/2026-01-15.md', 'x')
    writeFileSync(join(folder, 'pad.md'), WHOLE)
    mkdirSync(at('coordinator'), { recursive: true })
    symlinkSync(join(folder, 'pad.md'), at('coordinator/2026-01-15.md'))
    expect(await end()).toMatchObject({ effect: 'deny' })
  })

  it('counts delegation and entries from before midnight', async () => {
    const now = '2026-01-15T00:10:00Z'
    write('spec-writer/2026-01-14.md', 'x')
    expect(await end({ now, memory: began(0, '2026-01-14') })).toMatchObject({
      effect: 'deny',
      reason: UNWRITTEN,
    })
    write('coordinator/2026-01-14.md', 'x')
    expect(await end({ now, memory: began(0, '2026-01-14') })).toBeNull()
  })

  it('counts only entries since its start if the option is set', async () => {
    write('spec-writer/2026-01-15.md', 'x')
    utimesSync(at('spec-writer/2026-01-15.md'), 1_000, 1_000)
    const options = { sinceSession: true }
    expect(await end({ options, memory: began(5_000_000, '2026-01-15') })).toBeNull()
    expect(await end({ options, memory: began(1_000_000, '2026-01-15') })).toMatchObject({ effect: 'deny' })
    expect(await end({ options, memory: {} })).toMatchObject({ effect: 'deny' })
  })

  it('is not confused with the end of a sub-agent in the same event', async () => {
    write('spec-writer/2026-01-15.md', 'x')
    expect(await end({}, eventOf('Stop', { agentId: 'a1', stopHookActive: false }))).toBeNull()
  })

  it('is held three times, then may end with a notice', async () => {
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
