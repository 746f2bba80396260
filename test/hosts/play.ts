import type { Check } from './checks.ts'
import { writePolicy } from './policy.ts'
import type { Scenario } from './scenario.ts'
import type { Station } from './station.ts'
import type { Run } from './world.ts'

/** What a scenario showed on one program. */
export interface Seen {
  readonly complaints: readonly string[]
  /** For the page; empty when there are complaints. */
  readonly words: readonly string[]
}

export function play(
  station: Station,
  scenario: Omit<Scenario, 'name' | 'expected'>,
  checks: readonly Check[],
): Promise<Seen> {
  return station.visit(scenario.script, async (world) => {
    writePolicy(world, scenario.policy)
    for (const [path, text] of Object.entries(scenario.project ?? {})) world.write(path, text)
    const undo = await scenario.arrange?.(world)
    try {
      return look(await world.run(scenario.options), checks)
    } finally {
      if (typeof undo === 'function') await undo()
    }
  })
}

function look(run: Run, checks: readonly Check[]): Seen {
  const complaints = [
    ...(run.exitCode === null ? ['the program did not end'] : []),
    ...run.strangers.map((stranger) => `traffic to somewhere else: ${stranger}`),
    ...checks.map((check) => check.wrong(run)).filter((wrong) => wrong !== undefined),
  ]
  if (complaints.length > 0) return { complaints: [...complaints, run.stderr], words: [] }
  return { complaints, words: checks.map((check) => check.says(run)).filter((word) => word !== '') }
}
