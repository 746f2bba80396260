import type { SimpleCommand } from '../../shell/command.ts'
import { showsVariables, tracesLines } from '../../shell/variables-shown.ts'
import type { Caught, Guard } from '../guard.ts'
import type { Match } from '../path-list.ts'
import { commandsIn, look, type ShellGuard, shellGuard } from '../shell-guard.ts'
import { type Touch, touchedPaths } from '../touched-paths.ts'

/** A guard of this pack: certain files, and what may not be done with them, through any tool. */
export interface SecretGuard extends Omit<ShellGuard, 'match' | 'maybe' | 'looks'>, Watch {}

interface Watch {
  /** Is the touched path one of the secrets? */
  readonly isSecret: (touch: Touch, home: string) => Match
  /** What happens then, as the end of a sentence, and what is in doubt. Null when that access is not this guard's. */
  readonly act: (touch: Touch) => { readonly caught: string; readonly unsure?: string } | null
}

export function secretGuard({ isSecret, act, ...guard }: SecretGuard): Guard {
  const watch: Watch = { isSecret, act }
  return shellGuard({
    ...guard,
    match: '*',
    maybe: 'may touch a secret',
    looks: [
      look(touchedPaths, (touch, { event, facts }) => {
        return touch.loadedBy === undefined || isShownAfter(touch.loadedBy, commandsIn(event, facts))
          ? judge(touch, watch, facts.home)
          : null
      }),
    ],
  })
}

/** To load a file into a program is to use it, unless the shell, that program or what follows prints what was loaded. */
function isShownAfter(loading: SimpleCommand, commands: readonly SimpleCommand[]): boolean {
  const at = commands.indexOf(loading)
  const byShell = /^(?:source|\.|export|set|eval)$/.test(loading.name ?? '')
  // A program loads it for itself and what it runs; the shell around it never sees it.
  const seeing = commands
    .slice(at)
    .filter((each) => byShell || each === loading || each.via.length > loading.via.length)
  return (
    (/^(?:source|\.)$/.test(loading.name ?? '') && tracesLines(commands.slice(0, at))) ||
    seeing.some(showsVariables) ||
    /\s(?:env|printenv)["']?$/.test(loading.fragment)
  )
}

function judge(touch: Touch, watch: Watch, home: string): Caught | null {
  const act = watch.act(touch)
  const match = act === null ? 'no' : watch.isSecret(touch, home)
  if (act === null || match === 'no') return null
  const unsure =
    act.unsure ?? touch.unsure ?? (match === 'maybe' ? `${touch.source} may or may not be one` : undefined)
  return { caught: act.caught, fragment: touch.fragment, ...(unsure === undefined ? {} : { unsure }) }
}
