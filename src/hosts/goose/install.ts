import { groupedEntries, ownFileInstaller } from '../own-file.ts'
import { GOOSE } from './dialect.ts'

const TIMEOUT = { key: 'timeout', unitMs: 1_000 }

/** A plugin of our own in the folder that several agents read. */
export const installer = ownFileInstaller({
  dialect: GOOSE,
  program: 'goose',
  events: [
    'PreToolUse',
    'PostToolUse',
    'PostToolUseFailure',
    'UserPromptSubmit',
    'SessionStart',
    'SessionEnd',
    'Stop',
  ],
  oldest: {
    title: 'Goose',
    version: '1.52.0',
    why: 'older versions were seen to ignore every answer of a hook',
  },
  file: ({ home }) => `${home}/.agents/plugins/holdpoint/hooks/hooks.json`,
  lineKey: 'command',
  timeout: TIMEOUT,
  whole: (entries) => ({ hooks: groupedEntries(entries, TIMEOUT) }),
})
