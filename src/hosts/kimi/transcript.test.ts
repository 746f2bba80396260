import { join } from 'node:path'
import { recordedIn, transcriptContract } from '../transcript.contract.ts'
import { host } from './host.ts'
import { transcript } from './transcript.ts'

transcriptContract({
  reader: transcript,
  host,
  recorded: recordedIn(join(import.meta.dirname, 'transcripts')),
  calls: [
    ['Bash', 'main', 'ran'],
    ['Bash', 'main', 'failed'],
    ['Bash', 'main', 'unclear'],
    ['Write', 'main', 'ran'],
    ['Agent', 'main', 'ran'],
    ['Bash', 'coder', 'ran'],
    ['Bash', 'coder', 'unclear'],
    ['Bash', 'main', 'ran'],
  ],
})
