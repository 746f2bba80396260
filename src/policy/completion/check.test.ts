import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { eventOf, frozenFacts } from '../../library/testing/events.ts'
import { liveFacts } from '../../system/live-facts.ts'
import { type ContractInput, checkContract } from './check.ts'
import type { Contract, FileRequirement } from './contract.ts'

let folder: string
let project: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-contracts-'))
  project = join(folder, 'project')
  mkdirSync(project)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const write = (path: string, text: string | Buffer) => {
  mkdirSync(dirname(join(project, path)), { recursive: true })
  writeFileSync(join(project, path), text)
}
const contract = (more: Partial<Contract>): Contract => {
  return { id: 'notes', files: [], messages: [], commands: [], blocks: 3, ...more }
}
const input = (more: Partial<ContractInput> = {}): ContractInput => ({
  event: eventOf('SubagentStop', { stopHookActive: false }),
  facts: liveFacts({ cwd: '/', home: '/home/dev', project, env: {} }),
  names: { agentType: 'writer', dates: ['2026-01-16', '2026-01-15'] },
  start: undefined,
  ran: new Map(),
  matches: () => false,
  ...more,
})
const missing = async (file: FileRequirement, more: Partial<ContractInput> = {}) =>
  (await checkContract(contract({ files: [file] }), input(more))).missing
const notices = async (file: FileRequirement, more: Partial<ContractInput> = {}) =>
  (await checkContract(contract({ files: [file] }), input(more))).notices

const NOTES: FileRequirement = {
  path: 'notes/{agent_type}/{date}.md',
  headings: ['Summary', 'Open questions'],
}
const WHOLE = '## Summary\nx\n## Open questions\nnone\n'

describe('a required file', () => {
  it('passes if it has everything', async () => {
    write('notes/writer/2026-01-16.md', WHOLE)
    expect(await missing(NOTES)).toEqual([])
  })

  it('may have the date of the start, if midnight came between', async () => {
    write('notes/writer/2026-01-15.md', WHOLE)
    expect(await missing(NOTES)).toEqual([])
    write('notes/writer/2026-01-16.md', 'unfinished')
    expect(await missing(NOTES)).toEqual([])
  })

  it('is reported with exactly what is missing, in order', async () => {
    expect(await missing(NOTES)).toEqual(['notes/writer/2026-01-16.md does not exist.'])
    write('notes/writer/2026-01-15.md', '## Summary\n')
    expect(await missing(NOTES)).toEqual(['notes/writer/2026-01-15.md lacks the heading "Open questions".'])
    write('notes/writer/2026-01-16.md', 'text')
    expect(await missing({ ...NOTES, minLines: 3, minBytes: 100 })).toEqual([
      'notes/writer/2026-01-16.md has 4 bytes; at least 100 are needed.',
      'notes/writer/2026-01-16.md lacks the heading "Summary".',
      'notes/writer/2026-01-16.md lacks the heading "Open questions".',
      'notes/writer/2026-01-16.md has 1 lines that are not blank; at least 3 are needed.',
    ])
  })

  it('counts as missing if it is empty, unless it is a signal', async () => {
    write('done', ' \n')
    expect(await missing({ path: 'done' })).toEqual(['done is empty.'])
    expect(await missing({ path: 'done', signal: true })).toEqual([])
    expect(await missing({ path: 'none', signal: true })).toEqual(['none does not exist.'])
  })

  it('counts as missing if it is too large to read', async () => {
    write('big.md', `${WHOLE}${'x'.repeat(1024 * 1024)}`)
    expect(await missing({ path: 'big.md' })).toEqual(['big.md is larger than 1048576 bytes.'])
    expect(await missing({ path: 'big.md', maxBytes: 100 })).toEqual([
      'big.md has 1048612 bytes; at most 100 are allowed.',
    ])
    expect(await missing({ path: 'big.md', signal: true })).toEqual([])
  })

  it('has no headings if it is binary', async () => {
    write('a.md', Buffer.from([0, 255, 254, 0, 1, 2, 3, 10, 200]))
    expect(await missing({ path: 'a.md', headings: ['Summary'] })).toEqual([
      'a.md lacks the heading "Summary".',
    ])
  })

  it('counts as missing if a folder, a pipe or nothing is in its place', async () => {
    mkdirSync(join(project, 'a.md'))
    expect(await missing({ path: 'a.md' })).toEqual(['a.md is a folder, not a file.'])
    symlinkSync('/dev/null', join(project, 'null.md'))
    expect(await missing({ path: 'null.md' })).toEqual(['null.md is outside the project.'])
    symlinkSync('nowhere', join(project, 'dangling.md'))
    expect(await missing({ path: 'dangling.md' })).toEqual(['dangling.md does not exist.'])
    symlinkSync('loop.md', join(project, 'loop.md'))
    expect(await missing({ path: 'loop.md' })).toEqual(['loop.md does not exist.'])
    expect(await missing({ path: 'a.md/b.md' })).toEqual(['a.md/b.md does not exist.'])
  })

  it('may be a link inside the project, but not out of it', async () => {
    write('real.md', WHOLE)
    symlinkSync('real.md', join(project, 'link.md'))
    expect(await missing({ path: 'link.md' })).toEqual([])
    writeFileSync(join(folder, 'foreign.md'), WHOLE)
    symlinkSync('../foreign.md', join(project, 'out.md'))
    expect(await missing({ path: 'out.md' })).toEqual(['out.md is outside the project.'])
    symlinkSync(folder, join(project, 'up'))
    expect(await missing({ path: 'up/foreign.md' })).toEqual(['up/foreign.md is outside the project.'])
  })

  it('counts as complete if it cannot be read, and the user is notified', async () => {
    const closed = { kind: 'closed', sizeBytes: 0, modifiedMs: 0 } as const
    const facts = frozenFacts({ stat: async () => closed })
    expect(await missing({ path: 'a.md' }, { facts })).toEqual([])
    expect(await notices({ path: 'a.md' }, { facts })).toEqual([
      'a.md cannot be read, so it counts as complete.',
    ])
    const file = { kind: 'file', sizeBytes: 9, modifiedMs: 0 } as const
    const unreadable = frozenFacts({ stat: async () => file, readText: async () => undefined })
    expect(await missing({ path: 'a.md' }, { facts: unreadable })).toEqual([])
    expect(await notices({ path: 'a.md' }, { facts: unreadable })).toHaveLength(1)
  })

  it('must be written since the start of the agent, if the contract says so', async () => {
    write('a.md', 'text')
    utimesSync(join(project, 'a.md'), 1_000, 1_000)
    const start = { atMs: 2_000_500, date: '2026-01-15' }
    expect(await missing({ path: 'a.md', fresh: true }, { start })).toEqual([
      'a.md was not written since you started. Update it.',
    ])
    expect(await missing({ path: 'a.md', fresh: true })).toEqual([])
    utimesSync(join(project, 'a.md'), 2_000, 2_000)
    expect(await missing({ path: 'a.md', fresh: true }, { start })).toEqual([])
    expect(
      await missing({ path: 'a.md', fresh: true, signal: true }, { start: { ...start, atMs: 9e9 } }),
    ).toHaveLength(1)
  })

  it('that is too long causes a warning, not a hold', async () => {
    write('a.md', 'x\n\n'.repeat(90))
    expect(await missing({ path: 'a.md', maxLines: 80 })).toEqual([])
    expect(await notices({ path: 'a.md', maxLines: 80 })).toEqual([
      'a.md has 90 lines; it should have at most 80.',
    ])
    expect(await notices({ path: 'a.md', maxLines: 90 })).toEqual([])
  })

  it('may have to be JSON with a given shape', async () => {
    write('state.json', '{"status": 1}')
    expect(await missing({ path: 'state.json', json: { status: 'string', files: 'list' } })).toEqual([
      'state.json has `status`, which is not a string.',
      'state.json lacks `files`.',
    ])
  })

  it('is not required from an agent that cannot have one', async () => {
    expect(await missing(NOTES, { names: { dates: ['2026-01-16'] } })).toEqual([])
    expect(await notices(NOTES, { names: { dates: ['2026-01-16'] } })).toHaveLength(1)
  })
})

