import type { Guard } from '../../../core/guard.ts'
import { checkContract } from '../../completion/check.ts'
import { holds } from '../../completion/condition.ts'
import { placeholdersOf } from '../../completion/names.ts'
import { agentStart } from '../../completion/start.ts'
import { answerStop } from '../../completion/stop-answer.ts'
import { delegatedSince } from './delegation.ts'
import { COORDINATOR, readPadOptions } from './options.ts'
import { coordinatorContract } from './pads.ts'

/** A session with several agents may end once the coordinator has written its entry of the day. */
export const stop: Guard = {
  id: 'scratchpad/stop',
  title: 'Ending a session of several agents without a coordinator entry',
  why: 'The next session continues from the notes of the coordinator.',
  instead: 'write the entry of the coordinator, then finish.',
  on: ['Stop'],
  match: '',
  knowsAgents: true,
  modes: { standard: 'deny', strict: 'deny', paranoid: 'deny' },
  onFailure: 'pass',
  timeoutMs: 10_000,
  examples: {
    stops: [
      ending({ 'spec-writer/2026-01-15.md': 'x' }),
      ending({ 'spec-writer/2026-01-15.md': '' }),
      ending({ 'a/2026-01-15.md': 'x', 'b/2026-01-15.md': 'x' }),
      ending({ 'a/2026-01-15.md': 'x', 'ego/2026-01-15.md': 'x' }),
      ending({ 'a/2026-01-15.md': 'x', 'coordinator/2026-01-14.md': 'x' }),
      ending({ 'a/2026-01-15.md': 'x', 'coordinator/notes.md': 'x' }),
      ending({ 'a/2026-01-15.md': 'x', 'coordinator/2026-01-15.md/x.md': 'x' }),
      ending({ 'ego/2026-01-15.md': 'x' }, { exclude: ['coordinator'] }),
      { ...ending({}), agents: [agentOf('spec-writer', '2026-01-15')] },
    ],
    passes: [
      ending({}),
      ending({ 'spec-writer/2026-01-14.md': 'x' }),
      ending({ 'ego/2026-01-15.md': 'x' }),
      ending({ 'coordinator/2026-01-15.md': 'x' }),
      ending({ 'a/2026-01-15.md': 'x', 'coordinator/2026-01-15.md': 'x' }),
      ending({ 'a/2026-01-15.md': 'x', 'coordinator/2026-01-15.md': '' }),
      ending({ 'a/2026-01-15.txt': 'x', '2026-01-15.md': 'x' }),
      ending({ 'reviewer/2026-01-15.md': 'x' }, { exclude: ['coordinator', 'ego', 'reviewer'] }),
      { ...ending({}), agents: [agentOf('ego', '2026-01-15')] },
      { ...ending({}), agents: [agentOf('spec-writer', '2026-01-14')] },
      { ...ending({}, { except: ['Explore'] }), agents: [agentOf('Explore', '2026-01-15')] },
      { ...ending({ 'coordinator/2026-01-15.md': 'x' }), agents: [agentOf('spec-writer', '2026-01-15')] },
      { ...ending({ 'a/2026-01-15.md': 'x' }), fields: { stopHookActive: false, agentId: 'a1' } },
    ],
  },
  async check({ event, actor, facts, options, memory, agents }) {
    // The stop of a sub-agent can arrive as this event too. It has a separate guard.
    if (event.kind !== 'Stop' || event.agentId !== undefined) return null
    const pads = readPadOptions(options)
    const contract = coordinatorContract(pads)
    const start = agentStart(memory)
    const names = placeholdersOf(event, actor, facts, start?.date)
    const hasDelegated = delegatedSince(agents, names.dates, pads)
    if (!hasDelegated && !(await holds(contract.when, names, facts, { memory, start }))) return null
    const verdict = await checkContract(contract, {
      event,
      facts,
      names,
      start,
      ran: new Map(),
      matches: () => false,
    })
    const path = `${pads.folder}/${COORDINATOR}/${names.dates[0]}.md`
    return answerStop(verdict, {
      key: 'scratchpad/stop',
      name: 'Coordinator scratchpad',
      blocks: contract.blocks,
      event,
      memory,
      reason: `Multi-agent delegation detected but no coordinator scratchpad for today. Write to ${path} before ending session.`,
    })
  },
}

/** An agent whose start was seen on that date. */
function agentOf(type: string, date: string) {
  return { id: 'a1', type, ended: true, memory: { 'contracts/began': { atMs: 0, date } } }
}

function ending(files: Readonly<Record<string, string>>, options = {}) {
  const below = Object.entries(files).map(([path, text]) => [`/srv/project/.claude/scratchpad/${path}`, text])
  return {
    kind: 'Stop' as const,
    fields: { stopHookActive: false },
    files: Object.fromEntries(below) as Readonly<Record<string, string>>,
    options,
  }
}
