import type { Event } from '../../event.ts'
import type { Facts } from '../../facts.ts'
import type { SimpleCommand } from '../../shell/command.ts'
import { showsVariables, tracesLines } from '../../shell/variables-shown.ts'
import type { Caught } from '../guard.ts'
import type { Match } from '../path-list.ts'
import { shellOf, unreadable } from '../shell-of.ts'
import { strongest } from '../strongest.ts'
import { type Touch, touchedPaths } from '../touched-paths.ts'

/** What a guard of this pack looks for. */
export interface Watch {
  /** Is the touched path one of the secrets? */
  readonly match: (touch: Touch) => Match
  /** What happens then, as the end of a sentence, and what is in doubt. Null when that access is not this guard's. */
  readonly act: (touch: Touch) => { readonly caught: string; readonly unsure?: string } | null
  /** Words in an unreadable command that make it suspicious. */
  readonly mentions: RegExp
}

export function caughtSecret(event: Event, facts: Facts, watch: Watch): Caught | null {
  const analysis = shellOf(event, facts)
  if (!analysis.judged) return unreadable(event, analysis.why, watch.mentions, 'may touch a secret')
  return strongest(touchedPaths(event, facts), (touch) => {
    return touch.loadedBy === undefined || isShownAfter(touch.loadedBy, analysis.commands)
      ? judge(touch, watch)
      : null
  })
}

/** To load a file into a program is to use it, unless the shell, that program or what follows prints what was loaded. */
function isShownAfter(loading: SimpleCommand, commands: readonly SimpleCommand[]): boolean {
  const at = commands.indexOf(loading)
  return (
    (/^(?:source|\.)$/.test(loading.name ?? '') && tracesLines(commands.slice(0, at))) ||
    commands.slice(at).some(showsVariables) ||
    /\s(?:env|printenv)["']?$/.test(loading.fragment)
  )
}

function judge(touch: Touch, watch: Watch): Caught | null {
  const act = watch.act(touch)
  const match = act === null ? 'no' : watch.match(touch)
  if (act === null || match === 'no') return null
  const unsure =
    act.unsure ?? touch.unsure ?? (match === 'maybe' ? `${touch.source} may or may not be one` : undefined)
  return { caught: act.caught, fragment: touch.fragment, ...(unsure === undefined ? {} : { unsure }) }
}
