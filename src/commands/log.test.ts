import { expect, it } from 'vitest'
import type { StoredRecord } from '../storage/journal/store.ts'
import { processCaller } from './caller.ts'
import { createLogPrinter } from './log-lines.ts'

const ATTACK = 'x\u001b[2J\u001b]8;;http://evil.example\u0007y\u009b31m\u202ez\r\nq'

it('shows no control character of a record', () => {
  const record = {
    ...{ id: ATTACK, at: ATTACK, effect: 'deny', event: 'PreToolUse', tool: ATTACK, input: ATTACK },
    ...{ agentType: ATTACK, because: [ATTACK], failed: [ATTACK], project: ATTACK },
  }
  const line = createLogPrinter(processCaller())([{ seq: 1, hash: '', record } as unknown as StoredRecord])
  const plain = line.replace(/\u001b\[\d+m/g, '').replaceAll('\n', '')
  expect(plain).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u)
  expect(plain).toContain('\\u001b[2J')
})
