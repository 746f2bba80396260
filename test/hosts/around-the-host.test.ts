import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AgentSetup, type SetupOptions, setUpAgent } from './agent-setup.ts'
import { AGENTS, type HostId } from './agents.ts'
import type { Check } from './checks.ts'
import { isInFull } from './depth.ts'
import { play } from './play.ts'
import { type Attack, instructions, nested, settings, swept, unasked } from './scenarios/around-the-host.ts'
import { paths, scripts, shells, tools } from './scenarios/around-the-model.ts'

/**
 * Attacks through the agent program itself. They are not on the page in docs/hosts: it only matters that none
 * works.
 */

function attacks(title: string, host: HostId, all: readonly Attack[], options: SetupOptions = {}): void {
  const own = all.flatMap((each) => {
    const checks = each.expected[host]
    return checks === undefined ? [] : [{ each, checks }]
  })
  if (own.length === 0 || !isInFull(host)) return
  describe(`${title}, ${host}`, () => {
    let setup: AgentSetup
    beforeAll(async () => {
      setup = await setUpAgent(AGENTS[host], options)
    })
    afterAll(() => setup.close())
    it.each(own.map(({ each, checks }) => [each.name, each, checks] as const))(
      '%s',
      async (_name, each, checks) => {
        expect((await play(setup, each, [...checks, attacked])).complaints).toEqual([])
      },
    )
  })
}

/** An attack that never began proves nothing. The prompt itself may be what is stopped. */
const attacked: Check = {
  wrong: ({ requests, journal }) =>
    requests.length + journal.length > 0
      ? undefined
      : 'neither model nor hooks were asked: the agent did not start',
  says: () => '',
}

/** The same in the program's default mode, in which it would ask a user who is not there. */
function asking(all: readonly Attack[]): readonly Attack[] {
  return all.map((each) => ({ ...each, options: { ...each.options, skipPermissions: false } }))
}

for (const host of Object.keys(AGENTS) as HostId[]) {
  attacks('instructions that execute', host, instructions)
  attacks('agents that are started', host, nested)
  attacks('questions that nobody is asked', host, unasked)
  attacks('what a call says', host, [...tools, ...paths, ...scripts, ...shells])
  attacks('what a call says, with permissions asked for', host, asking([...paths, ...scripts]))
}
attacks('what a call says, over HTTP', 'claude-code', [...tools, ...paths, ...scripts], { init: ['--http'] })
attacks('what a call says, hooks in the checkout', 'claude-code', paths, { init: ['--scope', 'local'] })
attacks('settings that change', 'claude-code', settings)
attacks('settings that change, over HTTP', 'claude-code', settings.slice(-2), { init: ['--http'] })
attacks('hooks in the checkout', 'claude-code', swept, { init: ['--scope', 'local'] })
