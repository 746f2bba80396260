import { join } from 'node:path'
import { recordedIn, transcriptContract } from '../transcript.contract.ts'
import { host } from './host.ts'
import { transcript } from './transcript.ts'

transcriptContract({
  reader: transcript,
  host,
  recorded: recordedIn(join(import.meta.dirname, 'transcripts')),
  calls: [
    ['bash', 'main', 'ran'],
    ['bash', 'main', 'failed'],
    ['bash', 'main', 'unclear'],
    ['write', 'main', 'ran'],
    ['bash', 'main', 'ran'],
  ],
})
