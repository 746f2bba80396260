import type { Launch, LaunchCall, Launcher } from '../vocabulary/launch.ts'
import { exactWord } from '../words/words.ts'
import { APPLET_LAUNCHERS } from './applets.ts'
import { CODE_OPTION_LAUNCHERS } from './code-options.ts'
import { EDITOR_LAUNCHERS } from './editors.ts'
import { FOR_EACH_LAUNCHERS } from './for-each.ts'
import { gitLaunch } from './git.ts'
import { RECIPE_LAUNCHERS } from './recipes.ts'
import { SHELL_LAUNCHERS } from './shells.ts'
import { SSH_LAUNCHERS } from './ssh.ts'
import { TERMINAL_LAUNCHERS } from './terminals.ts'

export const LAUNCHERS: ReadonlyMap<string, Launcher> = new Map(
  Object.entries({
    ...SHELL_LAUNCHERS,
    ...APPLET_LAUNCHERS,
    ...FOR_EACH_LAUNCHERS,
    ...SSH_LAUNCHERS,
    ...CODE_OPTION_LAUNCHERS,
    ...EDITOR_LAUNCHERS,
    ...RECIPE_LAUNCHERS,
    ...TERMINAL_LAUNCHERS,
    git: gitLaunch,
    hub: asGit,
  }),
)

/** hub hands every command of git on to it. */
function asGit({ name, args }: LaunchCall): Launch {
  return { own: args.length, runs: [{ via: name, words: [exactWord('git'), ...args] }] }
}
