import { join } from 'node:path'
import { recordedIn, transcriptContract } from '../transcript.contract.ts'
import { host } from './host.ts'
import { transcript } from './transcript.ts'

transcriptContract({
  reader: transcript,
  host,
  recorded: recordedIn(join(import.meta.dirname, 'transcripts')),
  calls: [
    ['exec', 'main', 'ran'],
    ['exec', 'main', 'failed'],
    ['exec', 'main', 'unclear'],
    ['write', 'main', 'ran'],
    ['tool_call', 'main', 'unknown'],
    ['sessions_spawn', 'main', 'ran'],
    ['exec', 'main', 'ran'],
    ['exec', 'main', 'ran'],
    ['exec', 'main', 'unclear'],
  ],
})
