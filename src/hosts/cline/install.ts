import type { InstallPlaces } from '../../core/host.ts'
import { isObject, type Json } from '../../core/json.ts'
import { userFolder } from '../hook-entry.ts'
import type { Installer } from '../installer.ts'
import { pluginFileInstaller } from '../plugin-file.ts'
import { CLINE } from './dialect.ts'

const EVENTS = [
  'PreToolUse',
  'PostToolUse',
  'UserPromptSubmit',
  'SessionStart',
  'Stop',
  'SubagentStart',
  'SubagentStop',
] as const

/** How long it waits for a plugin, at every event. */
const WAITS_MS = 3_000

/** A file of our own in the folder of the user's plugins, which needs no trust in the project. */
const plugin = pluginFileInstaller({
  dialect: CLINE,
  program: 'cline',
  events: EVENTS,
  waitsAtMostMs: Object.fromEntries(EVENTS.map((event) => [event, WAITS_MS])),
  oldest: { title: 'Cline', version: '3.0.0', why: 'the plugins of older versions were not tried' },
  file: (where) => `${userFolder(where, 'CLINE_DIR', '.cline')}/plugins/holdpoint.js`,
  package: {
    manifest: {
      keywords: ['cline-plugin', 'holdpoint'],
      cline: { plugins: [{ paths: ['./index.js'], capabilities: ['hooks'] }] },
    },
    command: (name) => `cline plugin install ${name} --npm`,
  },
  // It gives up on a plugin that takes four seconds to load, so nothing is awaited before the first event.
  body: `
let hooks
const load = (context) =>
  (hooks ??= import(settings.plugins)
    .then(({ cline }) => cline(settings, context))
    .catch((error) => {
      const reason = \`Holdpoint could not be loaded, so this was stopped. Tell the user to run "npx holdpoint doctor". \${error}\`
      const stop = () => {
        throw new Error(reason)
      }
      return { beforeRun: stop, beforeTool: () => ({ skip: true, reason }), afterTool() {}, afterRun() {} }
    }))
const at = (name) => async (event) => (await load({}))[name](event)
export default {
  name: 'holdpoint',
  manifest: { capabilities: ['hooks'] },
  setup(_api, context) {
    load(context ?? {})
  },
  hooks: {
    beforeRun: at('beforeRun'),
    beforeTool: at('beforeTool'),
    afterTool: at('afterTool'),
    afterRun: at('afterRun'),
  },
}
`,
})

/** Plugins that the user has switched off stand in another file, by their paths. */
export const installer: Installer = {
  ...plugin,
  governing: (where) => [settingsFile(where)],
  switchesOff,
  switches({ where, read }) {
    const off = switchesOff(read(settingsFile(where)) ?? '')
    return off === undefined ? [] : [`${settingsFile(where)} ${off}.`]
  },
}

function settingsFile(where: InstallPlaces): string {
  return `${userFolder(where, 'CLINE_DIR', '.cline')}/data/settings/global-settings.json`
}

function switchesOff(text: string): string | undefined {
  const isOff = disabledIn(text).some((path) => /[\\/]plugins[\\/]holdpoint\.js$/.test(path))
  return isOff ? 'names our plugin in `disabledPlugins`. Remove it there' : undefined
}

function disabledIn(text: string): readonly string[] {
  try {
    const value: Json = JSON.parse(text)
    const list = isObject(value) ? value.disabledPlugins : undefined
    return Array.isArray(list) ? list.filter((each) => typeof each === 'string') : []
  } catch {
    return []
  }
}
