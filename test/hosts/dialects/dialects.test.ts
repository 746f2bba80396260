import { relative } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { INSTALLERS } from '../../../src/hosts/installers.ts'
import { type AgentSetup, setUpAgent } from '../agent-setup.ts'
import { playParts } from '../play.ts'
import type { Sandbox } from '../sandbox.ts'
import type { Behaviour } from './behaviours.ts'
import { type Episode, episodesFor } from './episodes.ts'
import { noteSeen } from './evidence.ts'
import type { DialectProgram } from './program.ts'
import { PROGRAMS } from './programs/index.ts'

/** `HOLDPOINT_HOSTS=copilot,grok` runs only these. */
const chosen = process.env.HOLDPOINT_HOSTS?.split(',') ?? Object.keys(PROGRAMS)
const HOME = '/home/dev'
const files = new Map(
  await Promise.all(
    chosen.map(async (id) => {
      const installer = (await INSTALLERS[id]?.())?.installer
      const file = installer?.file('user', { project: '/srv', home: HOME, env: {} }) ?? ''
      return [id, relative(HOME, file)] as const
    }),
  ),
)

function arranged(program: DialectProgram, episode: Episode): Episode {
  if (program.afterDaemon !== true || episode.arrange !== undefined) return episode
  const arrange = ({ holdpoint, places }: Sandbox) => {
    holdpoint(['daemon', 'start', '--home', places.holdpoint])
  }
  return { ...episode, arrange }
}

for (const id of chosen) {
  const program = PROGRAMS[id]
  if (program === undefined) throw new Error(`There is no program "${id}".`)
  describe(id, () => {
    let setup: AgentSetup | undefined
    beforeAll(async () => {
      setup = await setUpAgent(program.agent)
    })
    afterAll(() => setup?.close())
    for (const episode of episodesFor(files.get(id) ?? '')) {
      const expected = Object.entries({ ...episode.shows }).map(([behaviour, checks]) => {
        const own = program.expected[behaviour as Behaviour]
        return [behaviour as Behaviour, own ?? checks] as const
      })
      const tried = expected.flatMap(([behaviour, checks]) =>
        'notProved' in checks ? [] : [[behaviour, checks] as const],
      )
      if (tried.length === 0) continue
      it(episode.name, async () => {
        if (setup === undefined) throw new Error('the setup is not open')
        const seen = await playParts(setup, arranged(program, episode), tried)
        for (const [behaviour, { words, complaints }] of seen)
          if (complaints.length === 0) noteSeen(id, program.agent.title, behaviour, words)
        const wrong = seen.filter(([, { complaints }]) => complaints.length > 0)
        expect(wrong.map(([behaviour, { complaints }]) => [behaviour, ...complaints])).toEqual([])
      })
    }
  })
}
