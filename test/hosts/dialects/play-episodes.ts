import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AgentSetup, setUpAgent } from '../agent-setup.ts'
import { playParts } from '../play.ts'
import type { Sandbox } from '../sandbox.ts'
import type { Behaviour } from './behaviours.ts'
import { type Episode, episodesFor } from './episodes.ts'
import { hookFileOf } from './hook-file.ts'
import { type DialectProgram, isNotTried } from './program.ts'
import { PROGRAMS } from './programs/index.ts'

declare module 'vitest' {
  interface TaskMeta {
    /** What the episode showed, by behaviour, and of which version: scripts/hosts/evidence.mjs. */
    version?: string
    seen?: Readonly<Partial<Record<Behaviour, string>>>
  }
}

function arranged(program: DialectProgram, episode: Episode): Episode {
  if (program.afterDaemon !== true || episode.arrange !== undefined) return episode
  const arrange = ({ holdpoint, places }: Sandbox) => {
    holdpoint(['daemon', 'start', '--home', places.holdpoint])
  }
  return { ...episode, arrange }
}

/** All episodes of one program, in the full depth. */
export function playEpisodes(id: string): void {
  const program = PROGRAMS[id]
  if (program === undefined) throw new Error(`There is no program "${id}".`)
  describe(id, async () => {
    let setup: AgentSetup | undefined
    beforeAll(async () => {
      setup = await setUpAgent(program.agent)
    })
    afterAll(() => setup?.close())
    for (const episode of episodesFor(await hookFileOf(id))) {
      const expected = Object.entries({ ...episode.shows }).map(([behaviour, checks]) => {
        const own = program.expected[behaviour as Behaviour]
        return [behaviour as Behaviour, own ?? checks] as const
      })
      const tried = expected.flatMap(([behaviour, checks]) =>
        isNotTried(checks) ? [] : [[behaviour, checks] as const],
      )
      if (tried.length === 0) continue
      it(episode.name, async ({ task }) => {
        if (setup === undefined) throw new Error('the setup is not open')
        const seen = await playParts(setup, arranged(program, episode), tried)
        // The script that started the suite makes evidence of it.
        task.meta.version = /[\d.]+$/.exec(program.agent.title)?.[0] ?? program.agent.title
        task.meta.seen = Object.fromEntries(
          seen.flatMap(([behaviour, { words, complaints }]) =>
            complaints.length === 0 ? [[behaviour, words.join('; ')]] : [],
          ),
        )
        const wrong = seen.filter(([, { complaints }]) => complaints.length > 0)
        expect(wrong.map(([behaviour, { complaints }]) => [behaviour, ...complaints])).toEqual([])
      })
    }
  })
}
