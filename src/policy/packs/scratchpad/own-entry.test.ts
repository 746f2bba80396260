import { describe, expect, it } from 'vitest'
import type { KnownAgent } from '../../../core/actor.ts'
import type { Facts } from '../../../core/facts.ts'
import { buildPlan } from '../../../handlers/plan.ts'
import { actorOf, eventOf, frozenFacts } from '../../../library/testing/events.ts'
import { ownEntry } from './own-entry.ts'
import { pack } from './pack.ts'

interface Asked {
  readonly path: string
  readonly agentType?: string
  readonly main?: boolean
  readonly agents?: readonly KnownAgent[]
  readonly facts?: Partial<Facts>
  readonly options?: Record<string, never> | { readonly folder?: string; readonly except?: readonly string[] }
}

async function grants({
  path,
  agentType = 'writer',
  main,
  agents,
  facts,
  options = {},
}: Asked): Promise<boolean> {
  const who = main === true ? {} : { agentId: 'a1', agentType }
  const tool = { name: 'Write', input: { file_path: path, content: 'x' } }
  const event = eventOf('PermissionRequest', { ...who, tool, suggestions: [] })
  const answer = await ownEntry.check({
    event,
    actor: actorOf(event),
    facts: frozenFacts(facts),
    options,
    memory: {},
    ...(agents === undefined ? {} : { agents }),
  })
  return answer !== null && 'effect' in answer && answer.effect === 'allow'
}

const OWN = '.claude/scratchpad/writer/2026-01-15.md'
const COORDINATORS = '.claude/scratchpad/coordinator/2026-01-15.md'
const worked = {
  id: 'a1',
  type: 'writer',
  ended: true,
  memory: { 'contracts/began': { atMs: 0, date: '2026-01-15' } },
}

describe('K-31: the pack grants exactly the file that is owed', () => {
  it.each<[boolean, string, Asked]>([
    [true, 'its own entry', { path: OWN }],
    [true, 'its own entry by an absolute path', { path: `/srv/project/${OWN}` }],
    [
      true,
      'in another folder, if that is the option',
      { path: 'notes/writer/2026-01-15.md', options: { folder: 'notes' } },
    ],
    [false, 'the entry of another agent', { path: '.claude/scratchpad/reader/2026-01-15.md' }],
    [false, 'an entry of another day', { path: '.claude/scratchpad/writer/2026-01-14.md' }],
    [false, 'another file', { path: '.claude/settings.json' }],
    [false, 'a way out of the folder', { path: '.claude/scratchpad/writer/../../settings.json' }],
    [false, 'a path with a NUL', { path: `${OWN}\0.sh` }],
    [false, 'an agent that owes nothing', { path: OWN, options: { except: ['writer'] } }],
    [false, 'a type that cannot be a folder', { path: OWN, agentType: '../writer' }],
    [false, 'the main agent without delegation', { path: COORDINATORS, main: true }],
    [true, 'the coordinator entry after delegation', { path: COORDINATORS, main: true, agents: [worked] }],
    [false, 'another entry after delegation', { path: OWN, main: true, agents: [worked] }],
    [
      false,
      'an entry behind a link',
      { path: OWN, facts: { realpath: (path) => (path.endsWith('.md') ? '/etc/cron.d/x' : path) } },
    ],
  ])('%s: %s', async (wanted, _name, asked) => {
    expect(await grants(asked)).toBe(wanted)
  })

  it('only where every file that asks for the pack is trusted', () => {
    const layer = (trusted: boolean) =>
      ({
        rank: trusted ? 'user' : 'project',
        file: 'f',
        trusted,
        hooks: [],
        settings: {},
        problems: [],
        packs: [{ pack: 'scratchpad', options: {}, origin: { file: 'f' } }],
      }) as const
    const granted = (...layers: ReturnType<typeof layer>[]) =>
      buildPlan(layers, new Map([[pack.id, pack]]))
        .hooks.filter(({ grants: may }) => may)
        .map(({ id }) => id)
    expect(granted(layer(true))).toEqual(['scratchpad/own-entry'])
    expect(granted(layer(true), layer(false))).toEqual([])
  })
})
