import type { GuardInput, GuardMatch } from '../../../../core/guard.ts'
import { spellPath } from '../../../../shell/vocabulary/effect.ts'
import { isInside } from '../../../../shell/words/paths.ts'
import { caughtChange, changedPaths, type PathChange } from '../../../analysis/changed-paths.ts'
import { SURE_CHANGES } from '../../../analysis/topics.ts'
import { actGuard } from '../../act-guard.ts'
import { detector, onTopics } from '../../shell-guard.ts'

export const traces = actGuard({
  id: 'safety/system/traces',
  title: 'Deleting shell history or logs',
  why: 'Without the history and the logs, it is impossible to find out later what happened.',
  instead: 'leave the records in place. If they need too much disk space, let the user delete them.',
  match: '*',
  acts: ['system/traces'],
  mentions: /history|--vacuum|wevtutil/,
  maybe: 'may delete shell history or logs',
  also: [detector(onTopics([SURE_CHANGES], changedPaths), judge)],
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
      '> /var/log/auth.log',
      ': > /var/log/syslog',
      'cat /dev/null > /var/log/wtmp',
      'tee /var/log/messages < /dev/null',
      'dd if=/dev/null of=/var/log/secure',
      "sed -i '/10.0.0.1/d' /var/log/auth.log",
      'ln -sf /dev/null /var/log/auth.log',
      'truncate -s 0 /var/log/nginx/access.log',
      'cp clean.log /var/log/audit/audit.log',
      'log erase --all',
      'fsutil usn deletejournal /d C:',
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
      'echo "deployed" >> /var/log/syslog',
      'tail -f /var/log/auth.log',
      'cp /var/log/syslog /tmp/syslog',
      'log show --last 1h',
      'app > /var/log/app.log',
    ],
  },
})

const HISTORY =
  /\/\.(bash|zsh|sh|python|node_repl|psql|mysql)_history$|\/fish_history$|\/ConsoleHost_history\.txt$/

/** Records that the system keeps of logins, commands and services. */
const LOGS =
  /^(?:\/private)?\/var\/(?:log|adm|account)\/(?:auth\.log|syslog|secure|messages|[wbu]tmpx?|lastlog|faillog|kern\.log|daemon\.log|cron(?:\.log)?|mail(?:\.log|log)|sudo(?:\.log|-io\/.*)|dpkg\.log|system\.log|install\.log|pacct|(?:audit|journal|apt|nginx|apache2|httpd|mysql|postgresql|samba|fail2ban)(?:\/.*|\.log))$/

/** A log that is written over keeps nothing; a line added to it takes nothing away. */
function isLogLost({ fragment, does, detail }: PathChange, path: string): boolean {
  if (!LOGS.test(path) || />>|\btee\s+-\w*a|--append/.test(fragment)) return false
  const program = String(detail?.program ?? '')
  return does === 'writes' || /^(?:truncate|sed|perl|ln|mv|shred|dd)$/.test(program)
}

function judge(change: PathChange, { facts }: GuardInput): GuardMatch | null {
  if (change.guessed === true) return null
  const path = change.path.text ?? spellPath(change.path)
  const isHistory = HISTORY.test(path) && isInside(path, facts.home)
  if (!isHistory && !isLogLost(change, path)) return null
  return caughtChange(change, `deletes shell history or logs (${change.source})`)
}
