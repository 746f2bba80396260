import { join } from 'node:path'
import { type Check, notRan, notRecorded, notTold, quiet, RAN, ran, recorded, told } from '../checks.ts'
import { typeAsPerson } from '../install.ts'
import { markOf } from '../models/model.ts'
import type { Sandbox } from '../sandbox.ts'
import type { Chapter } from '../scenario.ts'

/**
 * Hooks in the front matter of skills and agents, imported by the project's own configuration. Claude Code runs them
 * too, but forgets those of a skill when the session is resumed. So these tests look at a resumed session, or at the
 * journal, to see what Holdpoint did.
 */

const IMPORTS = { '.holdpoint/config.yaml': 'version: 1\nimports: [frontmatter]\n' }
const NO = '.claude/hooks/no.sh'

/** Denies every call that contains the word. */
const REFUSER = {
  [NO]: `#!/bin/sh\nif grep -q "\\b$1\\b"; then echo "Nobody may $1 here." >&2; exit 2; fi\n`,
}

const refuses = (word: string) =>
  `hooks:\n  PreToolUse:\n    - matcher: Bash\n      hooks:\n        - { type: command, command: sh ${NO} ${word} }\n`
const md = (name: string, head: string) =>
  `---\nname: ${name}\ndescription: Does ${name}.\n${head}---\nNow ${name}. $ARGUMENTS\n`
const TIDY = { '.claude/skills/tidy/SKILL.md': md('tidy', refuses('sweep')) }
const NEAT = { '.claude/skills/neat/SKILL.md': md('neat', refuses('polish')) }

const STOP_GATE = `  Stop:\n    - hooks:\n        - { type: command, command: "echo stopped >> stops.txt" }\n`
const WORKER = { '.claude/agents/worker.md': md('worker', `${refuses('sweep')}${STOP_GATE}`) }

const [MAIN, POLISH, HELPER] = ['main.txt', 'polish.txt', 'helper.txt']
const shell = (text: string, file: string) => ({ do: [{ shell: `echo ${text} > ${file}` }] })
const SUMMARY = { say: `This is ${markOf('main')}.` }
const HOOK = 'frontmatter/hooks.PreToolUse'

const NO_HEADS = 'knows no such files; with `holdpoint skill start` they hold (below)'

