import type { NoTranscript } from '../../core/transcript.ts'

/** Never run here, so nobody has recorded one. */
export const noTranscript: NoTranscript = {
  host: 'cursor',
  why: 'Cursor is not proved: nobody has recorded a transcript of it.',
}
