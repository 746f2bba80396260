import { type Check, quiet, ran, recorded, told, turns } from '../checks.ts'
import { markOf } from '../models/model.ts'
import type { Sandbox } from '../sandbox.ts'
import type { Chapter } from '../scenario.ts'

/** Work that one agent hands to the next: only if its tests pass, and only to the agent that it names. */

const FAILING = 'test -e fixed || { echo "1 test failed"; exit 1; }'
const policy = { packs: { collective: { test: FAILING, build: false } } }
const HANDS = [
  'The module is done, with tests.',
  '',
  'COLLECTIVE_HANDOFF_READY',
  '',
  'Use the unit-testing-agent subagent to test the module.',
].join('\n')
/** Not the agent's own words, which its parent reads in any case. */
const ROUTE = /Handoff from [\w-]+\. Use the unit-testing-agent subagent to test the module\./

const helper = [{ say: HANDS }, { do: [{ shell: 'touch fixed' }] }, { say: HANDS }]
const held = [
  quiet(told('may not hand over yet', { in: 'helper' })),
  told('1 test failed', { in: 'helper' }),
  ran('fixed', 'it mends them'),
  turns(3, 'then it may finish', 'helper'),
  recorded({
    event: 'SubagentStop',
    effect: 'deny',
    because: 'collective/test-driven-handoff',
    by: 'sub-agent',
  }),
  recorded({ event: 'SubagentStop', effect: 'pass', by: 'sub-agent' }),
]

/** When a parallel agent ends is not known, but its parent must be notified. */
const heard: Check = {
  wrong: ({ requests }) =>
    requests.some((request) => request.conversation === 'main' && ROUTE.test(request.told))
      ? undefined
      : `main never heard of the route: ${requests.map(({ conversation, told: text }) => `${conversation}: ${text}`).join('\n')}`,
  says: ({ requests }) => {
    const [line] = requests.flatMap((request) => ROUTE.exec(request.told) ?? [])
    return `its parent reads \`${line}\``
  },
}

const SUMMARY = { say: `This is ${markOf('main')}.` }

/** A session with a task and a handoff, which is then compacted. */
const compacted = async (sandbox: Sandbox) => {
  await sandbox.run()
  const { journal } = await sandbox.run({ prompt: '/compact', resume: true })
  if (!journal.some(({ event }) => event === 'PreCompact')) throw new Error('it was not compacted')
}

export const collective: Chapter = {
  title: 'The test-driven collective',
  scenarios: [
    {
      name: 'a handoff whose tests fail, then pass',
      policy,
      script: { main: [{ do: [{ delegate: 'helper' }] }], helper },
      expected: {
        'claude-code': [...held, heard],
        codex: [...held, heard],
      },
    },
    {
      name: 'the same beside the parent',
      policy,
      script: {
        main: [
          { do: [{ delegate: 'helper', beside: true }] },
          { do: [{ shell: 'for i in $(seq 800); do [ -e fixed ] && break; sleep 0.1; done; sleep 3' }] },
        ],
        helper,
      },
      expected: {
        'claude-code': [...held, heard],
        codex: { cannot: 'all of its agents do' },
      },
    },
    {
      name: 'a handoff whose tests never pass',
      policy,
      script: {
        main: [{ do: [{ delegate: 'helper' }] }],
        helper: [{ say: HANDS }, { say: HANDS }, { say: HANDS }, { say: HANDS }],
      },
      expected: {
        'claude-code': [
          turns(4, 'is held three times, then let go', 'helper'),
          recorded({ event: 'SubagentStop', effect: 'pass', notice: 'was sent back 3 times' }),
          told('Tell the user why'),
          turns(2, 'its parent says why, and the workflow ends'),
        ],
        codex: [
          turns(4, 'is held three times, then let go, and its parent is told', 'helper'),
          recorded({ event: 'SubagentStop', effect: 'pass', notice: 'was sent back 3 times' }),
        ],
      },
    },
    {
      name: 'a phase that ends',
      policy,
      script: { main: [{ say: 'ALL TASKS SUCCESSFULLY COMPLETED' }] },
      expected: {
        'claude-code': [told('Use the tdd-validation-agent subagent to'), turns(2, 'once')],
        codex: [told('Use the tdd-validation-agent subagent to'), turns(2, 'once')],
      },
    },
    {
      name: 'a compaction in the midst of a handoff',
      policy: { packs: { collective: { test: false, build: false } } },
      project: { '.claude-collective/INDEX.md': 'Mind the rules.', '.claude-collective/DECISION.md': '' },
      arrange: compacted,
      options: { resume: true },
      // A compacted conversation starts again with its summary, so the first and the last run play the same turns.
      script: {
        main: [{ do: [{ delegate: 'helper' }] }, SUMMARY, SUMMARY, SUMMARY],
        helper: [{ say: HANDS }],
      },
      expected: {
        'claude-code': [
          told('State before the compaction'),
          quiet(told('hands over to unit-testing-agent')),
          quiet(told('Mind the rules.')),
          recorded({ event: 'SessionStart', effect: 'pass' }),
        ],
        codex: { cannot: 'it is not compacted when started with `exec`' },
      },
    },
  ],
}
