import type { NoTranscript } from '../../core/transcript.ts'

/** Goose 1.52.0 as it was seen: `~/.local/share/goose/sessions/sessions.db`, and logs of the last ten requests to its model. */
export const noTranscript: NoTranscript = {
  host: 'goose',
  why: 'Goose keeps its sessions in an SQLite database.',
}
