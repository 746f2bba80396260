import { addFigures, type Figures } from '../../policy/metrics/figures.ts'
import { type Research, researchOf } from '../../policy/metrics/research.ts'
import type { DecisionFigures } from './decisions.ts'
import type { ReadMetrics } from './read-metrics.ts'

/** Everything a report shows, in any form: plain JSON, documented in docs/reference/metrics.md. */
export interface Report {
  readonly schema: 1
  /** When the report was made, ISO. */
  readonly at: string
  readonly about: ReportScope
  readonly decisions: DecisionFigures
  readonly work: Figures
  readonly research: Research
  /** What could not be read of the metrics. */
  readonly unread: { readonly lines: number; readonly files: number }
}

export interface ReportScope {
  /** Undefined: all projects. */
  readonly project?: string
  readonly since?: string
  /** The end of the period; missing: now. */
  readonly until?: string
  readonly session?: string
}

export function buildReport(
  about: ReportScope,
  decisions: DecisionFigures,
  metrics: readonly ReadMetrics[],
  at: Date,
): Report {
  const figures = addFigures(metrics.map((each) => each.figures))
  const sum = (of: (each: ReadMetrics) => number) => metrics.reduce((total, each) => total + of(each), 0)
  return {
    schema: 1,
    at: at.toISOString(),
    about,
    decisions,
    work: {
      ...figures,
      // Both saw the same calls; the pack may have been switched on later, or the journal may be shorter.
      tools: more(figures.tools, decisions.tools, (row) => row.calls),
      agents: more(figures.agents, decisions.agents, (row) => row.runs),
      routes: more(figures.routes, decisions.routes, (row) => row.count),
    },
    research: researchOf(figures),
    unread: { lines: sum((each) => each.brokenLines), files: sum((each) => each.brokenFiles) },
  }
}

function more<T>(left: readonly T[], right: readonly T[], count: (row: T) => number): readonly T[] {
  const total = (rows: readonly T[]) => rows.reduce((sum, row) => sum + count(row), 0)
  return total(left) >= total(right) ? left : right
}
