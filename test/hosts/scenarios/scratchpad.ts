import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { notTold, quiet, ran, recorded, told, turns } from '../checks.ts'
import type { Chapter } from '../scenario.ts'
import type { World } from '../world.ts'

/** Notes that agents owe each other: told at their start, asked for at their end. */

const PADS = '.claude/scratchpad'
const DATE = '$(date +%F)'
const policy = { packs: { scratchpad: true } }
/** Their folders are there: Claude Code is set to ask before it makes one. */
const project = Object.fromEntries(
  ['general-purpose', 'default', 'coordinator'].map((agent) => [`${PADS}/${agent}/README`, '']),
)

/** Writes an entry as an agent would, and leaves a mark that is the same on every day. */
const writes = (agent: string, lines: readonly string[]) => ({
  do: [
    {
      shell: `printf '%s\\n' ${lines.map((line) => `'${line}'`).join(' ')} > ${PADS}/${agent}/${DATE}.md && touch ${agent}.wrote`,
    },
  ],
})
const ENTRY = [
  '## What I did',
  'Helped.',
  '## Cross-agent observations',
  'None.',
  '## Unresolved',
  'Nothing.',
]
const helperWrites = (agent: string) => [{ say: 'Finished.' }, writes(agent, ENTRY)]
const coordinates = [{ say: 'Finished.' }, writes('coordinator', ['All is well.'])]

/** As the agents' own surroundings have it, where no variable names a time zone. */
const TODAY = execFileSync('date', ['+%F'], { env: { PATH: '/usr/bin:/bin' }, encoding: 'utf8' }).trim()
const byTool = (folder: string, agent: string) => ({
  main: [{ do: [{ delegate: 'helper' }] }],
  helper: [{ do: [{ write: `${folder}/${agent}/${TODAY}.md`, text: ENTRY.join('\n') }] }],
})

const INCOMPLETE = 'Scratchpad missing or incomplete. Write to'
const SECTIONS = 'with all three required sections before completing.'
const UNWRITTEN = 'Multi-agent delegation detected but no coordinator scratchpad for today.'

const helper = { in: 'helper' }
const start = { in: 'helper', step: 0 }

/** The sub-agent is sent back with the exact reason, writes, and is let go. */
const sentBack = (agent: string) => [
  quiet(told(`${PADS}/${agent}/`, start)),
  told('## Cross-agent observations', start),
  told(INCOMPLETE, helper),
  quiet(told(SECTIONS, helper)),
  ran(`${agent}.wrote`, 'it writes them'),
  turns(3, 'then it may finish', 'helper'),
  recorded({ event: 'SubagentStop', effect: 'deny', because: 'scratchpad/subagent-stop', by: 'sub-agent' }),
  recorded({ event: 'SubagentStop', effect: 'pass', by: 'sub-agent' }),
]
const held = [
  ran('coordinator.wrote', 'its parent is held until it wrote too'),
  recorded({ event: 'Stop', effect: 'deny', because: 'scratchpad/stop', by: 'main' }),
  recorded({ event: 'Stop', effect: 'pass', by: 'main' }),
]

const FAILING = 'test -e fixed || { echo "1 test failed"; exit 1; }'
const CONTRACT = {
  version: 1,
  packs: { safety: true },
  contracts: [
    { id: 'tests', agent: '*', files: ['notes.md'], commands: [{ run: FAILING, timeoutMs: 30_000 }] },
    { id: 'summary', when: 'delegated', message: 'READY' },
  ],
}
const agree = (world: World) =>
  world.write(join(world.places.holdpoint, 'config.yaml'), `${JSON.stringify(CONTRACT, null, 2)}\n`)
/** `step`: how often the parent had spoken when it was held. */
const contractKept = (step: number) => [
  quiet(told('The file notes.md.', start)),
  told('- notes.md does not exist.', helper),
  told('1 test failed', helper),
  ran('fixed', 'it mends both'),
  turns(3, 'then it may finish', 'helper'),
  told('`READY` on a line of its own', { step }),
  recorded({ event: 'Stop', effect: 'deny', because: 'summary', by: 'main' }),
  recorded({ event: 'Stop', effect: 'pass', by: 'main' }),
]

