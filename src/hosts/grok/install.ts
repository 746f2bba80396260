import { userFolder } from '../hook-entry.ts'
import { groupedEntries, ownFileInstaller } from '../own-file.ts'
import { GROK } from './dialect.ts'

const TIMEOUT = { key: 'timeout', unitMs: 1_000 }

/** A file of our own in the folder of the user's hooks, which needs no trust in the project. */
export const installer = ownFileInstaller({
  dialect: GROK,
  program: 'grok',
  events: [
    'PreToolUse',
    'PostToolUse',
    'PostToolUseFailure',
    'UserPromptSubmit',
    'SessionStart',
    'SessionEnd',
    'SubagentStart',
    'SubagentStop',
    'Stop',
    'PreCompact',
  ],
  oldest: { title: 'Grok Build', version: '1.0.0', why: 'its hooks were never tried' },
  file: (where) => `${userFolder(where, 'GROK_HOME', '.grok')}/hooks/holdpoint.json`,
  lineKey: 'command',
  timeout: TIMEOUT,
  whole: (entries) => ({ hooks: groupedEntries(entries, TIMEOUT) }),
  waitsAtMostMs: { SessionEnd: 1_000 },
})
