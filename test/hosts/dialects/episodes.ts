import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Conversations } from '../agent-setup.ts'
import { type Check, fileIs, notRan, notRecorded, quiet, RAN, ran, recorded, told, turns } from '../checks.ts'
import { install } from '../install.ts'
import type { Policy, PolicyHook } from '../policy.ts'
import type { RunOptions, Sandbox } from '../sandbox.ts'
import { inAndOut } from '../scenarios/installation.ts'
import type { Behaviour } from './behaviours.ts'

/** One start of a program that shows several behaviours at once. */
export interface Episode {
  readonly name: string
  readonly policy: Policy
  readonly script: Conversations
  readonly options?: RunOptions
  arrange?(sandbox: Sandbox): unknown
  /** What most programs show. */
  readonly shows: Readonly<Partial<Record<Behaviour, readonly Check[]>>>
}

/** The model makes one call after the other. Each is identified by the file that it would write. */
const STEPS = ['deny', 'ask', 'rewrite', 'guard', 'edit', 'output', 'context'] as const

/** The moment at which the model gets the result of a call. */
export function after(step: (typeof STEPS)[number]) {
  return { step: STEPS.indexOf(step) + 1 }
}

export const mark = (name: string) => `echo original > ${name}.txt`

export function answering(on: string, id: string, when: string, answer: object, more = {}): PolicyHook {
  const text = `case "$event" in *"${when}"*) echo '${JSON.stringify(answer)}' ;; *) echo '{}' ;; esac`
  return { on, id, answer: text, ...more }
}

const REWRITTEN = { command: 'echo rewritten > rewrite.txt', description: 'Run it' }

function noting(on: string, text: string): PolicyHook {
  const answer = { hookSpecificOutput: { additionalContext: text } }
  return { on, id: `test/note-${on.toLowerCase()}`, answer }
}

const calls: Episode = {
  name: 'calls',
  policy: {
    packs: { safety: true, self: true },
    hooks: [
      answering('PreToolUse', 'test/deny', 'deny.txt', { decision: 'block', reason: 'Red tape: not today.' }),
      answering('PreToolUse', 'test/ask', 'ask.txt', {
        permissionDecision: 'ask',
        permissionDecisionReason: 'Amber tape: ask a person.',
      }),
      answering(
        'PreToolUse',
        'test/rewrite',
        'original > rewrite.txt',
        { hookSpecificOutput: { updatedInput: REWRITTEN } },
        { match: 'Bash', rewrites: true },
      ),
      answering('PostToolUse', 'test/output', 'what.the.tool.printed', {
        hookSpecificOutput: { updatedToolOutput: 'What the hook wrote.' },
      }),
      noting('SessionStart', 'Note at the start.'),
      noting('UserPromptSubmit', 'Note with the prompt.'),
      noting('PreToolUse', 'Note before.'),
      noting('PostToolUse', 'Note after.'),
    ],
  },
  script: {
    main: [
      { do: [{ shell: mark('deny') }] },
      { do: [{ shell: mark('ask') }] },
      { do: [{ shell: mark('rewrite') }] },
      { do: [{ shell: `git push --force origin main; ${mark('guard')}` }] },
      { do: [{ write: '.claude/settings.json', text: '{}' }] },
      { do: [{ shell: 'echo what.the.tool.printed' }] },
      { do: [{ shell: mark('context') }] },
    ],
  },
  shows: {
    deny: [
      notRan('deny.txt'),
      told('Red tape', after('deny')),
      recorded({ event: 'PreToolUse', effect: 'deny', because: 'test/deny' }),
    ],
    guard: [
      notRan('guard.txt'),
      told('Force push: this overwrites', after('guard')),
      recorded({ tool: 'Bash', effect: 'deny', because: 'safety/git/force-push' }),
    ],
    edit: [
      notRan('.claude/settings.json', 'not written'),
      told("Changing an agent's hook configuration", after('edit')),
      recorded({ tool: 'Write', effect: 'deny', because: 'self/agent-config' }),
    ],
    ask: [notRan('ask.txt', 'not run'), told('Amber tape', after('ask')), recorded({ effect: 'ask' })],
    rewrite: [fileIs('rewrite.txt', 'rewritten\n', 'runs as rewritten')],
    output: [told('What the hook wrote.', after('output'))],
    contextSession: [told('Note at the start.', { step: 0 })],
    contextPrompt: [told('Note with the prompt.', { step: 0 })],
    contextBefore: [told('Note before.', after('context'))],
    contextAfter: [told('Note after.', after('context'))],
  },
}

