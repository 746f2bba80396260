import type { NoTranscript } from '../../core/transcript.ts'

/** Nobody has recorded the logs of a real run. */
export const noTranscript: NoTranscript = {
  host: 'massgen',
  why: 'The logs of MassGen have no format that was checked.',
}
