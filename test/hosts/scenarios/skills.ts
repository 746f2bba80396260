import { notRan, RAN, ran, recorded, told } from '../checks.ts'
import type { Sandbox } from '../sandbox.ts'
import type { Chapter } from '../scenario.ts'
import { DENY, LEAVE_A_MARK } from './tools.ts'

/** A rule for a skill applies to the actor that started it: not to its sub-agents, and still after a resume. */

const FOR_SKILL = { hooks: [{ ...DENY, actor: { skill: 'tidy' } }] }
const SKILL = {
  '.claude/skills/tidy/SKILL.md': '---\nname: tidy\ndescription: Tidies up.\n---\nTidy up: $ARGUMENTS\n',
}

const MAIN = 'main.txt'
const mainRuns = { do: [{ shell: `echo main > ${MAIN}` }] }
const script = {
  main: [mainRuns, { do: [{ delegate: 'helper' }] }],
  helper: [{ do: [{ shell: LEAVE_A_MARK }] }],
}

const NO_EVENT = 'no event says that a skill began; `holdpoint skill start` does (below)'

export const skills: Chapter = {
  title: 'A rule for a skill',
  scenarios: [
    {
      name: 'the person starts the skill with `/tidy`',
      policy: FOR_SKILL,
      project: SKILL,
      options: { prompt: '/tidy' },
      script,
      expected: {
        'claude-code': [
          notRan(MAIN, 'holds for the main agent'),
          ran(RAN, 'not for its sub-agent'),
          recorded({ event: 'UserPromptExpansion' }),
          recorded({ effect: 'deny', because: 'test/deny', by: 'main' }),
        ],
        codex: { cannot: NO_EVENT },
      },
    },
    {
      name: 'the model starts the skill',
      policy: FOR_SKILL,
      project: SKILL,
      script: { ...script, main: [{ do: [{ skill: 'tidy' }] }, ...script.main] },
      expected: {
        'claude-code': [
          notRan(MAIN, 'holds for the main agent'),
          ran(RAN, 'not for its sub-agent'),
          recorded({ effect: 'deny', because: 'test/deny', by: 'main' }),
        ],
        codex: { cannot: NO_EVENT },
      },
    },
    {
      name: 'the session is resumed in a new process',
      policy: FOR_SKILL,
      project: SKILL,
      arrange: (sandbox) => firstRun(sandbox, '/tidy'),
      options: { resume: true },
      script: { main: [{ say: 'Started.' }, mainRuns] },
      expected: {
        'claude-code': [notRan(MAIN, 'still holds'), told('Red tape', { step: 2 })],
        codex: { cannot: NO_EVENT },
      },
    },
    {
      name: '`holdpoint skill start`, then the session is resumed',
      policy: FOR_SKILL,
      arrange: async (sandbox) => startSkill(sandbox, await firstRun(sandbox, 'Play')),
      options: { resume: true },
      script: { ...script, main: [{ say: 'Started.' }, ...script.main] },
      expected: {
        'claude-code': [notRan(MAIN, 'holds for the main agent'), ran(RAN, 'not for its sub-agent')],
        codex: [notRan(MAIN, 'holds for the main agent'), ran(RAN, 'not for its sub-agent')],
      },
    },
  ],
}

/** Runs one turn; returns the session. */
async function firstRun(sandbox: Sandbox, prompt: string): Promise<string> {
  const { journal } = await sandbox.run({ prompt })
  const [first] = journal
  if (first === undefined) throw new Error('the first run left no record')
  return first.session
}

function startSkill(sandbox: Sandbox, session: string): void {
  const { exitCode, stderr } = sandbox.holdpoint([
    'skill',
    'start',
    'tidy',
    '--session',
    session,
    '--home',
    sandbox.places.holdpoint,
  ])
  if (exitCode !== 0) throw new Error(stderr)
}