/** What is seen if the program cannot ask, and Holdpoint denies instead. */
export const ASK_DENIED: readonly Check[] = [
  notRan('ask.txt', 'becomes deny: not run'),
  told('Amber tape', after('ask')),
  recorded({ effect: 'deny', because: 'test/ask', downgraded: 'ask to deny' }),
]
export const REWRITE_DENIED: readonly Check[] = [
  notRan('rewrite.txt', 'becomes deny: not run'),
  told('echo rewritten', after('rewrite')),
  recorded({ effect: 'deny', downgraded: 'rewrite to deny' }),
]
export const OUTPUT_STAYS: readonly Check[] = [
  told('what.the.tool.printed', after('output')),
  recorded({ event: 'PostToolUse', downgraded: 'output' }, 'the output stays, and the journal says so'),
]

const prompt: Episode = {
  name: 'prompt',
  policy: {
    hooks: [
      {
        on: 'UserPromptSubmit',
        id: 'test/block',
        answer: { decision: 'block', reason: 'Not that one.' },
      },
    ],
  },
  script: {},
  shows: { prompt: [turns(0, 'the model is not asked')] },
}

export const UNTIL_NOTES = `[ -e notes.txt ] || echo '{"decision":"block","reason":"Write notes.txt first."}'`
const WRITE_NOTES = 'echo notes > notes.txt'
export const work = { do: [{ shell: WRITE_NOTES }] }

const stop: Episode = {
  name: 'stop',
  policy: {
    hooks: [{ on: 'Stop', id: 'test/gate', answer: UNTIL_NOTES }],
    contracts: [{ id: 'report', files: ['report.md'] }],
  },
  script: { main: [{ say: 'Finished.' }, { do: [{ shell: `${WRITE_NOTES}; echo report > report.md` }] }] },
  shows: {
    stop: [
      told('Write notes.txt first.'),
      ran('notes.txt', 'it goes on and does it'),
      recorded({ event: 'Stop', effect: 'deny', because: 'test/gate' }),
      recorded({ event: 'Stop', effect: 'pass' }),
    ],
    contract: [
      told('report.md does not exist'),
      ran('report.md', 'it goes on and writes it'),
      recorded({ event: 'Stop', effect: 'deny', because: 'report' }),
    ],
  },
}

const subagent: Episode = {
  name: 'sub-agent',
  options: { delegates: true },
  policy: {
    hooks: [
      answering('PreToolUse', 'test/deny', 'helper.txt', {
        decision: 'block',
        reason: 'Red tape: not today.',
      }),
      { on: 'SubagentStop', id: 'test/gate', answer: UNTIL_NOTES },
    ],
    contracts: [{ id: 'notes', agent: '*', files: ['notes.txt'] }],
  },
  script: {
    main: [{ do: [{ delegate: 'helper' }] }],
    helper: [{ do: [{ shell: mark('helper') }] }, { say: 'Finished.' }, work],
  },
  shows: {
    subagent: [notRan('helper.txt'), told('Red tape', { in: 'helper' }), recorded({ effect: 'deny' })],
    identity: [recorded({ event: 'PreToolUse', effect: 'deny', by: 'sub-agent' }, 'its id and its type')],
    subagentStop: [
      told('Write notes.txt first.', { in: 'helper', step: 2 }),
      ran('notes.txt', 'it goes on and does it'),
    ],
    subagentContract: [
      told('notes.txt does not exist', { in: 'helper', step: 2 }),
      ran('notes.txt', 'it goes on and writes it'),
    ],
  },
}

/** What an orchestrator does wherever there are skills and sub-agents. `writer`: the tool with which it writes a file. */
export const delegates = (writer = 'Write'): readonly Check[] => [
  notRan('written.txt', 'it writes nothing'),
  told(`${writer} is forbidden for MUX orchestrator.`, { step: 2 }),
  recorded({ event: 'PreToolUse', tool: 'Agent', effect: 'pass' }, 'it starts an agent'),
]
export const DELEGATES = delegates()

/** Where the events of a sub-agent do not say so, its rules hold for both. */
export const DELEGATES_IN_VAIN: readonly Check[] = [
  ...DELEGATES,
  notRan('helped.txt', '**which is held too**: it looks like the orchestrator'),
]

/** With the skill that `init` installed. */
const orchestrator: Episode = {
  name: 'orchestrator',
  options: { delegates: true },
  policy: {},
  arrange: (sandbox) => install(sandbox, sandbox.agent, ['--pack', 'mux']),
  script: {
    main: [
      { do: [{ skill: 'mux' }] },
      { do: [{ write: 'written.txt', text: 'x' }] },
      { do: [{ delegate: 'helper' }] },
      { do: [{ delegate: 'helper', beside: true }] },
    ],
    helper: [{ do: [{ shell: 'echo helped > helped.txt' }] }],
  },
  shows: {
    orchestrator: [...DELEGATES, told('in the background', { step: 3 }), ran('helped.txt', 'which works')],
  },
}

