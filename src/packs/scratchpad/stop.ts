import { holds } from '../../contracts/condition.ts'
import { answerStop } from '../../contracts/hold.ts'
import { judge } from '../../contracts/judge.ts'
import { namesOf } from '../../contracts/names.ts'
import { startOf } from '../../contracts/start.ts'
import type { Guard } from '../guard.ts'
import { COORDINATOR, readPadOptions } from './options.ts'
import { coordinatorContract } from './pads.ts'

/** A session in which others worked may end once the coordinator has written its entry of the day. */
export const stop: Guard = {
  id: 'scratchpad/stop',
  title: 'Ending a session of several agents without a coordinator entry',
  why: 'The next session starts from what the coordinator wrote down.',
  instead: 'write the entry of the coordinator, then finish.',
  on: ['Stop'],
  match: '',
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
      { ...ending({ 'a/2026-01-15.md': 'x' }), fields: { stopHookActive: false, agentId: 'a1' } },
    ],
  },
  async check({ event, actor, facts, options, memory }) {
    // The stop of a sub-agent can come under this name too; it has a gate of its own.
    if (event.kind !== 'Stop' || event.agentId !== undefined) return null
    const pads = readPadOptions(options)
    const contract = coordinatorContract(pads)
    const start = startOf(memory)
    const names = namesOf(event, actor, facts, start?.date)
    if (!(await holds(contract.when, names, facts, { memory, start }))) return null
    const verdict = await judge(contract, {
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

function ending(files: Readonly<Record<string, string>>, options = {}) {
  const below = Object.entries(files).map(([path, text]) => [`/srv/project/.claude/scratchpad/${path}`, text])
  return {
    kind: 'Stop' as const,
    fields: { stopHookActive: false },
    files: Object.fromEntries(below) as Readonly<Record<string, string>>,
    options,
  }
}
