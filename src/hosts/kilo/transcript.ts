import { openCodeTranscript } from '../opencode-transcript.ts'

export const transcript = openCodeTranscript('kilo', '7.7.9')
