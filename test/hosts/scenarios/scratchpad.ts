import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { quiet, ran, recorded, told, turns } from '../checks.ts'
import type { Sandbox } from '../sandbox.ts'
import type { Chapter } from '../scenario.ts'

/** Notes that agents write for each other: requested at their start, checked at their end. */

const PADS = '.claude/scratchpad'
const DATE = '$(date +%F)'
const policy = { packs: { scratchpad: true } }
/** Their folders exist already, because Claude Code is configured to ask before it creates one. */
const project = Object.fromEntries(
  ['general-purpose', 'default', 'coordinator'].map((agent) => [`${PADS}/${agent}/README`, '']),
)

/** Writes an entry as an agent would, and a file that is the same on every day. */
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

/** The date as the agents see it, if no variable names a time zone. */
const TODAY = execFileSync('date', ['+%F'], { env: { PATH: '/usr/bin:/bin' }, encoding: 'utf8' }).trim()
const byTool = (folder: string, agent: string) => ({
  main: [{ do: [{ delegate: 'helper' }] }],
  helper: [{ do: [{ write: `${folder}/${agent}/${TODAY}.md`, text: ENTRY.join('\n') }] }],
})

const INCOMPLETE = 'Scratchpad missing or incomplete. Write to'
const SECTIONS = 'with all three required sections before completing.'
const LET_GO = 'The agent general-purpose ended without its scratchpad entry.'
const UNWRITTEN = 'Multi-agent delegation detected but no coordinator scratchpad for today.'

const helper = { in: 'helper' }
const start = { in: 'helper', step: 0 }

/** The sub-agent is blocked with the exact reason, writes its entry, and may stop. */
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
const agree = (sandbox: Sandbox) =>
  sandbox.write(join(sandbox.places.holdpoint, 'config.yaml'), `${JSON.stringify(CONTRACT, null, 2)}\n`)
/** `step`: the number of the parent's answers when it was blocked. */
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
            do: [{ shell: 'for i in $(seq 800); do [ -e general-purpose.wrote ] && break; sleep 0.1; done' }],
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
          recorded({
            event: 'SubagentStop',
            effect: 'pass',
            notice: 'The agent was held 3 times, then allowed to stop',
          }),
          told(LET_GO, { step: 1 }),
          told(UNWRITTEN, { step: 2 }),
        ],
        codex: [
          quiet(told(INCOMPLETE, { in: 'helper', step: 3 })),
          turns(4, 'is held three times, then let go with a notice', 'helper'),
          recorded({
            event: 'SubagentStop',
            effect: 'pass',
            notice: 'The agent was held 3 times, then allowed to stop',
          }),
          told(UNWRITTEN, { step: 3 }),
        ],
      },
    },
    {
      name: 'notes written with `Write` below `.claude`',
      policy,
      project,
      script: {
        main: [
          { do: [{ delegate: 'helper' }] },
          { do: [{ write: `${PADS}/coordinator/${TODAY}.md`, text: 'All is well.' }] },
        ],
        helper: [
          { do: [{ write: '.claude/other.md', text: 'x' }] },
          { do: [{ write: `${PADS}/general-purpose/${TODAY}.md`, text: ENTRY.join('\n') }] },
        ],
      },
      expected: {
        'claude-code': [
          {
            ...told('which is a sensitive file', helper),
            says: () => 'another file is refused by Claude Code itself as "a sensitive file"',
          },
          turns(3, 'its own entry is granted and written at once, and it may finish', 'helper'),
          recorded({
            event: 'PermissionRequest',
            effect: 'allow',
            because: 'scratchpad/own-entry',
            by: 'sub-agent',
          }),
          recorded({
            event: 'PermissionRequest',
            effect: 'allow',
            because: 'scratchpad/own-entry',
            by: 'main',
          }),
          quiet(ran(`${PADS}/coordinator/${TODAY}.md`)),
          turns(3, 'so is that of its parent'),
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
        // It needs one more turn to wait for the agent.
        codex: contractKept(3),
      },
    },
  ],
}
