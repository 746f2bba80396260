import { spellPath } from '../../../shell/effect.ts'
import { isInside } from '../../../shell/paths.ts'
import { actGuard } from '../../act-guard.ts'
import { type Change, caughtChange, changedPaths } from '../../changed-paths.ts'
import type { Caught, GuardInput } from '../../guard.ts'
import { look } from '../../shell-guard.ts'

export const traces = actGuard({
  id: 'safety/system/traces',
  title: 'Removing the record of what was done',
  why: 'Without the history and the logs nobody can find out later what happened.',
  instead: 'leave the records as they are; if they take too much room, ask the person.',
  match: 'Bash|Write|Edit|MultiEdit|NotebookEdit|apply_patch',
  acts: ['system/traces'],
  mentions: /history|--vacuum|wevtutil/,
  maybe: 'may remove the record of what was done',
  also: [look(changedPaths, judge)],
  modes: { standard: 'ask', strict: 'deny', paranoid: 'deny' },
  examples: {
    stops: [
      'history -c',
      'history -cw',
      'unset HISTFILE',
      'set +o history',
      'export HISTFILE=/dev/null',
      'rm -f ~/.bash_history',
      '> ~/.zsh_history',
      'cat /dev/null > ~/.bash_history',
      'truncate -s 0 ~/.bash_history',
      'ln -sf /dev/null ~/.bash_history',
      'shred -u ~/.zsh_history',
      'journalctl --rotate --vacuum-time=1s',
      'journalctl --vacuum-size=1M',
      'wevtutil cl System',
    ],
    passes: [
      'history',
      'history 20',
      'set -o history',
      'export HISTFILE=~/.zsh_history',
      'tail ~/.bash_history',
      'grep npm ~/.zsh_history',
      'journalctl -u nginx --since today',
      'journalctl --disk-usage',
      'git log --oneline',
      'rm -f history.txt',
      'echo x > .bash_history.md',
      'wevtutil el',
    ],
  },
})

const HISTORY =
  /\/\.(bash|zsh|sh|python|node_repl|psql|mysql)_history$|\/fish_history$|\/ConsoleHost_history\.txt$/

function judge(change: Change, { facts }: GuardInput): Caught | null {
  if (change.guessed === true) return null
  const path = change.path.text ?? spellPath(change.path)
  if (!HISTORY.test(path) || !isInside(path, facts.home)) return null
  return caughtChange(change, `removes the record of what was done (${change.source})`)
}
