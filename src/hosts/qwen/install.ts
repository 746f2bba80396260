import type { InstallPlaces } from '../../core/host.ts'
import { userFolder } from '../hook-entry.ts'
import { inProject, switchedOff } from '../switched-off.ts'
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
  file: userFile,
  timeoutUnitMs: 1_000,
  switches: {
    files: (where) => [...inProject(where, ['.qwen/settings.json']), userFile(where), ...MACHINE],
    // Seen on 0.24.4: a repository's file counts, and every value that JavaScript takes for true.
    off: (text) => switchedOff(text, [{ path: ['disableAllHooks'], isOff: Boolean }]),
  },
})

function userFile(where: InstallPlaces): string {
  return `${userFolder(where, 'QWEN_HOME', '.qwen')}/settings.json`
}

const MACHINE = ['/etc/qwen-code', '/Library/Application Support/QwenCode'].flatMap((folder) => [
  `${folder}/settings.json`,
  `${folder}/system-defaults.json`,
])
