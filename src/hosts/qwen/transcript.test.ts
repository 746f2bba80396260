import { join } from 'node:path'
import { recordedIn, transcriptContract } from '../transcript.contract.ts'
import { host } from './host.ts'
import { transcript } from './transcript.ts'

transcriptContract({
  reader: transcript,
  host,
  recorded: recordedIn(join(import.meta.dirname, 'transcripts')),
  calls: [
    ['run_shell_command', 'main', 'ran'],
    ['run_shell_command', 'main', 'failed'],
    ['run_shell_command', 'main', 'refused'],
    ['write_file', 'main', 'ran'],
    ['agent', 'main', 'ran'],
    ['run_shell_command', 'general-purpose', 'ran'],
    ['run_shell_command', 'general-purpose', 'unclear'],
    ['run_shell_command', 'main', 'ran'],
  ],
})
