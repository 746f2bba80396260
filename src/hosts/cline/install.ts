import { userFolder } from '../hook-entry.ts'
import { pluginFileInstaller } from '../plugin-file.ts'
import { CLINE } from './dialect.ts'

/** A file of our own in the folder of the user's plugins, which needs no trust in the project. */
export const installer = pluginFileInstaller({
  dialect: CLINE,
  program: 'cline',
  events: [
    'PreToolUse',
    'PostToolUse',
    'UserPromptSubmit',
    'SessionStart',
    'Stop',
    'SubagentStart',
    'SubagentStop',
  ],
  oldest: { title: 'Cline', version: '3.0.0', why: 'the plugins of older versions were not tried' },
  file: (where) => `${userFolder(where, 'CLINE_DIR', '.cline')}/plugins/holdpoint.js`,
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
