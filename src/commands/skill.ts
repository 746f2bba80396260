import { randomBytes } from 'node:crypto'
import { actorKey } from '../core/actor.ts'
import { HoldpointError } from '../core/errors.ts'
import { bareSkill } from '../core/state/actors.ts'
import { createFileState } from '../storage/state/file-state.ts'
import { homeLayout } from '../system/home.ts'
import type { Caller } from './caller.ts'

interface SkillOptions {
  readonly session: string
  readonly agent?: string
  readonly home?: string
}

/** For agents that do not report when a skill starts: rules for that skill apply from here until it ends. */
export async function skill(
  caller: Caller,
  verb: 'start' | 'end',
  name: string,
  options: SkillOptions,
): Promise<void> {
  const bare = bareSkill(name)
  if (bare === '' || options.session === '') {
    throw new HoldpointError({
      code: 'OPTION_INVALID',
      message: 'The name of the skill or the session is empty.',
    })
  }
  const state = createFileState(homeLayout(options.home, caller.env).state)
  const agent = actorKey(options.agent)
  const committed = state.commit(options.session, {
    agent,
    changes: [{ kind: 'skill', name: bare, active: verb === 'start' }],
    nonce: randomBytes(8).toString('hex'),
    atMs: Date.now(),
  })
  if (!committed.ok) throw new HoldpointError(committed.problem)
  const skills = committed.value.state.actors.get(agent)?.skills ?? []
  const active = skills.length === 0 ? 'no skill is active' : `active: ${skills.join(', ')}`
  caller.stdout.write(`Skill ${bare} ${verb === 'start' ? 'started' : 'ended'} for ${agent}; ${active}.\n`)
}
