import { switchedOff } from '../switched-off.ts'
import { settingsInstaller } from '../user-settings.ts'
import { GEMINI } from './dialect.ts'

/** The settings of the user. Before compression an event comes at every turn of the model, so it is not registered. */
export const installer = settingsInstaller({
  dialect: GEMINI,
  program: 'gemini',
  events: ['PreToolUse', 'PostToolUse', 'UserPromptSubmit', 'SessionStart', 'SessionEnd', 'Stop'],
  oldest: { title: GEMINI.title, version: '0.39.0', why: 'its hooks were never tried' },
  file: ({ env, home }) => `${env.GEMINI_CLI_HOME || home}/.gemini/settings.json`,
  timeoutUnitMs: 1,
  warnings: (text) => switchedOff(text, [{ path: ['hooksConfig', 'enabled'], value: false }]),
})
