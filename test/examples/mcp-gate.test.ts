import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'

it('the example MCP client obeys hooks that it does not know', () => {
  const file = join(import.meta.dirname, '..', '..', 'examples', 'mcp-gate', 'main.mjs')
  const printed = execFileSync(process.execPath, [file], { encoding: 'utf8' })
  expect(printed.trim().split('\n')).toEqual([
    'tools: read_note, write_note, share_note',
    'read_note: token: [masked] renew it in May',
    'write_note: Holdpoint denied this call. Do not write passwords into notes. Put it into the password manager and write down its name.',
    'person: Holdpoint asks before mcp__notes__share_note runs. The note is sent to another person. yes',
    'share_note: sent keys to ann',
    'person: Holdpoint asks before mcp__notes__share_note runs. The note is sent to another person. no',
    'share_note: Holdpoint denied this call. The note is sent to another person.  The user was asked and did not say yes.',
    'delete_all_notes: Holdpoint denied this call. Unknown tool "delete_all_notes".',
  ])
})
