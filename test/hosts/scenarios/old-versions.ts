import { AGENTS, type Agent, CLAUDE_CODE_WITHOUT_ARGS } from '../agents.ts'
import { type Check, notRan, recorded, told, turns } from '../checks.ts'
import type { Scenario } from '../scenario.ts'
import { plantHostility } from './attacks.ts'
import { DENY, LEAVE_A_MARK } from './tools.ts'

/** A program that ignores `args` in a hook's entry and starts the bare command. */
export interface OldScenario extends Omit<Scenario, 'expected'> {
  /** The program `init` finds on PATH. */
  readonly installedFor: Agent
  readonly expected: readonly Check[]
}

const once = { main: [{ do: [{ shell: LEAVE_A_MARK }] }] }

export const oldVersions: readonly OldScenario[] = [
  {
    name: 'installed for this version: the entry is one shell command, and a hook denies',
    policy: { hooks: [DENY] },
    script: once,
    installedFor: CLAUDE_CODE_WITHOUT_ARGS,
    expected: [notRan(), told('Red tape'), recorded({ effect: 'deny', because: 'test/deny', by: 'main' })],
  },
  {
    name: 'installed for this version, and the repository sets the environment',
    policy: { packs: { safety: true } },
    arrange: plantHostility,
    script: { main: [{ do: [{ shell: `git push --force origin main; ${LEAVE_A_MARK}` }] }] },
    installedFor: CLAUDE_CODE_WITHOUT_ARGS,
    expected: [
      notRan('preloaded.txt', 'no code of the repository runs in the guard'),
      notRan(),
      told('Force push'),
    ],
  },
  {
    name: 'installed for a newer version: the entry has `args`, and nothing objects',
    policy: {},
    script: once,
    installedFor: AGENTS['claude-code'],
    expected: [notRan(), turns(0, 'the prompt is stopped before the model is asked')],
  },
]
