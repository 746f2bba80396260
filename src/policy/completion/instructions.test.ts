import { expect, it } from 'vitest'
import { eventOf, frozenFacts } from '../../library/testing/events.ts'
import { checkContract } from './check.ts'
import type { Contract } from './contract.ts'
import { tell } from './instructions.ts'

const names = { agentType: 'writer', session: 's', dates: ['2026-01-15'] }
const contract: Contract = {
  id: 'notes',
  when: { kind: 'delegated' },
  files: [
    {
      path: 'notes/{agent_type}/{date}.md',
      headings: ['Summary', 'Open questions'],
      minLines: 5,
      maxLines: 80,
      fresh: true,
    },
    { path: 'state.json', json: { status: 'string', meta: { by: 'string' } }, minBytes: 10, maxBytes: 99 },
    { path: 'one.md', headings: ['Only'] },
    { path: 'signals/{agent_type}.done', signal: true },
  ],
  messages: [{ token: 'READY' }, { pattern: '^DONE' }],
  commands: [{ run: 'npm test', timeoutMs: 90_500 }],
  blocks: 3,
}

it('an instruction names the place and everything that is required', () => {
  expect(
    tell(contract, names),
  ).toBe(`Before you may finish, the following is required, if you have started other agents:
- The file notes/writer/2026-01-15.md with at least 5 lines and not much more than 80 lines. Write a new file or update the existing one. It must have two sections, each under its heading:
  ## Summary
  ## Open questions
- The file state.json with at least 10 bytes and at most 99 bytes. It must be a JSON object with \`status\` (string), \`meta.by\` (string).
- The file one.md. It must have one section, under its heading:
  ## Only
- The file signals/writer.done. It may be empty.
- Your last message contains \`READY\` on a line of its own.
- Your last message contains a line that matches \`^DONE\`.
- \`npm test\` succeeds. It is run when you finish, for at most 91 s.`)
})

it('an instruction names everything that is checked later', async () => {
  const verdict = await checkContract(contract, {
    event: eventOf('SubagentStop', { stopHookActive: false, lastMessage: '' }),
    facts: frozenFacts(),
    names,
    start: undefined,
    ran: new Map(),
    matches: () => false,
  })
  const told = tell(contract, names)
  const asked = [
    'notes/writer/2026-01-15.md',
    'state.json',
    'one.md',
    'signals/writer.done',
    '`READY`',
    '`^DONE`',
    '`npm test`',
  ]
  expect(verdict.missing).toHaveLength(asked.length)
  for (const [index, thing] of asked.entries()) {
    expect(verdict.missing[index]).toContain(thing)
    expect(told).toContain(thing)
  }
})
