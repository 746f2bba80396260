import { textAt } from '../../core/json.ts'
import type { TranscriptReader } from '../../core/transcript.ts'
import { userFolder } from '../hook-entry.ts'
import { messageItems } from '../pi-messages.ts'

/** Pi writes one file for a session, `sessions/<folder>/<time>_<session>.jsonl`. Its first line has the folder. */
export const transcript: TranscriptReader = {
  host: 'pi',
  format: 'jsonl',
  versions: { since: '0.87.1', recorded: '0.87.1', named: { format: '3' } },
  roots: (where) => [`${userFolder(where, 'PI_CODING_AGENT_DIR', '.pi/agent')}/sessions`],
  sessionAt: (path) => /(?:^|\/)[^/]*_([^/_]+)\.jsonl$/.exec(path)?.[1],
  hints: ['"toolCall"', '"toolResult"', '"type":"session"'],
  open: (path) => {
    let session = transcript.sessionAt(path)
    let cwd: string | undefined
    return (line) => {
      if (line.type === 'session') {
        session = textAt(line, 'id') ?? session
        cwd = textAt(line, 'cwd')
        const { version } = line
        return typeof version === 'number' ? [{ kind: 'version', version: `${version}` }] : []
      }
      return messageItems(line, { session, cwd, event: 'tool_call' })
    }
  },
}
