import { describe, expect, it } from 'vitest'
import { readHandoff } from './contract.ts'

const BLOCK = '{"handoff": true, "from": "a-agent", "to": "b-agent", "status": "ready", "retry_count": 0}'
const message = (block: string, more = '') =>
  `Done, with tests.\nHANDOFF_TOKEN: TASK_20260115_120000\n\n\`\`\`json\n${block}\n\`\`\`\n\nUse the b-agent subagent to test it.\n${more}`

describe('K-34: the contract of a handoff', () => {
  it('a complete one has a token, a block and the next agent', () => {
    expect(readHandoff(message(BLOCK, '\nCOLLECTIVE_HANDOFF_READY'))).toEqual({
      ready: true,
      to: 'b-agent',
      task: 'test it',
      token: 'TASK_20260115_120000',
      block: JSON.parse(BLOCK),
      faults: [],
    })
  })

  it.each([
    ['no JSON', '{"handoff": yes}', 'State contract: the handoff block is not JSON.'],
    ['cut', '{"handoff": true, "from": "a"\n}, {', 'State contract: the handoff block is not JSON.'],
    [
      'without a status',
      '{"handoff": 1, "from": "a", "to": "b"}',
      'State contract: the handoff block lacks `status`.',
    ],
    [
      'with a wrong type',
      '{"handoff": 1, "from": 7, "to": "b", "status": "x"}',
      'State contract: the handoff block has `from`, which is not a string.',
    ],
  ])('a block that is %s is named, and not read', (_name, block, fault) => {
    const read = readHandoff(message(block))
    expect(read.faults).toContain(fault)
    expect(read.block).toBeUndefined()
  })

  it('says what to write where something is missing', () => {
    const { faults } = readHandoff('Done, with tests.\nFiles: a.ts')
    expect(faults[0]).toContain('End with `COLLECTIVE_HANDOFF_READY` on a line of its own')
    expect(faults[1]).toContain('Write a line such as `HANDOFF_TOKEN: UNIT_TESTS_20260115_120000`')
  })

  it('a marker inside code does not count, and that is said', () => {
    expect(readHandoff('```\nCOLLECTIVE_HANDOFF_READY\n```').faults[0]).toContain('inside a code block')
  })

  it.each([
    ['', 3],
    ['\0\0', 3],
    ['x'.repeat(2_000_000), 3],
  ])('garbage never throws', (text, atLeast) => {
    expect(readHandoff(text).faults.length).toBeGreaterThanOrEqual(atLeast)
  })
})
