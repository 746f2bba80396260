import { type KnownAgent, MAIN } from '../../../core/actor.ts'
import { agentStart } from '../../completion/start.ts'
import type { PadOptions } from './options.ts'

/**
 * Whether other agents were started in this session on one of these dates. Their entries do not prove it: an agent
 * that was allowed to end without one has worked all the same.
 */
export function delegatedSince(
  agents: readonly KnownAgent[] | undefined,
  dates: readonly string[],
  { exclude, except }: PadOptions,
): boolean {
  return (agents ?? []).some(({ id, type, memory }) => {
    if (id === MAIN || type === undefined || exclude.includes(type) || except.includes(type)) return false
    const start = agentStart(memory)
    return start !== undefined && dates.includes(start.date)
  })
}
