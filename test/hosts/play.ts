import type { AgentSetup } from './agent-setup.ts'
import type { Check } from './checks.ts'
import { writePolicy } from './policy.ts'
import type { Run } from './sandbox.ts'
import type { Scenario } from './scenario.ts'

/** What a scenario showed with one program. */
export interface Seen {
  readonly complaints: readonly string[]
  /** For the page; empty if there are complaints. */
  readonly words: readonly string[]
}

type Played = Omit<Scenario, 'name' | 'expected'>

export function play(setup: AgentSetup, scenario: Played, checks: readonly Check[]): Promise<Seen> {
  return playFor(setup, scenario, (run) => look(run, checks))
}

/** The same if one start shows several things: what each of them showed. */
export function playParts<Part extends string>(
  setup: AgentSetup,
  scenario: Played,
  parts: readonly (readonly [Part, readonly Check[]])[],
): Promise<readonly (readonly [Part, Seen])[]> {
  return playFor(setup, scenario, (run) => parts.map(([part, checks]) => [part, look(run, checks)] as const))
}

function playFor<T>(setup: AgentSetup, scenario: Played, seen: (run: Run) => T): Promise<T> {
  return setup.run(scenario.script, async (sandbox) => {
    writePolicy(sandbox, scenario.policy)
    for (const [path, text] of Object.entries(scenario.project ?? {})) sandbox.write(path, text)
    const undo = await scenario.arrange?.(sandbox)
    try {
      return seen(await sandbox.run(scenario.options))
    } finally {
      if (typeof undo === 'function') await undo()
    }
  })
}

export function look(run: Run, checks: readonly Check[]): Seen {
  const complaints = [
    ...(run.exitCode === null ? ['the program did not end'] : []),
    ...run.unexpected.map((request) => `traffic to somewhere else: ${request}`),
    ...checks.map((check) => check.wrong(run)).filter((wrong) => wrong !== undefined),
  ]
  if (complaints.length > 0) return { complaints: [...complaints, run.stderr], words: [] }
  return { complaints, words: checks.map((check) => check.says(run)).filter((word) => word !== '') }
}
