import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { setUpAgent } from '../agent-setup.ts'
import { isInFull } from '../depth.ts'
import { kilo, opencode } from './programs/opencode.ts'

/**
 * Why `ask` becomes a deny on OpenCode and Kilo: their session API has an address for questions of plugins, and it
 * answers every question with "deny", whatever the user has configured, without asking anybody.
 */
const asking = (answer: string) => `
import { writeFileSync } from 'node:fs'
export const Asking = async ({ client }) => ({
  'tool.execute.before': async ({ sessionID }) => {
    const url = \`/api/session/\${sessionID}/permission\`
    const headers = { 'content-type': 'application/json' }
    const ask = (action) => client._client.post({ url, headers, body: { action, resources: ['echo one'] } })
    const replies = await Promise.all(['holdpoint', 'bash'].map(ask))
    writeFileSync(${JSON.stringify(answer)}, JSON.stringify(replies.map(({ data, error }) => data?.data?.effect ?? error)))
  },
})
`

describe.each([opencode, kilo].filter(({ agent }) => isInFull(agent.host)))('$agent.host', ({ agent }) => {
  it('asks nobody for a plugin', async () => {
    const setup = await setUpAgent(agent)
    try {
      await setup.run({ main: [{ do: [{ shell: 'echo one' }] }] }, async (sandbox) => {
        const { home, project } = sandbox.places
        sandbox.write(
          join(home, '.config', agent.host, 'plugin', 'asking.js'),
          asking(join(project, 'answer.json')),
        )
        const run = await sandbox.run()
        expect(JSON.parse(run.file('answer.json') ?? 'null')).toEqual(['deny', 'deny'])
      })
    } finally {
      await setup.close()
    }
  })
})
