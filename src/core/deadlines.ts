import type { EventKind } from './event.ts'

/**
 * Time limits for each event. Holdpoint answers before its own client gives up, and the client answers before the
 * host gives up, because every host lets the tool run when a hook is late.
 */
export interface Deadlines {
  /** The timeout that `init` writes into the host's configuration. */
  readonly hostMs: number
  /** When the hook process gives up and answers with the last resort. */
  readonly clientMs: number
  /** The time that all handlers of one event share. */
  readonly engineMs: number
}

const HOLD: Deadlines = { hostMs: 30_000, clientMs: 28_000, engineMs: 27_000 }
/** Completion contracts run tests here. */
const LONG: Deadlines = { hostMs: 300_000, clientMs: 295_000, engineMs: 290_000 }
const END: Deadlines = { hostMs: 10_000, clientMs: 5_000, engineMs: 4_000 }
const OTHER: Deadlines = { hostMs: 15_000, clientMs: 13_000, engineMs: 12_000 }

const BY_KIND: Readonly<Partial<Record<EventKind, Deadlines>>> = {
  PreToolUse: HOLD,
  UserPromptSubmit: HOLD,
  ConfigChange: HOLD,
  PermissionRequest: HOLD,
  SessionStart: HOLD,
  Stop: LONG,
  SubagentStop: LONG,
  PostToolUse: LONG,
  SessionEnd: END,
}

export function deadlinesOf(kind: EventKind | undefined): Deadlines {
  return (kind === undefined ? undefined : BY_KIND[kind]) ?? OTHER
}

/**
 * The same for hooks that `init` writes, where questions wait for a person: the host must wait longer than the person
 * may take. At all other events it stays as it is.
 */
export function installedDeadlines(kind: EventKind, askWaitMs = 0): Deadlines {
  const usual = deadlinesOf(kind)
  if (kind !== 'PreToolUse') return usual
  const clientMs = Math.max(usual.clientMs, askWaitMs + AROUND_ANSWER_MS)
  return { ...usual, clientMs, hostMs: clientMs + (usual.hostMs - usual.clientMs) }
}

/** For everything before and after the answer of a person. */
export const AROUND_ANSWER_MS = 8_000

/**
 * The last resort when nothing could be decided: deny before a tool call, pass elsewhere, because a broken guard
 * must not leave a session unable to stop or compact. An event whose name could not be read is denied.
 */
export function lastResortOf(kind: EventKind | undefined): 'deny' | 'pass' {
  return kind === undefined || HOLD_POINTS.has(kind) ? 'deny' : 'pass'
}

const HOLD_POINTS: ReadonlySet<EventKind> = new Set<EventKind>([
  'PreToolUse',
  'PermissionRequest',
  'UserPromptSubmit',
  'ConfigChange',
])
