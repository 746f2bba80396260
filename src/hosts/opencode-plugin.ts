import type { Dialect } from './dialect.ts'
import { userFolder } from './hook-entry.ts'
import type { Installer } from './installer.ts'
import { pluginFileInstaller } from './plugin-file.ts'

export interface OpenCodeInstall {
  readonly program: string
  readonly oldest: string
}

/** The installer of OpenCode and of programs made from it. */
export function openCodePlugin(dialect: Dialect, { program, oldest }: OpenCodeInstall): Installer {
  return pluginFileInstaller({
    dialect,
    program,
    events: [
      'PreToolUse',
      'PostToolUse',
      'UserPromptSubmit',
      'SessionStart',
      'Stop',
      'SubagentStart',
      'SubagentStop',
    ],
    oldest: { title: dialect.title, version: oldest, why: 'the plugins of older versions were not tried' },
    // A folder that OPENCODE_CONFIG_DIR names is read as well as this one.
    file: (where) => `${userFolder(where, 'XDG_CONFIG_HOME', '.config')}/${program}/plugin/holdpoint.js`,
    body: OPENCODE_BODY,
    package: {
      manifest: { keywords: ['opencode-plugin', 'holdpoint'] },
      command: (name) => `${program} plugin ${name} --global`,
    },
  })
}

/** Loading it cannot fail: whatever is wrong is met inside the function, and stops every call from there on. */
const OPENCODE_BODY = `
export const Holdpoint = async (context) => {
  try {
    const { opencode } = await import(settings.plugins)
    return await opencode(settings, context)
  } catch (error) {
    const stop = async () => {
      throw new Error(\`Holdpoint could not be loaded, so this was stopped. Tell the user to run "npx holdpoint doctor". \${error}\`)
    }
    return { 'chat.message': stop, 'tool.execute.before': stop }
  }
}
`
