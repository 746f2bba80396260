import { openCodeTranscript } from '../opencode-transcript.ts'

export const transcript = openCodeTranscript('opencode', '1.18.33')
