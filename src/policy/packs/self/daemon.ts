import type { GuardMatch } from '../../../core/guard.ts'
import { wordSet } from '../../../core/word-list.ts'
import type { SimpleCommand } from '../../../shell/vocabulary/command.ts'
import { exactText, type Word } from '../../../shell/words/words.ts'
import { commandsIn, commandsOf, detector, shellGuard } from '../shell-guard.ts'

/** Holdpoint's processes, by the names that people and programs find them with. */
const OURS = /holdpoint|daemon\.(?:cjs|pid)|hook\.sock/
const BY_NAME = wordSet('pkill killall fuser skill launchctl initctl rc-service service')

/**
 * Hooks also work without the daemon. But if the agent calls it over HTTP, a stopped daemon leaves calls unchecked.
 */
export const stopDaemonGuard = shellGuard({
  id: 'self/daemon',
  title: 'Stopping the Holdpoint process',
  why: 'While it is stopped, calls are checked late or not at all.',
  instead: 'report that the process seems to cause a problem. `holdpoint daemon status` shows its state.',
  modes: { standard: 'deny', strict: 'deny', paranoid: 'deny' },
  examples: {
    stops: [
      'pkill holdpoint',
      'pkill -9 -f holdpoint',
      'killall holdpoint-hook',
      'pkill -f daemon.cjs',
      'kill $(cat ~/.config/holdpoint/run/daemon.pid)',
      'kill -STOP `pgrep -f holdpoint`',
      'pgrep -f holdpoint | xargs kill -9',
      'cat ~/.config/holdpoint/run/daemon.pid | xargs -r kill',
      'PID=$(pgrep -f holdpoint); kill -9 $PID',
      'for p in $(pgrep holdpoint); do kill $p; done',
      'fuser -k ~/.config/holdpoint/run/hook.sock',
      'systemctl --user stop holdpoint',
      'systemctl --user mask holdpoint.service',
      'launchctl unload ~/Library/LaunchAgents/holdpoint.plist',
      "ps aux | grep holdpoint | awk '{print $2}' | xargs kill",
      'lsof -t ~/.config/holdpoint/run/hook.sock | xargs kill',
      "pkill -f 'hold[p]oint'",
      "pkill -f 'daemon\\.cjs'",
    ],
    passes: [
      'pgrep -f holdpoint',
      'ps aux | grep holdpoint',
      'kill 4242',
      'pkill -f vite',
      'kill $(cat server.pid)',
      'kill $(lsof -t -i:3000)',
      'lsof -i:3000 -t | xargs kill',
      'PID=$!; sleep 1; kill $PID',
      'systemctl --user status holdpoint',
      'cat ~/.config/holdpoint/run/daemon.pid',
      'killall node_exporter',
      'git commit -m "pkill holdpoint"',
      'systemctl --user restart app',
      'kill -l',
    ],
  },
  mentions: OURS,
  maybe: 'may stop the Holdpoint process',
  detectors: [
    detector(commandsOf(new Set([...BY_NAME, 'systemctl', 'kill'])), (command, { event, facts }) =>
      endedBy(command, commandsIn(event, facts)),
    ),
  ],
})

const STOPS_SERVICE = /^(?:stop|kill|mask|disable|restart|unload|bootout|remove|freeze)$/

function endedBy(command: SimpleCommand, all: readonly SimpleCommand[]): GuardMatch | null {
  const { name = '', args } = command
  const named = args.some(isOurs)
  if (BY_NAME.has(name) || name === 'systemctl') {
    const needsVerb = /ctl$|service$/.test(name)
    const stops = !needsVerb || args.some((word) => STOPS_SERVICE.test(exactText(word) ?? ''))
    const shows = name === 'fuser' && !args.some((word) => /^-\w*k|^--kill/.test(word.source))
    return named && stops && !shows ? caught(command) : null
  }
  if (name !== 'kill') return null
  if (named || (command.inputs ?? []).some(({ fragment }) => OURS.test(fragment))) return caught(command)
  const target = args.find((word) => exactText(word) === undefined)
  const looked = all.find(
    (other) => other !== command && FINDERS.has(other.name ?? '') && other.args.some(isOurs),
  )
  if (target === undefined || looked === undefined) return null
  return { ...caught(command), unsure: `which process ${target.source} means is known only at run time` }
}

/** Programs that print the id of a process. */
const FINDERS = wordSet('pgrep pidof cat lsof ps grep fuser head ss awk')

/** A pattern can hide the name from a search: `hold[p]oint`. */
function isOurs(word: Word): boolean {
  return OURS.test(word.source) || OURS.test((exactText(word) ?? '').replace(/[[\]\\()^$*?]/g, ''))
}

function caught(command: SimpleCommand): GuardMatch {
  const detail = { effect: 'ends the daemon', via: [...command.via], at: [command.start, command.end] }
  return { caught: 'stops a Holdpoint process', fragment: command.fragment, detail }
}
