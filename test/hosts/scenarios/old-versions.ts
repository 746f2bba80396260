import { AGENTS, type Agent, CLAUDE_CODE_WITHOUT_ARGS } from '../agents.ts'
import { type Check, notRan, recorded, shows, told, turns } from '../checks.ts'
import type { Scenario } from '../scenario.ts'
import { plantHostility } from './attacks.ts'
import { DENY, LEAVE_A_MARK } from './tools.ts'

/** A program that ignores `onFailure` and `args` in a hook. */
export interface OldScenario extends Omit<Scenario, 'expected'> {
  /** The program that `init` finds on PATH. */
  readonly installedFor: Agent
  /** With the plugin instead of the hooks that `init` writes. */
  readonly plugin?: 'alone'
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
    name: 'installed for a newer version: the entry is the same, and a hook denies',
    policy: { hooks: [DENY] },
    script: once,
    installedFor: AGENTS['claude-code'],
    expected: [notRan(), told('Red tape')],
  },
  {
    name: 'the plugin, which needs a newer version',
    policy: {},
    script: once,
    installedFor: CLAUDE_CODE_WITHOUT_ARGS,
    plugin: 'alone',
    expected: [
      notRan(),
      turns(0, 'the prompt is stopped before the model is asked'),
      shows('too old for the Holdpoint plugin', 'the person reads why'),
    ],
  },
]
