import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { monotonicMs } from '../system/clock.ts'
import { createEvaluator, type Evaluated, storeRecords } from './evaluator.ts'
import { encodeRequest } from './protocol.ts'

const REPLY = { stdout: '', stderr: '', exitCode: 0 } as const

it('stores the records of a turn without one that cannot be made, and says so', async () => {
  const home = mkdtempSync(join(tmpdir(), 'holdpoint-records-'))
  try {
    const argv = ['claude-code', '--home', home, '--event', 'PreToolUse']
    const evaluate = createEvaluator(monotonicMs)
    const asked = async (command: string) => {
      const tool = { tool_name: 'Bash', tool_input: { command }, tool_use_id: command }
      const payload = { session_id: 's', cwd: '/', hook_event_name: 'PreToolUse', ...tool }
      const input = Buffer.from(JSON.stringify(payload))
      return evaluate(encodeRequest({ argv, cwd: '/', env: {}, input, elapsedMs: 0 }), monotonicMs())
    }
    const [first, last] = [await asked('git push --force'), await asked('git reset --hard')]
    const broken: Evaluated = {
      ...{ reply: REPLY, journal: first.journal },
      record: () => {
        throw new Error('no memory')
      },
    }
    expect(storeRecords([first, broken, last])).toEqual(['a record was lost: no memory'])
    const stored = readFileSync(join(first.journal, 'spool.jsonl'), 'utf8')
    for (const command of ['git push --force', 'git reset --hard']) expect(stored).toContain(command)
  } finally {
    rmSync(home, { recursive: true })
  }
})
