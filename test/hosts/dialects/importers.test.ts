import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AgentSetup, setUpAgent } from '../agent-setup.ts'
import { AGENTS } from '../agents.ts'
import { notRan, RAN, recorded, told } from '../checks.ts'
import { play } from '../play.ts'
import { grok } from './programs/grok.ts'

/** An agent that runs the hooks in the settings of Claude Code, and has no hooks of its own. */
describe('Grok Build with the hooks that `init` wrote for Claude Code', () => {
  let setup: AgentSetup | undefined
  beforeAll(async () => {
    setup = await setUpAgent(grok.agent, { installedFor: AGENTS['claude-code'] })
  })
  afterAll(() => setup?.close())

  it('is guarded, and gets the reason in its own format', async () => {
    if (setup === undefined) throw new Error('the setup is not open')
    const seen = await play(
      setup,
      {
        policy: { packs: { safety: true } },
        script: { main: [{ do: [{ shell: `git push --force origin main; echo original > ${RAN}` }] }] },
      },
      [
        notRan(),
        told('Force push: this overwrites'),
        recorded({ event: 'PreToolUse', tool: 'Bash', effect: 'deny', because: 'safety/git/force-push' }),
      ],
    )
    expect(seen.complaints).toEqual([])
  })

  it('continues if nothing is denied', async () => {
    if (setup === undefined) throw new Error('the setup is not open')
    const seen = await play(
      setup,
      { policy: {}, script: { main: [{ do: [{ shell: `echo original > ${RAN}` }] }] } },
      [recorded({ event: 'PreToolUse', tool: 'Bash', effect: 'pass' })],
    )
    expect(seen.complaints).toEqual([])
  })
})
