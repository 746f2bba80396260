import type { NoTranscript } from '../../core/transcript.ts'

export const noTranscript: NoTranscript = {
  host: 'mux-legacy',
  why: 'It is a format of hook events, and no program of its own writes transcripts.',
}
