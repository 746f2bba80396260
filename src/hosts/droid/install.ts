import { inProject, switchedOff } from '../switched-off.ts'
import { settingsInstaller } from '../user-settings.ts'
import { DROID } from './dialect.ts'

/** The hooks of the user: the file is the map of events itself. With it the `hooks` of settings.json are not read. */
export const installer = settingsInstaller({
  dialect: DROID,
  program: 'droid',
  events: [
    'PreToolUse',
    'PostToolUse',
    'UserPromptSubmit',
    'SessionStart',
    'SessionEnd',
    'SubagentStop',
    'Stop',
    'PreCompact',
  ],
  oldest: { title: DROID.title, version: '0.200.0', why: 'its hooks were never tried' },
  file: ({ home }) => `${home}/.factory/hooks.json`,
  at: 'root',
  timeoutUnitMs: 1_000,
  switches: {
    files: (where) => [
      ...inProject(where, FILES),
      ...FILES.map((name) => `${where.home}/${name}`),
      '/etc/factory/settings.json',
    ],
    // Seen on 0.225.2: a repository's file counts, and the key stands under `hooks` in settings alone.
    off: (text, file) => {
      const path = file.endsWith('/settings.json') ? ['hooks', 'hooksDisabled'] : ['hooksDisabled']
      return switchedOff(text, [{ path, isOff: (value) => value === true }])
    },
  },
})

const FILES = ['.factory/settings.json', '.factory/hooks.json', '.factory/hooks/hooks.json']
