import { join } from 'node:path'
import { recordedIn, transcriptContract } from '../transcript.contract.ts'
import { host } from './host.ts'
import { transcript } from './transcript.ts'

transcriptContract({
  reader: transcript,
  host,
  recorded: recordedIn(join(import.meta.dirname, 'transcripts')),
  calls: [
    ['run_commands', 'main', 'ran'],
    ['run_commands', 'main', 'failed'],
    ['run_commands', 'main', 'unclear'],
    ['editor', 'main', 'ran'],
    ['spawn_agent', 'main', 'ran'],
    ['run_commands', 'subagent', 'ran'],
    ['run_commands', 'subagent', 'unclear'],
    ['run_commands', 'main', 'ran'],
  ],
})
