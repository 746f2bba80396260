import type { Effect } from '../../core/decision.ts'
import type { Event } from '../../core/event.ts'
import type { Doubt } from '../history/decide-call.ts'

/** An event as it was recorded, ready to be decided again. */
export interface RecordedEvent {
  /** Where it stands in its source; a replay can be continued behind it. */
  readonly position: number
  readonly at: Date
  readonly event: Event
  readonly project: string
  /** What of the event was not kept. */
  readonly doubts: readonly Doubt[]
  /** It only prepares what later events are decided on: not counted. */
  readonly isContext?: boolean
  /** What was decided at the time, where the source says it. */
  readonly decided?: { readonly effect: Effect; readonly by?: string; readonly revision?: string }
}
