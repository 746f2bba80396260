import { randomBytes } from 'node:crypto'
import { actorKey } from '../actor.ts'
import { HoldpointError } from '../errors.ts'
import { bareSkill } from '../state/actors.ts'
import { createFileState } from '../state/file-state.ts'
import { homeLayout } from '../world/home.ts'

interface SkillOptions {
  readonly session: string
  readonly agent?: string
  readonly home?: string
}

/** For agents that do not tell when a skill begins: rules scoped to it hold from here on, until it ends. */
export async function skill(verb: 'start' | 'end', name: string, options: SkillOptions): Promise<void> {
  const bare = bareSkill(name)
  if (bare === '' || options.session === '') {
    throw new HoldpointError({ code: 'OPTION_INVALID', message: 'The skill and the session need a name.' })
  }
  const state = createFileState(homeLayout(options.home, process.env).state)
  const agent = actorKey(options.agent)
  const committed = state.commit(options.session, {
    agent,
    changes: [{ do: 'skill', name: bare, active: verb === 'start' }],
    nonce: randomBytes(8).toString('hex'),
    atMs: Date.now(),
  })
  if (!committed.ok) throw new HoldpointError(committed.problem)
  const skills = committed.value.state.actors.get(agent)?.skills ?? []
  const active = skills.length === 0 ? 'no skill is active' : `active: ${skills.join(', ')}`
  process.stdout.write(`Skill ${bare} ${verb === 'start' ? 'began' : 'ended'} for ${agent}; ${active}.\n`)
}
