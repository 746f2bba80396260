import { userFolder } from '../hook-entry.ts'
import { ownFileInstaller } from '../own-file.ts'
import { VSCODE } from './dialect.ts'

/**
 * A file of its own in the folder of Copilot CLI's hooks, which VS Code reads. Copilot CLI starts it too: under these
 * names of events it reads the same answers.
 */
export const installer = ownFileInstaller({
  dialect: VSCODE,
  program: 'code',
  events: [
    'PreToolUse',
    'PostToolUse',
    'UserPromptSubmit',
    'SessionStart',
    'SubagentStart',
    'SubagentStop',
    'Stop',
    'PreCompact',
  ],
  oldest: { title: VSCODE.title, version: '1.100.0', why: 'it has no hooks' },
  file: (where) => `${userFolder(where, 'COPILOT_HOME', '.copilot')}/hooks/holdpoint-vscode.json`,
  lineKey: 'command',
  timeout: { key: 'timeout', unitMs: 1_000 },
  whole: (entries) => ({
    version: 1,
    hooks: Object.fromEntries(
      Object.entries(entries).map(([event, { line, timeoutMs }]) => [
        event,
        [{ type: 'command', command: line, timeout: timeoutMs / 1_000 }],
      ]),
    ),
  }),
})
