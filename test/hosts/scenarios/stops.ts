import { ran, recorded, told, turns } from '../checks.ts'
import type { PolicyHook } from '../policy.ts'
import type { Chapter } from '../scenario.ts'

/** Stopping: blocked until a file exists, but never forever. */

const UNTIL_NOTES = `[ -e notes.txt ] || echo '{"decision":"block","reason":"Write notes.txt first."}'`
const NEVER = { decision: 'block', reason: 'Never good enough.' }
const gate = (on: string, answer: PolicyHook['answer']): PolicyHook => ({ on, id: 'test/gate', answer })

/** Claude Code ignores hooks after eight blocks; Holdpoint allows the stop before that. */
const HELD = 'is held three times, then let go with a notice'

const work = { do: [{ shell: 'echo notes > notes.txt' }] }

export const stops: Chapter = {
  title: 'Finishing',
  scenarios: [
    {
      name: 'a gate holds the agent until its condition is met',
      policy: { hooks: [gate('Stop', UNTIL_NOTES)] },
      script: { main: [{ say: 'Finished.' }, work] },
      expected: {
        'claude-code': [
          told('Write notes.txt first.'),
          ran('notes.txt', 'it goes on and does it'),
          turns(3, 'then it may stop'),
          recorded({ event: 'Stop', effect: 'deny', because: 'test/gate', by: 'main' }),
          recorded({ event: 'Stop', effect: 'pass', by: 'main' }),
        ],
        codex: [
          told('Write notes.txt first.'),
          ran('notes.txt', 'it goes on and does it'),
          turns(3, 'then it may stop'),
          recorded({ event: 'Stop', effect: 'deny', because: 'test/gate', by: 'main' }),
          recorded({ event: 'Stop', effect: 'pass', by: 'main' }),
        ],
      },
    },
    {
      name: 'a gate that can never be met',
      policy: { hooks: [gate('Stop', NEVER)] },
      script: {},
      expected: {
        'claude-code': [
          told('Never good enough.', { step: 3 }),
          turns(4, HELD),
          recorded({ event: 'Stop', effect: 'pass', notice: 'Stop allowed after 3 blocked attempts' }),
        ],
        codex: [
          told('Never good enough.', { step: 3 }),
          turns(4, HELD),
          recorded({ event: 'Stop', effect: 'pass', notice: 'Stop allowed after 3 blocked attempts' }),
        ],
      },
    },
    {
      name: 'a gate holds a sub-agent until its condition is met',
      policy: { hooks: [gate('SubagentStop', UNTIL_NOTES)] },
      script: { main: [{ do: [{ delegate: 'helper' }] }], helper: [{ say: 'Finished.' }, work] },
      expected: {
        'claude-code': [
          told('Write notes.txt first.', { in: 'helper' }),
          ran('notes.txt', 'it goes on and does it'),
          turns(3, 'then it may stop', 'helper'),
          recorded({ event: 'SubagentStop', effect: 'deny', because: 'test/gate', by: 'sub-agent' }),
          recorded({ event: 'SubagentStop', effect: 'pass', by: 'sub-agent' }),
        ],
        codex: [
          told('Write notes.txt first.', { in: 'helper' }),
          ran('notes.txt', 'it goes on and does it'),
          turns(3, 'then it may stop', 'helper'),
          recorded({ event: 'SubagentStop', effect: 'deny', because: 'test/gate', by: 'sub-agent' }),
          recorded({ event: 'SubagentStop', effect: 'pass', by: 'sub-agent' }),
        ],
      },
    },
    {
      name: 'a gate on a sub-agent that can never be met',
      policy: { hooks: [gate('SubagentStop', NEVER)] },
      script: { main: [{ do: [{ delegate: 'helper' }] }], helper: [] },
      expected: {
        'claude-code': [
          told('Never good enough.', { in: 'helper', step: 3 }),
          turns(4, HELD, 'helper'),
          recorded({
            event: 'SubagentStop',
            effect: 'pass',
            notice: 'Stop allowed after 3 blocked attempts',
          }),
        ],
        codex: [
          told('Never good enough.', { in: 'helper', step: 3 }),
          turns(4, HELD, 'helper'),
          recorded({
            event: 'SubagentStop',
            effect: 'pass',
            notice: 'Stop allowed after 3 blocked attempts',
          }),
        ],
      },
    },
  ],
}
