import { eachWord } from '../../core/word-list.ts'
import type { Launch, LaunchCall, Launcher } from '../vocabulary/launch.ts'
import { exactText, exactWord } from '../words/words.ts'
import { npmLaunch } from './code-options.ts'

/** Programs that do what the small programs of a shell do, each under a word of its own. */
export const APPLET_LAUNCHERS: Readonly<Record<string, Launcher>> = {
  cmake: cmakeLaunch,
  yarn: yarnLaunch,
}

/** What each word of `cmake -E` is called elsewhere. */
const CMAKE: ReadonlyMap<string, string> = new Map([
  ...['cat', 'env', 'rm', 'tar', 'time', 'touch'].map((same) => [same, same] as const),
  ...eachWord('copy copy_if_different copy_if_newer', 'cp'),
  ...['', '_if_different', '_if_newer'].map((when) => [`copy_directory${when}`, 'cp -r'] as const),
  ['remove', 'rm'],
  ['remove_directory', 'rm -r'],
  ['rename', 'mv'],
  ['make_directory', 'mkdir -p'],
  ['create_symlink', 'ln -s'],
  ['create_hardlink', 'ln'],
  ['chdir', 'env -C'],
])

/** `cmake -E remove_directory build` */
function cmakeLaunch({ name, args }: LaunchCall): Launch | undefined {
  const [mode, applet, ...rest] = args
  const program = exactText(mode) === '-E' ? CMAKE.get(exactText(applet) ?? '') : undefined
  if (program === undefined) return undefined
  return { own: 2, runs: [{ via: `${name} -E`, words: [...program.split(' ').map(exactWord), ...rest] }] }
}

/** `yarn workspace web exec rm x`: what follows the name is for yarn again. */
function yarnLaunch(call: LaunchCall): Launch | undefined {
  const { name, args } = call
  const [verb, , ...rest] = args
  return exactText(verb) === 'workspace' && rest.length > 0
    ? { own: 2, runs: [{ via: `${name} workspace`, words: [exactWord(name), ...rest] }] }
    : npmLaunch(call)
}
