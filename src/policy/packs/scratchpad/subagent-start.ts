import type { Answer } from '../../../core/decision.ts'
import type { Facts } from '../../../core/facts.ts'
import type { Guard } from '../../../core/guard.ts'
import { projectPath } from '../../completion/inspect-file.ts'
import { tell } from '../../completion/instructions.ts'
import { placeholdersOf } from '../../completion/names.ts'
import { startPatch } from '../../completion/start.ts'
import { COORDINATOR, EGO, type PadOptions, readPadOptions } from './options.ts'
import { agentContract, newestEntry, tailOf, unusableName } from './pads.ts'

/** Tells a new sub-agent where and what to write, and what the others wrote last. It stops nothing. */
export const subagentStart: Guard = {
  id: 'scratchpad/subagent-start',
  title: 'Sub-agent that does not know the scratchpad protocol',
  why: 'An agent is checked for its entry at the end, so it must know at the start what to write.',
  instead: 'write your entry in the scratchpad folder, as described.',
  on: ['SubagentStart'],
  match: '*',
  modes: { standard: 'warn', strict: 'warn', paranoid: 'warn' },
  onFailure: 'pass',
  timeoutMs: 10_000,
  examples: {
    stops: [],
    passes: [
      { kind: 'SubagentStart', fields: { agentId: 'a1', agentType: 'spec-writer' } },
      { kind: 'SubagentStart', fields: { agentId: 'a1', agentType: 'plugin:writer' } },
      { kind: 'SubagentStart', fields: { agentId: 'a1', agentType: 'a name with blanks' } },
      { kind: 'SubagentStart', fields: { agentId: 'a1' } },
    ],
  },
  async check({ event, actor, facts, options, memory }) {
    if (event.kind !== 'SubagentStart' || actor.agentType === undefined) return null
    const pads = readPadOptions(options)
    if (pads.except.includes(actor.agentType)) return null
    const names = placeholdersOf(event, actor, facts, undefined)
    if (names.agentType === undefined) return { effect: 'pass', notices: [unusableName(actor.agentType)] }
    const text = [
      `Today is ${names.dates[0]}. You are ${actor.agentType}.`,
      `Scratchpad protocol (mandatory). ${tell(agentContract(pads), names)}`,
      `If the file already exists, update it${whereFrom(facts)}. Without this entry you may not finish.`,
      ...(await lastLines(pads, facts)),
    ].join('\n\n')
    const answer: Answer = { effect: 'pass', context: [{ text, to: 'self' }] }
    return memory === undefined ? answer : { ...answer, remember: [startPatch(facts)] }
  },
}

/** An agent in another folder, for example in a worktree, would write to the wrong place. */
function whereFrom(facts: Facts): string {
  return facts.cwd === facts.project ? '' : `; the path starts from ${projectPath('', facts)}`
}

async function lastLines({ folder, limits }: PadOptions, facts: Facts): Promise<readonly string[]> {
  const entries = await Promise.all(
    [EGO, COORDINATOR].map(async (agent) => ({
      agent,
      entry: await newestEntry(`${folder}/${agent}`, facts),
    })),
  )
  return entries.flatMap(({ agent, entry }) => {
    const tail = entry === undefined ? '' : tailOf(entry, limits.tail)
    if (entry === undefined || tail === '') return []
    const shown = tail.length > TAIL_MAX_CHARACTERS ? `${tail.slice(0, TAIL_MAX_CHARACTERS)}…` : tail
    return [`Last lines of the ${agent}'s newest entry (${entry.path}):\n${shown}`]
  })
}

const TAIL_MAX_CHARACTERS = 2_000
