import { userFolder } from '../hook-entry.ts'
import { ownFileInstaller } from '../own-file.ts'
import { COPILOT } from './dialect.ts'

/** A file of our own in the folder of the user's hooks, which needs no trust in the project. */
export const installer = ownFileInstaller({
  dialect: COPILOT,
  program: 'copilot',
  events: [
    'PreToolUse',
    'PermissionRequest',
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
  oldest: {
    title: 'GitHub Copilot CLI',
    version: '1.0.70',
    why: 'before that a hook that fails lets the tool run',
  },
  file: (where) => `${userFolder(where, 'COPILOT_HOME', '.copilot')}/hooks/holdpoint.json`,
  lineKey: 'bash',
  timeout: { key: 'timeoutSec', unitMs: 1_000 },
  whole: (entries) => ({
    version: 1,
    hooks: Object.fromEntries(
      Object.entries(entries).map(([event, { line, timeoutMs }]) => [
        event,
        [{ type: 'command', bash: line, timeoutSec: timeoutMs / 1_000 }],
      ]),
    ),
  }),
})
