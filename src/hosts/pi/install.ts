import type { InstallPlaces } from '../../core/host.ts'
import type { Json } from '../../core/json.ts'
import { userFolder } from '../hook-entry.ts'
import { pluginFileInstaller } from '../plugin-file.ts'
import { switchedOff } from '../switched-off.ts'
import { PI } from './dialect.ts'

/** A file of our own in the folder of the user's extensions, which needs no trust in the project. */
export const installer = pluginFileInstaller({
  dialect: PI,
  program: 'pi',
  events: ['PreToolUse', 'PostToolUse', 'UserPromptSubmit', 'SessionStart', 'SessionEnd', 'Stop'],
  oldest: { title: 'Pi', version: '0.87.0', why: 'the extensions of older versions were not tried' },
  file: (where) => `${folderOf(where)}/extensions/holdpoint.js`,
  switches: {
    files: (where) => [`${folderOf(where)}/settings.json`],
    // Seen on 0.87.1: a project's settings leave out extensions of the project alone.
    off: (text, _file, where) =>
      switchedOff(text, [
        {
          path: ['extensions'],
          isOff: (value) => Array.isArray(value) && value.some((each) => leavesOut(each, folderOf(where))),
        },
      ]),
  },
  package: {
    manifest: { keywords: ['pi-package', 'holdpoint'], pi: { extensions: ['./index.js'] } },
    command: (name) => `pi install npm:${name}`,
  },
  // Pi does not start with an extension that throws. It waits for one that is a promise.
  body: `
export default async function (pi) {
  try {
    const plugins = await import(settings.plugins)
    plugins.pi(settings, pi)
  } catch (error) {
    const reason = \`Holdpoint could not be loaded, so this was stopped. Tell the user to run "npx holdpoint doctor". \${error}\`
    pi.on('tool_call', () => ({ block: true, reason }))
    pi.on('input', (_event, { ui }) => {
      ui.notify(reason, 'error')
      return { action: 'handled' }
    })
  }
}
`,
})

function folderOf(where: InstallPlaces): string {
  return userFolder(where, 'PI_CODING_AGENT_DIR', '.pi/agent')
}

/** `-path` or `!pattern`, of paths below the folder or from the root. */
function leavesOut(entry: Json, folder: string): boolean {
  const [, pattern] = /^[-!](.+)$/.exec(typeof entry === 'string' ? entry : '') ?? []
  if (pattern === undefined) return false
  const parts = pattern.replace(/^\.\//, '').split(/(\*\*\/?|\*|\?)/)
  const text = parts.map((part) => GLOBS[part] ?? part.replace(/[.+^${}()|[\]\\]/g, '\\$&')).join('')
  return new RegExp(`(?:^|/)${text}$`).test(`${folder}/extensions/holdpoint.js`)
}

const GLOBS: Readonly<Record<string, string>> = { '**/': '(?:.*/)?', '**': '.*', '*': '[^/]*', '?': '[^/]' }
