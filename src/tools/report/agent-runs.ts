import { type AgentFigure, addRows } from '../../policy/metrics/figures.ts'
import { shortName } from '../../policy/metrics/metric.ts'
import type { JournalRecord } from '../../storage/journal/store.ts'

/** One sub-agent, as the journal has met it. */
export interface AgentRun {
  readonly name: string
  readonly startMs?: number
  readonly stopMs?: number
  readonly calls: number
}

/** Every event inside a sub-agent shows that it ran. The end of a compaction has an id too, and no type. */
export function noteAgent(agents: Map<string, AgentRun>, record: JournalRecord): void {
  const { agent, agentType, session, event, effect } = record
  if (agent === undefined || agentType === undefined || agentType === '') return
  const key = `${session}\0${agent}`
  const run = agents.get(key) ?? { name: shortName(agentType), calls: 0 }
  if (!agents.has(key) && agents.size >= AGENTS_MAX) return
  const atMs = Date.parse(record.at)
  agents.set(key, {
    ...run,
    calls: run.calls + (event === 'PostToolUse' || event === 'PostToolUseFailure' ? 1 : 0),
    ...(event === 'SubagentStart' ? { startMs: Math.min(run.startMs ?? atMs, atMs) } : {}),
    ...(event === 'SubagentStop' && effect !== 'deny' ? { stopMs: Math.max(run.stopMs ?? atMs, atMs) } : {}),
  })
}

const AGENTS_MAX = 100_000

export function agentsOf(runs: ReadonlyMap<string, AgentRun>): readonly AgentFigure[] {
  const rows = [...runs.values()].map(({ name, startMs, stopMs, calls }) => {
    const ms = startMs === undefined || stopMs === undefined ? 0 : Math.max(0, stopMs - startMs)
    return { name, runs: 1, finished: stopMs === undefined ? 0 : 1, totalMs: ms, maxMs: ms, calls }
  })
  return addRows(rows, ['name'], (row) => row.runs)
}
