import { EFFECTS, type Effect } from '../../core/decision.ts'
import { toolOf } from '../../core/event.ts'
import { type Masker, redact } from '../../core/redact/redact.ts'
import type { Doubt, Verdict } from '../history/decide-call.ts'
import type { RecordedEvent } from './recorded.ts'
import { shapeOf } from './shape.ts'

export type Change = 'newly stopped' | 'newly asked' | 'newly let through' | 'reason changed'
export const CHANGES: readonly Change[] = [
  'newly stopped',
  'newly asked',
  'newly let through',
  'reason changed',
]

/** The part of a verdict that is compared. */
export interface Judged {
  readonly effect: Effect
  readonly by?: string | undefined
}

/** A replay in figures: plain data, so that it can be saved and taken up again. Its size is bounded. */
export interface ReplayTally {
  events: number
  sessions: number
  /** Records that could not be made into an event. */
  skipped: number
  undecided: number
  uncertain: number
  doubts: Partial<Record<Doubt, number>>
  effects: Record<Effect, number>
  before: Record<Effect, number>
  changes: Record<Change, number>
  /** Verdicts that became stricter and weaker, whatever they are now. */
  stricter: number
  weaker: number
  groups: DiffGroup[]
  /** Changes beyond the groups that are kept. */
  ungrouped: number
}

export interface DiffGroup {
  readonly change: Change
  /** The effect before and now. */
  readonly from: Effect
  readonly to: Effect
  /** The guard, rule or hook that decided. */
  readonly was: string
  readonly now: string
  readonly shape: string
  count: number
  uncertain: number
  examples: string[]
}

export function emptyReplay(): ReplayTally {
  const none = () => ({ pass: 0, allow: 0, ask: 0, deny: 0 })
  return {
    events: 0,
    sessions: 0,
    skipped: 0,
    undecided: 0,
    uncertain: 0,
    doubts: {},
    effects: none(),
    before: none(),
    changes: { 'newly stopped': 0, 'newly asked': 0, 'newly let through': 0, 'reason changed': 0 },
    stricter: 0,
    weaker: 0,
    groups: [],
    ungrouped: 0,
  }
}

const GROUPS_MAX = 500
const EXAMPLES_MAX = 3
const EXAMPLE_MAX = 200

/** What became of a verdict. Undefined: the same one, by the same guard. */
export function changeOf(old: Judged, now: Judged): Change | undefined {
  const [from, to] = [strengthOf(old.effect), strengthOf(now.effect)]
  if (from === to) return to > 0 && old.by !== now.by ? 'reason changed' : undefined
  if (to === strengthOf('deny')) return 'newly stopped'
  return to === strengthOf('ask') ? 'newly asked' : 'newly let through'
}

/** `pass` and `allow` both let a call through. */
function strengthOf(effect: Effect): number {
  return Math.max(0, EFFECTS.indexOf(effect) - 1)
}

/** Counts one event: what was decided before, if that is known, and what is decided now. */
export function countVerdict(
  tally: ReplayTally,
  recorded: RecordedEvent,
  now: Verdict,
  old: Judged | undefined,
  oldDoubts: readonly Doubt[],
  maskers: readonly Masker[],
): void {
  const doubts = new Set([...recorded.doubts, ...now.doubts, ...oldDoubts])
  tally.events += 1
  tally.effects[now.effect] += 1
  if (doubts.size > 0) tally.uncertain += 1
  for (const doubt of doubts) tally.doubts[doubt] = (tally.doubts[doubt] ?? 0) + 1
  if (old === undefined) return
  tally.before[old.effect] += 1
  const change = changeOf(old, now)
  if (change === undefined) return
  tally.changes[change] += 1
  const step = strengthOf(now.effect) - strengthOf(old.effect)
  if (step > 0) tally.stricter += 1
  if (step < 0) tally.weaker += 1
  const group = groupOf(tally, change, old, now, redact(shapeOf(recorded.event), maskers))
  if (group === undefined) {
    tally.ungrouped += 1
    return
  }
  group.count += 1
  if (doubts.size > 0) group.uncertain += 1
  const example = exampleOf(recorded, maskers)
  if (group.examples.length < EXAMPLES_MAX && !group.examples.includes(example)) group.examples.push(example)
}

function groupOf(
  tally: ReplayTally,
  change: Change,
  old: Judged,
  now: Judged,
  shape: string,
): DiffGroup | undefined {
  const [was, is] = [old.by ?? '', now.by ?? '']
  const known = tally.groups.find(
    (each) =>
      each.change === change &&
      each.from === old.effect &&
      each.to === now.effect &&
      each.was === was &&
      each.now === is &&
      each.shape === shape,
  )
  if (known !== undefined || tally.groups.length >= GROUPS_MAX) return known
  const group: DiffGroup = {
    change,
    from: old.effect,
    to: now.effect,
    was,
    now: is,
    shape,
    count: 0,
    uncertain: 0,
    examples: [],
  }
  tally.groups.push(group)
  return group
}

function exampleOf({ event }: RecordedEvent, maskers: readonly Masker[]): string {
  const tool = toolOf(event)
  const command = tool?.input.command
  const text =
    typeof command === 'string' ? command : tool === undefined ? event.kind : JSON.stringify(tool.input)
  return redact(text.slice(0, 4_000), maskers).slice(0, EXAMPLE_MAX)
}
