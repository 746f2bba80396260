import { switchedOff } from '../switched-off.ts'
import { settingsInstaller } from '../user-settings.ts'
import { CODEBUDDY } from './dialect.ts'

/** The settings of the user. */
export const installer = settingsInstaller({
  dialect: CODEBUDDY,
  program: 'codebuddy',
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
  oldest: { title: CODEBUDDY.title, version: '2.100.0', why: 'its hooks were never tried' },
  file: ({ home }) => `${home}/.codebuddy/settings.json`,
  skillsFolder: ({ home }) => `${home}/.codebuddy/skills`,
  timeoutUnitMs: 1_000,
  warnings: (text) => switchedOff(text, [{ path: ['disableAllHooks'], value: true }]),
})
