import { inProject } from '../../contracts/look.ts'
import { namesOf } from '../../contracts/names.ts'
import { startPatch } from '../../contracts/start.ts'
import { tell } from '../../contracts/tell.ts'
import type { Answer } from '../../decision.ts'
import type { Facts } from '../../facts.ts'
import type { Guard } from '../guard.ts'
import { unusableName } from './names.ts'
import { COORDINATOR, EGO, type PadOptions, readPadOptions } from './options.ts'
import { agentContract, newestEntry, tailOf } from './pads.ts'

/** A sub-agent that begins is told where to write and what, and what the others wrote last. It stops nothing. */
export const subagentStart: Guard = {
  id: 'scratchpad/subagent-start',
  title: 'A sub-agent that does not know the scratchpad protocol',
  why: 'What it is held to at its end it must hear at its start.',
  instead: 'write your entry below the scratchpad folder, as told.',
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
    const names = namesOf(event, actor, facts, undefined)
    if (names.agentType === undefined) return { effect: 'pass', notices: [unusableName(actor.agentType)] }
    const text = [
      `Today is ${names.dates[0]}. You are ${actor.agentType}.`,
      `Scratchpad protocol (mandatory). ${tell(agentContract(pads), names)}`,
      `If the file exists already, update it in place${whereFrom(facts)}. Without it you are sent back.`,
      ...(await lastLines(pads, facts)),
    ].join('\n\n')
    const answer: Answer = { effect: 'pass', context: [{ text, to: 'self' }] }
    return memory === undefined ? answer : { ...answer, remember: [startPatch(facts)] }
  },
}

/** An agent in another folder, as in a worktree, would write elsewhere. */
function whereFrom(facts: Facts): string {
  return facts.cwd === facts.project ? '' : `; the path starts from ${inProject('', facts)}`
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