describe('the required last message', () => {
  const said = async (lastMessage: string | undefined, requirement: Contract['messages'][number]) => {
    const event = eventOf('SubagentStop', { stopHookActive: false, lastMessage })
    const matches = (pattern: string, line: string) => new RegExp(pattern).test(line)
    return checkContract(contract({ messages: [requirement] }), input({ event, matches }))
  }

  it.each(['READY', 'Done.\n\nREADY', '  READY  \nbye', '**READY**', 'a\r\nREADY\r\n'])(
    'contains the token on a separate line: %j',
    async (text) => {
      expect((await said(text, { token: 'READY' })).missing).toEqual([])
    },
  )

  it.each([
    '',
    'I am READY',
    'READY.',
    'not READY',
    '> READY',
    '`READY`',
    '```\nREADY\n```',
    'ready',
    '- READY',
  ])('does not contain it: %j', async (text) => {
    expect((await said(text, { token: 'READY' })).missing).toEqual([
      'Your last message must contain `READY` on a line of its own.',
    ])
  })

  it('has a matching line outside code', async () => {
    const requirement = { pattern: '^DONE: \\w+' }
    expect((await said('so\nDONE: parser', requirement)).missing).toEqual([])
    expect((await said('```\nDONE: parser\n```', requirement)).missing).toEqual([
      'Your last message must contain a line that matches `^DONE: \\w+`.',
    ])
    expect((await said('x'.repeat(5_000), { pattern: 'x' })).missing).toHaveLength(1)
  })

  it('does not hold an agent if the host does not report the message', async () => {
    const verdict = await said(undefined, { token: 'READY' })
    expect(verdict.missing).toEqual([])
    expect(verdict.notices).toEqual([
      'The last message is unknown. It should contain `READY` on a line of its own.',
    ])
  })
})

it('all parts of a contract are checked, in their order', async () => {
  const all = contract({
    files: [{ path: 'a.md' }, { path: 'b.md' }],
    messages: [{ token: 'READY' }],
    commands: [{ run: 'npm test', timeoutMs: 1 }],
  })
  const event = eventOf('Stop', { stopHookActive: false, lastMessage: 'no' })
  const ran = new Map([['npm test', { kind: 'failed', how: 'exited with code 1', said: '' } as const]])
  expect((await checkContract(all, input({ event, ran }))).missing).toEqual([
    'a.md does not exist.',
    'b.md does not exist.',
    'Your last message must contain `READY` on a line of its own.',
    '`npm test` must succeed: it exited with code 1.',
  ])
})