const WAYS = ['crash', 'garbage', 'hang'] as const
const faults: Episode = {
  name: 'faults',
  policy: {
    hooks: [
      {
        ...{ on: 'PreToolUse', id: 'test/breaking', onFailure: 'deny' },
        answer: `case "$event" in *crash.txt*) exit 1 ;; *garbage.txt*) echo '{"permissionDecision": "alow"}' ;; esac`,
      },
      {
        ...{ on: 'PreToolUse', id: 'test/hanging', onFailure: 'deny', timeoutMs: 1_000 },
        answer: 'case "$event" in *hang.txt*) sleep 300 ;; esac',
      },
    ],
  },
  script: { main: WAYS.map((way) => ({ do: [{ shell: mark(way) }] })) },
  shows: { faults: WAYS.map((way) => notRan(`${way}.txt`, `${way}: not run`)) },
}

const once = { main: [{ do: [{ shell: `echo original > ${RAN}` }] }] }
const NOT_STARTED: readonly Check[] = [notRan(), turns(0, 'the prompt is stopped before the model is asked')]
const hookProgram = ({ places }: Sandbox) => join(places.holdpoint, 'bin', 'holdpoint-hook')

const gone: Episode = {
  name: 'gone',
  policy: {},
  arrange: (sandbox) => rmSync(hookProgram(sandbox)),
  script: once,
  shows: { gone: NOT_STARTED },
}

const killed: Episode = {
  name: 'killed',
  policy: {},
  arrange: (sandbox) => sandbox.write(hookProgram(sandbox), '#!/bin/sh\nkill -9 $$\n'),
  script: once,
  shows: { killed: NOT_STARTED },
}

const broken: Episode = {
  name: 'broken',
  policy: {},
  arrange: (sandbox) => {
    rmSync(join(sandbox.places.holdpoint, 'cache'), { recursive: true, force: true })
    sandbox.write(join(sandbox.places.holdpoint, 'config.yaml'), 'hooks: [unfinished\n')
  },
  script: once,
  shows: { broken: NOT_STARTED },
}

const daemon: Episode = {
  name: 'daemon',
  policy: { packs: { safety: true } },
  arrange: (sandbox) => {
    const pid = join(sandbox.places.holdpoint, 'run', 'daemon.pid')
    sandbox.write('end.sh', `kill -9 $(cut -d' ' -f1 '${pid}') && echo gone > killed.txt\n`)
    sandbox.holdpoint(['daemon', 'start', '--home', sandbox.places.holdpoint])
  },
  script: {
    main: [
      { do: [{ shell: 'sh end.sh' }] },
      { do: [{ shell: `git push --force origin main; echo original > ${RAN}` }] },
    ],
  },
  shows: {
    daemon: [
      quiet(ran('killed.txt')),
      notRan(RAN, 'the hook judges by itself: not run'),
      told('Force push: this overwrites', { step: 2 }),
    ],
  },
}

/** If an exit code does not stop a prompt, its calls are stopped. */
export const CALLS_STOPPED: readonly Check[] = [notRan(RAN, 'the prompt goes on, its calls are not run')]

/** The agent removes its own hooks by their file name. */
function selfEpisode(hookFile: string): Episode {
  return {
    name: 'self',
    policy: { packs: { self: true } },
    script: { main: [{ do: [{ shell: `rm -f ~/${hookFile}; echo original > ${RAN}` }] }] },
    shows: {
      self: [
        notRan(),
        told("Changing an agent's hook configuration"),
        recorded({ effect: 'deny', because: 'self/agent-config' }),
      ],
    },
  }
}

const uninstall: Episode = {
  name: 'uninstall',
  policy: {
    hooks: [{ on: 'PreToolUse', id: 'test/deny', answer: { decision: 'block', reason: 'Red tape.' } }],
  },
  arrange: inAndOut,
  script: once,
  shows: {
    uninstall: [ran(RAN, 'its files are as before, byte for byte; nothing is held'), notRecorded({})],
  },
}

/** All starts of one program. `hookFile`: the file of its hooks, relative to the home. */
export function episodesFor(hookFile: string): readonly Episode[] {
  return [
    calls,
    prompt,
    stop,
    subagent,
    orchestrator,
    faults,
    gone,
    killed,
    broken,
    daemon,
    selfEpisode(hookFile),
    uninstall,
  ]
}
