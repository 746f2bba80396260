import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { holdpointProgram } from '../../installed.ts'
import type { Act, Turn } from '../agents.ts'
import { type Check, notRan, notRecorded, quiet, ran, recorded, told, turns } from '../checks.ts'
import { install } from '../install.ts'
import { markOf } from '../models/model.ts'
import type { Sandbox } from '../sandbox.ts'
import type { Chapter } from '../scenario.ts'

/** An orchestration from its beginning to its end: which agent may do what, and how results are passed on. */

/** The first tool names the session's folder, and the model finds it in its answer. */
let session = ''
let project = ''

const use = (tool: string, input: Readonly<Record<string, unknown>>): Turn => ({ do: [{ tool, input }] })
const agent = (prompt: string, background: boolean) => ({
  description: 'Help',
  prompt,
  subagent_type: 'general-purpose',
  run_in_background: background,
})

const runs = (command: () => string): Turn => ({
  do: [{ tool: 'Bash', input: () => ({ command: command(), description: 'Run it' }) }],
})

/** Reads the folder from the answer to `mux session`. */
function launch(name: string): Act {
  const input = (said: string) => {
    session = /SESSION_DIR=(\S+)/.exec(said)?.[1] ?? ''
    return agent(`Play ${markOf(name)} in ${session}.`, true)
  }
  return { tool: 'Agent', input }
}

const TRIES: readonly Turn[] = [
  use('Read', { file_path: 'notes.txt' }),
  use('Write', { file_path: 'written.txt', content: 'x' }),
  use('ToolSearch', { query: 'select:WebFetch', max_results: 1 }),
  use('WebFetch', { url: 'http://elsewhere.example/', prompt: 'What is it?' }),
  use('Agent', agent(`Play ${markOf('foreground')}.`, false)),
  runs(() => 'mkdir -p x && rm -rf keep'),
]

const DELEGATES: readonly Turn[] = [
  runs(() => 'holdpoint mux session two-cats'),
  { do: [launch('first'), launch('second')] },
  runs(() => 'holdpoint mux verify --action count'),
  runs(() => 'holdpoint  mux verify --action "count"'),
  { say: hasLooked },
  // It is notified that the first one has ended.
  { do: [{ tool: 'ToolSearch', input: hearsOfFirst }] },
  { say: 'One is done.' },
]

/** The first one may end from now on. If it ended before, the second check would not be polling. */
function hasLooked(): string {
  writeFileSync(join(project, 'has-looked'), '')
  return 'Waiting for the agents.'
}

/** The second one may end from now on, so that the parent is notified of each in a separate turn. */
function hearsOfFirst(): Readonly<Record<string, unknown>> {
  writeFileSync(join(project, 'heard-of-first'), '')
  return { query: 'select:WebSearch', max_results: 1 }
}

const CONCLUDES: readonly Turn[] = [
  runs(() => `holdpoint mux verify --action gate --expected 2`),
  runs(() => `holdpoint mux extract-summary ${session}/research/first.md`),
  runs(() => `holdpoint mux extract-summary ${session}/research/second.md`),
  runs(() => 'holdpoint mux deactivate'),
  use('Read', { file_path: 'notes.txt' }),
  { say: 'Both cats sleep.' },
]

const report = (name: string) =>
  `# ${name}\n\n## Table of Contents\n\n## Executive Summary\n\n- The ${name} cat sleeps.\n\n## Next Steps\n\nNone.\n`

function works(name: string, waits: string): readonly Turn[] {
  const inSession = 'cd "$(ls -d tmp/mux/*-two-cats)"'
  const write = `cat <<'END' > research/${name}.md\n${report(name)}END`
  const signal = `S=$(ls -d tmp/mux/*-two-cats); holdpoint mux signal $S/.signals/${name}.done --path $S/research/${name}.md --status success`
  return [
    { do: [{ skill: 'mux-subagent' }] },
    { do: [{ shell: `(${inSession}; ${write}\n)` }] },
    use('Read', { file_path: 'notes.txt' }),
    use('Skill', { skill: 'mux' }),
    { do: [{ shell: `${waits}${signal} && touch ${name}.signalled` }] },
    { say: '0' },
  ]
}

const AFTER_LOOK = 'for i in $(seq 600); do [ -e has-looked ] && break; sleep 0.1; done; '
const AFTER_FIRST = 'for i in $(seq 600); do [ -e heard-of-first ] && break; sleep 0.1; done; sleep 2; '
const helpers = { first: works('first', AFTER_LOOK), second: works('second', AFTER_FIRST) }
const files = { 'notes.txt': 'Cats.\n', 'keep/it.txt': '' }

/** `at`: the number of the model's answers before its first attempt. */
function held(at: number): readonly Check[] {
  const DELEGATED = at + TRIES.length
  const concluded = DELEGATED + DELEGATES.length
  const guard = 'mux/orchestrator'
  const step = (number: number) => ({ step: number + 1 })
  return [
    told('Read is forbidden for MUX orchestrator.', step(at)),
    notRan('written.txt', 'it writes nothing'),
    told('Write is forbidden for MUX orchestrator.', step(at + 1)),
    told('WebFetch is forbidden for MUX orchestrator.', step(at + 3)),
    told('run_in_background=True is required', step(at + 4)),
    told('it is more than one command', step(at + 5)),
    quiet(ran('keep/it.txt')),
    decided,
    quiet(turns(0, '', 'foreground')),
    quiet(told('SESSION_DIR=tmp/mux/', step(DELEGATED))),
    told('POLLING DETECTED', step(DELEGATED + 3)),
    quiet(told('Cats.', { in: 'first', step: 3 })),
    told('Skill is forbidden for MUX sub-agents.', { in: 'first', step: 4 }),
    ran('first.signalled', 'its agents read, write and signal'),
    quiet(ran('second.signalled')),
    notRecorded({ because: guard, by: 'sub-agent' }),
    notRecorded({ because: 'mux/subagent', by: 'main' }),
    told('ADVANCE', step(concluded)),
    told('The first cat sleeps.', step(concluded + 1)),
    quiet(told('The second cat sleeps.', step(concluded + 2))),
    told('The orchestration has ended.', step(concluded + 3)),
    { ...told('Cats.', step(concluded + 4)), says: () => 'then it may read again' },
  ]
}

