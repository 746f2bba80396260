import { MAIN, UNKNOWN_PARENT } from '../../core/actor.ts'
import { type Figures, handoffCount, OTHERS } from './figures.ts'

/** The three research questions of the collective, each with the confidence of its answer. */
export interface Research {
  /** Is context loaded when it is needed? */
  readonly jit: Finding & { readonly loads: number; readonly calls: number }
  /** Does work go through the hub? */
  readonly hubSpoke: Finding & {
    readonly throughHub: number
    readonly peerToPeer: number
    readonly unknown: number
  }
  /** Do tests pass before work is handed on? */
  readonly tdd: Finding & {
    readonly passed: number
    readonly failed: number
    readonly handoffs: number
    readonly held: number
  }
}

interface Finding {
  /** Between 0 and 1; null without observations. */
  readonly rate: number | null
  /** The number of observations, and the confidence that follows from it. */
  readonly n: number
  readonly confidence: number
}

export function researchOf(figures: Figures): Research {
  const { loads, tools, routes, tests, handoffs } = figures
  const fetched = loads.reads + loads.searches + loads.web + loads.skills
  const calls = total(tools, (row) => row.calls)
  const unknown = total(routes, (row) => (isUnknown(row.from) ? row.count : 0))
  const throughHub = total(routes, (row) => (isHub(row.from) ? row.count : 0))
  const peerToPeer = total(routes, (row) => row.count) - unknown - throughHub
  const passed = total(tests, (row) => row.passed)
  const failed = total(tests, (row) => row.failed)
  return {
    jit: { ...findingOf(fetched, calls), loads: fetched, calls },
    hubSpoke: { ...findingOf(throughHub, throughHub + peerToPeer), throughHub, peerToPeer, unknown },
    tdd: {
      ...findingOf(passed, passed + failed),
      passed,
      failed,
      handoffs: total(handoffs, handoffCount),
      held: total(handoffs, (row) => row.held),
    },
  }
}

/** The confidence of a rate with this number of observations. */
export function confidenceOf(n: number): number {
  return STEPS.find(([below]) => n < below)?.[1] ?? 0.95
}

const STEPS: readonly (readonly [below: number, confidence: number])[] = [
  [30, 0.5],
  [100, 0.7],
  [500, 0.85],
  [1000, 0.9],
]

/** The hub is the agent of the session, and any agent whose name says that it distributes work. */
function isHub(name: string): boolean {
  return name === MAIN || /orchestrator|routing|coordinator|workflow-agent|project-manager/i.test(name)
}

function isUnknown(name: string): boolean {
  return name === UNKNOWN_PARENT || name === OTHERS
}

function findingOf(hits: number, n: number): Finding {
  return { rate: n === 0 ? null : Math.round((hits / n) * 1000) / 1000, n, confidence: confidenceOf(n) }
}

function total<T>(rows: readonly T[], of: (row: T) => number): number {
  return rows.reduce((sum, row) => sum + of(row), 0)
}
