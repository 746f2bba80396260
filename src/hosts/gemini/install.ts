import type { InstallPlaces } from '../../core/host.ts'
import { inProject, type OffSwitch, switchedOff } from '../switched-off.ts'
import { settingsInstaller } from '../user-settings.ts'
import { GEMINI } from './dialect.ts'

/** The settings of the user. Before compression an event comes at every turn of the model, so it is not registered. */
export const installer = settingsInstaller({
  dialect: GEMINI,
  program: 'gemini',
  events: ['PreToolUse', 'PostToolUse', 'UserPromptSubmit', 'SessionStart', 'SessionEnd', 'Stop'],
  oldest: { title: GEMINI.title, version: '0.39.0', why: 'its hooks were never tried' },
  file: userFile,
  timeoutUnitMs: 1,
  switches: {
    files: (where) => [...inProject(where, ['.gemini/settings.json']), userFile(where), ...MACHINE],
    off: (text) => switchedOff(text, SWITCHES),
  },
})

function userFile({ env, home }: InstallPlaces): string {
  return `${env.GEMINI_CLI_HOME || home}/.gemini/settings.json`
}

const MACHINE = ['/etc/gemini-cli', '/Library/Application Support/GeminiCli'].flatMap((folder) => [
  `${folder}/settings.json`,
  `${folder}/system-defaults.json`,
])

/** Seen on 0.61.0: a repository's file counts for the hooks of the user too, and names hooks by their whole command. */
const SWITCHES: readonly OffSwitch[] = [
  {
    path: ['hooksConfig', 'enabled'],
    isOff: (value) => value !== null && value !== true && value !== 'true',
  },
  { path: ['hooksConfig', 'disabled'], isOff: (value) => JSON.stringify(value).includes('holdpoint-hook') },
]
