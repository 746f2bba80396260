import type { Guard, GuardMatch } from '../../../core/guard.ts'
import { showsVariables, tracesLines } from '../../../shell/flow/shown-variables.ts'
import type { SimpleCommand } from '../../../shell/vocabulary/command.ts'
import type { PathMatch } from '../../analysis/path-list.ts'
import { SECRET_PATHS } from '../../analysis/topics.ts'
import { type Touch, touchedPaths } from '../../analysis/touched-paths.ts'
import { commandsIn, detector, onTopics, type ShellGuard, shellGuard } from '../shell-guard.ts'

/** A guard of this pack: a set of files, and what must not be done with them, through any tool. */
export interface SecretGuard extends Omit<ShellGuard, 'match' | 'maybe' | 'detectors'>, Watch {}

interface Watch {
  /** Whether the touched path is one of the secret files. */
  readonly isSecret: (touch: Touch, home: string) => PathMatch
  /**
   * What would happen, as the end of a sentence, and what is uncertain. Null if this guard does not handle that kind
   * of access.
   */
  readonly act: (touch: Touch) => { readonly caught: string; readonly unsure?: string } | null
}

export function secretGuard({ isSecret, act, ...guard }: SecretGuard): Guard {
  const watch: Watch = { isSecret, act }
  return shellGuard({
    ...guard,
    match: '*',
    maybe: 'may touch a secret',
    detectors: [
      detector(onTopics([SECRET_PATHS], touchedPaths), (touch, { event, facts }) => {
        return touch.loadedBy === undefined || isShownAfter(touch.loadedBy, commandsIn(event, facts))
          ? judge(touch, watch, facts.home)
          : null
      }),
    ],
  })
}

/**
 * Loading a file into a program only uses it, unless the shell, the program or a later command prints the loaded
 * values.
 */
function isShownAfter(loading: SimpleCommand, commands: readonly SimpleCommand[]): boolean {
  const at = commands.indexOf(loading)
  const byShell = /^(?:source|\.|export|set|eval)$/.test(loading.name ?? '')
  // The program loads the file for itself and for its child processes. The surrounding shell never sees the
  // values.
  const seeing = commands
    .slice(at)
    .filter((each) =>
      byShell ? isInShellOf(each, loading) : each === loading || each.via.length > loading.via.length,
    )
  return (
    (/^(?:source|\.)$/.test(loading.name ?? '') && tracesLines(commands.slice(0, at))) ||
    seeing.some((command) => showsVariables(command) !== 'none') ||
    /\s(?:env|printenv)["']?$/.test(loading.fragment)
  )
}

/** What a subshell loads ends with it: `echo "${HOST:-$(source .env)}"` shows nothing of the file. */
function isInShellOf(command: SimpleCommand, { via }: SimpleCommand): boolean {
  const inner = via.findLastIndex((how) => how === '$(…)' || how === '( … )')
  return via.slice(0, inner + 1).every((how, at) => command.via[at] === how)
}

function judge(touch: Touch, watch: Watch, home: string): GuardMatch | null {
  const act = watch.act(touch)
  const match = act === null ? 'no' : watch.isSecret(touch, home)
  if (act === null || match === 'no') return null
  const unsure =
    act.unsure ??
    touch.unsure ??
    (match === 'maybe' ? `${touch.source} may or may not be such a file` : undefined)
  return { caught: act.caught, fragment: touch.fragment, ...(unsure === undefined ? {} : { unsure }) }
}