export const frontmatter: Chapter = {
  title: 'Hooks of skills and agents',
  scenarios: [
    {
      name: 'a skill, after `/tidy`, compaction and a resume',
      policy: {},
      project: { ...IMPORTS, ...REFUSER, ...TIDY, ...NEAT },
      arrange: async (sandbox) => {
        trustProject(sandbox)
        await sandbox.run({ prompt: '/tidy' })
        const { journal } = await sandbox.run({ prompt: '/compact', resume: true })
        if (!journal.some(({ event }) => event === 'PreCompact')) throw new Error('it was not compacted')
      },
      options: { resume: true },
      // A compacted conversation starts again with its summary, so the first and the last run play the same turns.
      script: {
        main: [
          { do: [{ shell: 'true' }] },
          shell('sweep', MAIN),
          { do: [{ delegate: 'helper' }] },
          shell('polish', POLISH),
          SUMMARY,
          SUMMARY,
          SUMMARY,
        ],
        helper: [shell('sweep', RAN), { do: [{ skill: 'neat' }] }, shell('polish', HELPER)],
      },
      expected: {
        'claude-code': [
          notRan(MAIN, 'holds for the main agent'),
          recorded({ effect: 'deny', because: HOOK, by: 'main', reason: 'sweep' }),
          ran(RAN, 'not for its sub-agent'),
          notRan(HELPER, 'whose own skill holds for it'),
          recorded({ effect: 'deny', because: HOOK, by: 'sub-agent', reason: 'polish' }),
          // Claude Code itself applies the hook of a sub-agent's skill to the parent, so a file would prove nothing.
          recorded({ tool: 'Bash', effect: 'pass', by: 'main' }),
          notRecorded({ because: HOOK, by: 'main', reason: 'polish' }, 'and not for its parent'),
        ],
        codex: { cannot: NO_HEADS },
      },
    },
    {
      name: 'a skill that runs in a fork',
      policy: {},
      project: {
        ...IMPORTS,
        ...REFUSER,
        '.claude/skills/tidy/SKILL.md': `${md('tidy', `context: fork\n${refuses('sweep')}`)}<<helper>>\n`,
      },
      arrange: trustProject,
      script: {
        main: [{ do: [{ skill: 'tidy' }] }, shell('sweep', MAIN)],
        helper: [shell('sweep', RAN)],
      },
      expected: {
        'claude-code': [
          notRan(RAN, 'holds inside'),
          recorded({ effect: 'deny', because: HOOK, by: 'sub-agent' }),
          ran(MAIN, 'not for who started it'),
        ],
        codex: { cannot: NO_HEADS },
      },
    },
    {
      name: 'an agent that works beside its parent',
      policy: {},
      project: { ...IMPORTS, ...REFUSER, ...WORKER },
      arrange: trustProject,
      script: {
        main: [
          { do: [{ delegate: 'helper', as: 'worker', beside: true }] },
          shell('sweep', MAIN),
          { do: [{ shell: 'for i in $(seq 800); do [ -e stops.txt ] && break; sleep 0.1; done' }] },
        ],
        helper: [shell('sweep', RAN)],
      },
      expected: {
        'claude-code': [
          notRan(RAN, 'holds for the agent'),
          recorded({ effect: 'deny', because: HOOK, by: 'sub-agent', agentType: 'worker' }),
          ran('stops.txt', 'its `Stop` runs when it ends'),
          ran(MAIN, 'not for its parent'),
        ],
        codex: { cannot: 'has no types of agents' },
      },
    },
    {
      name: 'an agent that is the main thread (`--agent`)',
      policy: {},
      project: { ...IMPORTS, ...REFUSER, ...WORKER },
      arrange: trustProject,
      options: { agent: 'worker' },
      script: {
        main: [shell('sweep', MAIN), { do: [{ delegate: 'helper' }] }],
        helper: [shell('sweep', RAN)],
      },
      expected: {
        'claude-code': [
          notRan(MAIN, 'holds for it'),
          recorded({ effect: 'deny', because: HOOK, by: 'main' }),
          ran('stops.txt', 'its `Stop` runs'),
          notRecorded({ because: HOOK, by: 'sub-agent' }, 'not for its sub-agents'),
        ],
        codex: { cannot: 'has no types of agents' },
      },
    },
    {
      name: 'a skill whose own hook is `holdpoint hook --skill tidy`: every call is asked twice',
      policy: {},
      arrange: (sandbox) => {
        const config =
          'version: 1\nimports: [frontmatter]\nhooks:\n  PreToolUse: [{ match: Bash, run: ./count.mjs }]\n'
        sandbox.write('.holdpoint/config.yaml', config)
        sandbox.write('count.mjs', COUNTER)
        sandbox.write('.claude/skills/tidy/SKILL.md', md('tidy', asksHoldpoint(sandbox)))
        trustProject(sandbox)
      },
      options: { prompt: '/tidy' },
      script: { main: [shell('one', MAIN), shell('two', RAN)] },
      expected: {
        'claude-code': [
          quiet(asked(4)),
          quiet(told('Call number 2.', { step: 2 })),
          notTold('Call number 3.', 'what hooks remember is counted once'),
        ],
        codex: { cannot: NO_HEADS },
      },
    },
    {
      name: '`holdpoint skill start`, and later `holdpoint skill end`',
      policy: {},
      project: { ...IMPORTS, ...REFUSER, ...TIDY },
      arrange: async (sandbox) => {
        trustProject(sandbox)
        const { journal } = await sandbox.run()
        const session = journal[0]?.session ?? ''
        tell(sandbox, ['skill', 'start', 'tidy', '--session', session])
        await sandbox.run({ resume: true })
        tell(sandbox, ['skill', 'end', 'tidy', '--session', session])
      },
      options: { resume: true },
      script: {
        main: [
          { say: 'Begun.' },
          shell('sweep', MAIN),
          { do: [{ delegate: 'helper' }] },
          { say: 'Done.' },
          shell('sweep', RAN),
        ],
        helper: [shell('sweep', HELPER)],
      },
      expected: {
        'claude-code': { cannot: 'tells itself when a skill begins (above)' },
        codex: [
          notRan(MAIN, 'holds for the main agent from its start'),
          ran(HELPER, 'not for its sub-agent'),
          ran(RAN, 'and no longer after its end'),
        ],
      },
    },
  ],
}

/** Tells the agent how many calls it remembers. */
const COUNTER = `export default (event, { memory }) => ({
  effect: 'pass',
  context: [{ text: \`Call number \${(memory?.calls ?? 0) + 1}.\`, to: 'self' }],
  remember: [{ op: 'count', key: 'calls', by: 1 }],
})
`

function asksHoldpoint({ places }: Sandbox): string {
  const command = `'${join(places.holdpoint, 'bin/holdpoint-hook')}' claude-code --home '${places.holdpoint}' --skill tidy`
  return `hooks:\n  PreToolUse:\n    - hooks:\n        - { type: command, command: ${JSON.stringify(command)} }\n`
}

/** Holdpoint was called this often about a shell command. */
function asked(times: number): Check {
  return {
    wrong: ({ journal }) => {
      const seen = journal.filter(({ event, tool }) => event === 'PreToolUse' && tool === 'Bash').length
      return seen === times ? undefined : `asked ${seen} times, not ${times}`
    },
    says: () => `asked ${times} times`,
  }
}

/** The user reviews what the project would run, and trusts it. */
export function trustProject(sandbox: Sandbox): void {
  typeAsPerson(sandbox, ['trust', '--yes'])
}

function tell(sandbox: Sandbox, args: readonly string[]): void {
  const { exitCode, stdout, stderr } = sandbox.holdpoint([...args, '--home', sandbox.places.holdpoint])
  if (exitCode !== 0) throw new Error(`${stdout}${stderr}`)
}
