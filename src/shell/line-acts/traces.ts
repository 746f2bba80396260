import type { ActEffect } from '../vocabulary/effect.ts'
import { rowsOf } from './row.ts'

const TRACES: ActEffect = {
  kind: 'system-change',
  act: 'system/traces',
  what: 'removes the record of what was done',
}

export const TRACES_REMOVED = rowsOf(
  TRACES,
  ['log', /^erase\b/],
  ['clear-eventlog remove-eventlog limit-eventlog clear-history', /^/],
  ['wevtutil', /\b(?:cl|clear-log)\b/i],
  ['fsutil', /\busn\s+deletejournal\b/i],
  ['lastlog faillock faillog pam_tally2', /(?:^|\s)(?:-C|--clear|--reset|-r)\b/],
  ['accton', /\boff\b/],
)
