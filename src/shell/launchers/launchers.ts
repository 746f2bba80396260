import type { Launch, LaunchCall, Launcher } from '../vocabulary/launch.ts'
import { exactWord } from '../words/words.ts'
import { APPLET_LAUNCHERS } from './applets.ts'
import { CODE_OPTION_LAUNCHERS } from './code-options.ts'
import { EDITOR_LAUNCHERS } from './editors.ts'
import { gitLaunch } from './git.ts'
import { RECIPE_LAUNCHERS } from './recipes.ts'

export const LAUNCHERS: ReadonlyMap<string, Launcher> = new Map(
  Object.entries({
    ...APPLET_LAUNCHERS,
    ...CODE_OPTION_LAUNCHERS,
    ...EDITOR_LAUNCHERS,
    ...RECIPE_LAUNCHERS,
    git: gitLaunch,
    hub: asGit,
  }),
)

/** hub hands every command of git on to it. */
function asGit({ name, args }: LaunchCall): Launch {
  return { own: args.length, runs: [{ via: name, words: [exactWord('git'), ...args] }] }
}
