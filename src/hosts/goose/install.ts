import type { InstallPlaces } from '../../core/host.ts'
import { isObject } from '../../core/json.ts'
import { groupedEntries, ownFileInstaller } from '../own-file.ts'
import { inProject } from '../switched-off.ts'
import { pluginSettings } from './config.ts'
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
  switches: { files: (where) => [...configs(where), ...rivals(where)], off },
})

const PLUGIN = '.agents/plugins/holdpoint'

/** Seen on 1.52.0: plugins are switched by their folder's path. */
function configs({ home, env }: InstallPlaces): readonly string[] {
  return [`${env.XDG_CONFIG_HOME || `${home}/.config`}/goose/config.yaml`, '/etc/goose/config.yaml']
}

/** Seen on 1.52.0: of two plugins with one name the project's is taken, whatever is in its folder. */
function rivals(where: InstallPlaces): readonly string[] {
  return inProject(where, [PLUGIN]).filter((folder) => folder !== `${where.home}/${PLUGIN}`)
}

function off(text: string, file: string, where: InstallPlaces): string | undefined {
  if (!configs(where).includes(file)) return 'is a plugin with the name of ours, and takes its place'
  const entry = pluginSettings(text)[`${where.home}/${PLUGIN}`]
  return isObject(entry) && entry.enabled === false ? 'switches our plugin off under `plugins`' : undefined
}