export const scratchpad: Chapter = {
  title: 'Notes and contracts',
  scenarios: [
    {
      name: 'a sub-agent without its notes, and a parent without its own',
      policy,
      project,
      script: {
        main: [{ do: [{ delegate: 'helper' }] }, ...coordinates],
        helper: helperWrites('general-purpose'),
      },
      expected: {
        'claude-code': [...sentBack('general-purpose'), told(UNWRITTEN, { step: 2 }), ...held],
        codex: { cannot: 'its agents are all of type `default`; see the next row' },
      },
    },
    {
      name: 'the same where every agent is of one type',
      policy,
      project,
      script: {
        main: [{ do: [{ delegate: 'helper' }] }, ...coordinates],
        helper: helperWrites('default'),
      },
      expected: {
        'claude-code': { cannot: 'its agents have types' },
        codex: [...sentBack('default'), ...held],
      },
    },
    {
      name: 'a sub-agent that works beside its parent',
      policy,
      project,
      script: {
        main: [
          { do: [{ delegate: 'helper', beside: true }] },
          {
            do: [{ shell: 'for i in $(seq 300); do [ -e general-purpose.wrote ] && break; sleep 0.1; done' }],
          },
          ...coordinates,
        ],
        helper: helperWrites('general-purpose'),
      },
      expected: {
        'claude-code': [...sentBack('general-purpose'), ...held],
        codex: { cannot: 'all of its agents do' },
      },
    },
    {
      name: 'a sub-agent that never writes its notes',
      policy,
      project,
      script: { main: [{ do: [{ delegate: 'helper' }] }], helper: [] },
      expected: {
        'claude-code': [
          quiet(told(INCOMPLETE, { in: 'helper', step: 3 })),
          turns(4, 'is held three times, then let go with a notice', 'helper'),
          recorded({ event: 'SubagentStop', effect: 'pass', notice: 'Held 3 times, then let go' }),
          notTold(UNWRITTEN, 'its parent is not held', { in: 'main' }),
        ],
        codex: [
          quiet(told(INCOMPLETE, { in: 'helper', step: 3 })),
          turns(4, 'is held three times, then let go with a notice', 'helper'),
          recorded({ event: 'SubagentStop', effect: 'pass', notice: 'Held 3 times, then let go' }),
          notTold(UNWRITTEN, 'its parent is not held', { in: 'main' }),
        ],
      },
    },
    {
      name: 'notes written with `Write` below `.claude`',
      policy,
      project,
      script: byTool(PADS, 'general-purpose'),
      expected: {
        'claude-code': [
          {
            ...told('which is a sensitive file', helper),
            says: () => 'refused by Claude Code itself as "a sensitive file" unless a person allows it',
          },
          turns(5, 'held three times in vain, then let go', 'helper'),
        ],
        codex: { cannot: 'it has no such files' },
      },
    },
    {
      name: 'notes in a folder of their own (`folder: notes`)',
      policy: { packs: { scratchpad: { folder: 'notes' } } },
      project: { 'notes/general-purpose/README': '', 'notes/default/README': '' },
      script: byTool('notes', 'general-purpose'),
      expected: {
        'claude-code': [
          turns(2, 'written at once, and it may finish', 'helper'),
          recorded({ event: 'SubagentStop', effect: 'pass', by: 'sub-agent' }),
        ],
        codex: { cannot: 'as in the rows above' },
      },
    },
    {
      name: 'a session that delegates nothing',
      policy,
      project,
      script: {},
      expected: {
        'claude-code': [turns(1, 'may stop at once')],
        codex: [turns(1, 'may stop at once')],
      },
    },
    {
      name: 'a contract with a file, a test and a word',
      policy: {},
      arrange: agree,
      script: {
        main: [{ do: [{ delegate: 'helper' }] }, { say: 'Finished.' }, { say: 'All done.\n\nREADY' }],
        helper: [{ say: 'Finished.' }, { do: [{ shell: 'echo notes > notes.md && touch fixed' }] }],
      },
      expected: {
        'claude-code': contractKept(2),
        // It is asked once more, to wait for the agent.
        codex: contractKept(3),
      },
    },
  ],
}
