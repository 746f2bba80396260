import type { Event } from '../../core/event.ts'
import { toolOf } from '../../core/event.ts'
import type { CallOutcome } from '../../core/transcript.ts'
import type { Verdict } from '../history/decide-call.ts'

/** How often something happened, and in how many sessions. */
export interface Evidence {
  times: number
  sessions: number
}

/** What history says about a policy. Its size depends on the number of guards and kinds of commands. */
export interface History {
  events: number
  sessions: number
  /** Calls that a guard asked about, by guard. */
  readonly asked: Map<string, Evidence & { ran: number; refused: number; example: string }>
  /** Shell commands that the policy let through, by program and subcommand. */
  readonly passed: Map<string, Evidence & { ran: number; refusedByPerson: number; example: string }>
  /** Hooks that had something to say, and how often it was theirs that counted. */
  readonly spoke: Map<string, { times: number; decided: number }>
}

const KINDS_MAX = 5_000

export function emptyHistory(): History {
  return { events: 0, sessions: 0, asked: new Map(), passed: new Map(), spoke: new Map() }
}

/** Adds one call. `seen` are the keys that this session has counted already. */
export function addEvidence(
  history: History,
  event: Event,
  verdict: Verdict,
  outcome: Pick<CallOutcome, 'outcome' | 'by'> | undefined,
  seen: Set<string>,
  example: string,
): void {
  history.events += 1
  for (const finding of verdict.decision.findings) {
    if (finding.effect === 'pass' && finding.notices === undefined) continue
    const known = history.spoke.get(finding.hook) ?? { times: 0, decided: 0 }
    known.times += 1
    if (verdict.decision.because.includes(finding.hook)) known.decided += 1
    history.spoke.set(finding.hook, known)
  }
  if (verdict.effect === 'ask' && verdict.by !== undefined) {
    const entry = history.asked.get(verdict.by) ?? { times: 0, sessions: 0, ran: 0, refused: 0, example }
    count(entry, `asked ${verdict.by}`, seen)
    // What may have been refused is no evidence that a person agreed.
    if (outcome?.outcome === 'refused' || outcome?.outcome === 'unclear') entry.refused += 1
    else if (outcome !== undefined) entry.ran += 1
    history.asked.set(verdict.by, entry)
  }
  const kind = verdict.effect === 'pass' ? commandKind(event) : undefined
  if (kind === undefined || (!history.passed.has(kind) && history.passed.size >= KINDS_MAX)) return
  const entry = history.passed.get(kind) ?? { times: 0, sessions: 0, ran: 0, refusedByPerson: 0, example }
  count(entry, `passed ${kind}`, seen)
  if (outcome?.outcome === 'refused') entry.refusedByPerson += outcome.by === 'person' ? 1 : 0
  else entry.ran += 1
  history.passed.set(kind, entry)
}

function count(entry: Evidence, key: string, seen: Set<string>): void {
  entry.times += 1
  if (!seen.has(key)) entry.sessions += 1
  seen.add(key)
}

/** `git push`, `terraform apply`: only for a plain command, so that a rule for it means the same. */
function commandKind(event: Event): string | undefined {
  const tool = toolOf(event)
  const command = tool?.name === 'Bash' ? tool.input.command : undefined
  if (typeof command !== 'string' || /[;&|<>`$\n]/.test(command)) return undefined
  const [program = '', subcommand = ''] = command.trim().split(/\s+/)
  if (!/^[a-z][a-z0-9._-]{0,40}$/i.test(program)) return undefined
  return /^[a-z][a-z-]{0,30}$/.test(subcommand) ? `${program} ${subcommand}` : program
}
