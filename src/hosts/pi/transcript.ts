import type { NoTranscript } from '../../core/transcript.ts'

/** No session of it has been recorded. */
export const noTranscript: NoTranscript = {
  host: 'pi',
  why: 'Holdpoint has no reader for the sessions that Pi keeps.',
}
