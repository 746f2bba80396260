import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Act, Turn } from '../agents.ts'
import { type Check, notRan, notRecorded, quiet, ran, told, turns } from '../checks.ts'
import { install } from '../install.ts'
import { markOf } from '../models/model.ts'
import type { Chapter } from '../scenario.ts'
import { ROOT, type World } from '../world.ts'

/** An orchestration from its beginning to its end: who may do what, and how results travel. */

/** The session's folder is named by the first tool, so the model finds it in what it is told. */
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

/** Read from the answer to `mux session`. */
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
  { say: 'Waiting for the agents.' },
  // It is told of the first one's end.
  { do: [{ tool: 'ToolSearch', input: hearsOfFirst }] },
  { say: 'One is done.' },
]

/** The second one may end from now on: so that the parent hears of each in a turn of its own. */
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

const AFTER_FIRST = 'for i in $(seq 600); do [ -e heard-of-first ] && break; sleep 0.1; done; sleep 2; '
const helpers = { first: works('first', ''), second: works('second', AFTER_FIRST) }
const files = { 'notes.txt': 'Cats.\n', 'keep/it.txt': '' }

/** `at`: how often the model had spoken before it first tried something. */
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

/** What the main agent asked for, in order, and what became of it: docs/guide/mux.md shows the same. */
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

/** Each call once: the hooks of the skills ask about it too. */
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

/** `init --pack mux`, and `holdpoint` on the search path of the agent's shell. */
function prepare(world: World): void {
  install(world, world.agent, ['--pack', 'mux'])
  const folder = join(world.places.temporary, 'programs')
  const program = `'${process.execPath}' '${join(ROOT, 'dist', 'holdpoint.cjs')}'`
  const home = world.places.holdpoint
  world.write(join(folder, 'holdpoint'), `#!/bin/sh\nHOLDPOINT_HOME='${home}' exec ${program} "$@"\n`, 0o755)
  const variables = world.agent.repository.environment({ PATH: `${folder}:${world.env.PATH}` })
  for (const [path, text] of Object.entries(variables)) world.write(path, text)
  project = world.places.project
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
      name: 'the same after `--continue`, where Claude Code has lost the hooks of the skill',
      policy: {},
      project: files,
      arrange: async (world) => {
        prepare(world)
        await world.run({ prompt: '/mux' })
      },
      options: { resume: true },
      script: { main: [{ say: 'Begun.' }, ...TRIES, ...DELEGATES, ...CONCLUDES], ...helpers },
      expected: { 'claude-code': held(1), codex: { cannot: CANNOT } },
    },
  ],
}
