import { itemsOf, readJsonText, valueAt } from '../json-text.ts'
import { inProject, switchedOff } from '../switched-off.ts'
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
  switches: {
    files: (where) => [
      ...inProject(where, ['.codebuddy/settings.json', '.codebuddy/settings.local.json']),
      `${where.home}/.codebuddy/settings.json`,
    ],
    off: (text, file, where) => {
      // Seen on 2.117.0: the hook that answers last decides, so one of a repository can allow what ours denies.
      if (file !== `${where.home}/.codebuddy/settings.json` && answersCalls(text))
        return 'has hooks of its own before tool calls, whose answer can count in place of ours'
      // Not seen to count without a person; in a session with one it is documented to.
      return switchedOff(text, [{ path: ['disableAllHooks'], isOff: (value) => value === true }])
    },
  },
})

function answersCalls(text: string): boolean {
  const document = readJsonText(text)
  const hooks = document.ok ? valueAt(document.value.root, 'hooks') : undefined
  return itemsOf(valueAt(hooks, 'PreToolUse')).length > 0
}
