import type { Launch, LaunchCall, Launcher } from '../vocabulary/launch.ts'
import { exactText, exactWord } from '../words/words.ts'
import { npmLaunch } from './code-options.ts'

/** Programs that do what the small programs of a shell do, each under a word of its own. */
export const APPLET_LAUNCHERS: Readonly<Record<string, Launcher>> = {
  yarn: yarnLaunch,
}

/** `yarn workspace web exec rm x`: what follows the name is for yarn again. */
function yarnLaunch(call: LaunchCall): Launch | undefined {
  const { name, args } = call
  const [verb, , ...rest] = args
  return exactText(verb) === 'workspace' && rest.length > 0
    ? { own: 2, runs: [{ via: `${name} workspace`, words: [exactWord(name), ...rest] }] }
    : npmLaunch(call)
}
