import type { Decision } from './decision.ts'
import { type Event, toolOf } from './event.ts'
import type { Facts } from './facts.ts'
import type { Masker } from './redact.ts'
import { keepNotes } from './world/notes.ts'

/** Where notes are kept. Without a folder for logs there are none. */
export interface NotesPlace {
  readonly facts: Facts
  readonly maskers: readonly Masker[]
  readonly logs?: string
}

/** Keeps what guards noted. One that cannot be kept is said at the end of a turn or of an agent, not at every call. */
export function withNotesKept(
  decision: Decision,
  event: Event,
  { facts, maskers, logs }: NotesPlace,
): Decision {
  if (decision.findings.length === 0) return decision
  const notes = decision.findings.flatMap((finding) => finding.notes ?? [])
  if (notes.length === 0) return decision
  const lost = keepNotes(notes, facts, maskers, logs)
  if (lost === undefined || toolOf(event) !== undefined) return decision
  return { ...decision, notices: [...decision.notices, lost] }
}
