import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { writeAgentPlugin } from '../../../scripts/pack-plugins.mjs'
import { setUpAgent } from '../agent-setup.ts'
import { AGENTS } from '../agents.ts'
import { type Check, notRan, RAN, recorded, told } from '../checks.ts'
import { writePolicy } from '../policy.ts'
import type { Run, Sandbox } from '../sandbox.ts'
import { cline } from './programs/cline.ts'
import { goose } from './programs/goose.ts'

/** The folder of the open standards, copied to where agents look for such folders. */
async function copied({ places, write }: Sandbox): Promise<void> {
  const folder = join(places.home, '.agents', 'plugins', 'holdpoint')
  await writeAgentPlugin(folder)
  // Without it, Holdpoint would be looked for in the home that the system has for this user.
  write(join(folder, 'home'), `${places.holdpoint}\n`)
}

function complaints(run: Run, checks: readonly Check[]): readonly string[] {
  return checks.map((check) => check.wrong(run)).filter((wrong) => wrong !== undefined)
}

describe('the folder of the open standards', () => {
  it('guards Goose by its hooks (Open Plugins), without `init` for Goose', async () => {
    const setup = await setUpAgent(goose.agent, { installedFor: AGENTS['claude-code'] })
    const script = { main: [{ do: [{ shell: `git push --force origin main; echo original > ${RAN}` }] }] }
    try {
      await setup.run(script, async (sandbox) => {
        await copied(sandbox)
        const run = await sandbox.run()
        const checks = [notRan(), told('Force push'), recorded({ tool: 'Bash', effect: 'deny' })]
        expect(complaints(run, checks)).toEqual([])
      })
    } finally {
      await setup.close()
    }
  })

  it('brings Cline its skills (Agent Plugins), whose rules then hold', async () => {
    const setup = await setUpAgent(cline.agent)
    const script = {
      main: [{ do: [{ skill: 'holdpoint:mux' }] }, { do: [{ write: 'written.txt', text: 'x' }] }],
    }
    try {
      await setup.run(script, async (sandbox) => {
        await copied(sandbox)
        writePolicy(sandbox, { packs: { mux: true } })
        const run = await sandbox.run()
        expect(complaints(run, [notRan('written.txt'), told('forbidden for MUX', { step: 2 })])).toEqual([])
      })
    } finally {
      await setup.close()
    }
  })
})