/** The calls of the main agent, in order, and their decisions. docs/guide/mux.md shows the same. */
const DECISIONS: readonly string[] = [
  'Read deny mux/orchestrator',
  'Write deny mux/orchestrator',
  'ToolSearch pass',
  'WebFetch deny mux/orchestrator',
  'Agent deny mux/orchestrator',
  'Bash deny mux/orchestrator',
  'Bash pass',
  'Agent pass',
  'Agent pass',
  'Bash pass',
  'Bash deny mux/polling',
  'ToolSearch pass',
  'Bash pass',
  'Bash pass',
  'Bash pass',
  'Bash pass',
  'Read pass',
]

/** Each call once, although the hooks of the skills report it too. */
const decided: Check = {
  wrong: ({ journal }) => {
    const calls = journal.filter(({ event, agent: by, tool }) => {
      return event === 'PreToolUse' && by === undefined && tool !== 'Skill'
    })
    const seen = new Map(
      calls.map(({ tool, input, effect, because }) => {
        return [`${tool} ${effect} ${input}`, [tool, effect, ...because].join(' ')]
      }),
    )
    const lines = [...seen.values()]
    return lines.join() === DECISIONS.join() ? undefined : `decided: ${lines.join(', ')}`
  },
  says: () => '',
}

/** Runs `init --pack mux`, and puts `holdpoint` on the PATH of the agent's shell. */
function prepare(sandbox: Sandbox): void {
  install(sandbox, sandbox.agent, ['--pack', 'mux'])
  const folder = join(sandbox.places.temporary, 'programs')
  const program = `'${holdpointProgram()}'`
  const home = sandbox.places.holdpoint
  sandbox.write(
    join(folder, 'holdpoint'),
    `#!/bin/sh\nHOLDPOINT_HOME='${home}' exec ${program} "$@"\n`,
    0o755,
  )
  const variables = sandbox.agent.repository.environment({ PATH: `${folder}:${sandbox.env.PATH}` })
  for (const [path, text] of Object.entries(variables)) sandbox.write(path, text)
  project = sandbox.places.project
}

/** The recovery loop: an agent fails, is started again, and the same check runs once more. */
const gate = () => 'holdpoint mux verify --action gate --expected 1'
const RECOVERS: readonly Turn[] = [
  { do: [{ skill: 'mux' }] },
  runs(() => 'holdpoint mux session two-cats'),
  { do: [launch('fails')] },
  { say: 'Waiting.' },
  runs(gate),
  runs(gate),
  { do: [{ tool: 'Agent', input: () => agent(`Play ${markOf('again')} in ${session}.`, true) }] },
  { say: 'Waiting again.' },
  runs(gate),
  { say: 'The cat sleeps.' },
]

const signals = (name: string, status: string, file: string): readonly Turn[] => {
  const inSession = 'cd "$(ls -d tmp/mux/*-two-cats)"'
  const write = `cat <<'END' > research/only.md\n${report(name)}END`
  const signal = `S=$(ls -d tmp/mux/*-two-cats); rm -f $S/.signals/only.fail; holdpoint mux signal $S/.signals/only.${file} --path $S/research/only.md --status ${status} --error ${name}`
  return [{ do: [{ shell: `(${inSession}; ${write}\n)` }] }, { do: [{ shell: signal }] }, { say: '0' }]
}

const CANNOT = 'has no skills with hooks; with `holdpoint skill start mux` the guards hold'

export const mux: Chapter = {
  title: 'MUX: an orchestrator that may only delegate',
  scenarios: [
    {
      name: 'the model loads `mux`, tries what it may not, delegates and concludes',
      policy: {},
      project: files,
      arrange: prepare,
      script: { main: [{ do: [{ skill: 'mux' }] }, ...TRIES, ...DELEGATES, ...CONCLUDES], ...helpers },
      expected: { 'claude-code': held(1), codex: { cannot: CANNOT } },
    },
    {
      name: 'RECOVER, a resend, and the same look once more',
      policy: {},
      project: files,
      arrange: prepare,
      script: {
        main: RECOVERS,
        fails: signals('fails', 'fail', 'fail'),
        again: signals('again', 'success', 'done'),
      },
      expected: {
        'claude-code': [
          quiet(told('RECOVER', { step: 5 })),
          told('nothing has changed since', { step: 6 }),
          { ...told('ADVANCE', { step: 9 }), says: () => 'after the new signal the same command is fine' },
          quiet(recorded({ because: 'mux/polling', by: 'main' })),
        ],
        codex: { cannot: CANNOT },
      },
    },
    {
      name: 'the same after `--continue`, where Claude Code has lost the hooks of the skill',
      policy: {},
      project: files,
      arrange: async (sandbox) => {
        prepare(sandbox)
        await sandbox.run({ prompt: '/mux' })
      },
      options: { resume: true },
      script: { main: [{ say: 'Begun.' }, ...TRIES, ...DELEGATES, ...CONCLUDES], ...helpers },
      expected: { 'claude-code': held(1), codex: { cannot: CANNOT } },
    },
  ],
}
