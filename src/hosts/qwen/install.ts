import { userFolder } from '../hook-entry.ts'
import { switchedOff } from '../switched-off.ts'
import { settingsInstaller } from '../user-settings.ts'
import { QWEN } from './dialect.ts'

/** The settings of the user, which need no trust in the project. Numbers below 1000 are seconds there. */
export const installer = settingsInstaller({
  dialect: QWEN,
  program: 'qwen',
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
  oldest: { title: QWEN.title, version: '0.24.0', why: 'its hooks were never tried' },
  file: (where) => `${userFolder(where, 'QWEN_HOME', '.qwen')}/settings.json`,
  timeoutUnitMs: 1_000,
  warnings: (text) => switchedOff(text, [{ path: ['disableAllHooks'], value: true }]),
})
