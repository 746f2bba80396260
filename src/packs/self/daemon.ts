import type { SimpleCommand } from '../../shell/command.ts'
import { exactText, type Word } from '../../shell/words.ts'
import type { Caught } from '../guard.ts'
import { commandsIn, commandsOf, look, shellGuard } from '../shell-guard.ts'

/** Our processes, by what people and programs find them with. */
const OURS = /holdpoint|daemon\.(?:cjs|pid)|hook\.sock/
const BY_NAME = new Set([
  'pkill',
  'killall',
  'fuser',
  'skill',
  'launchctl',
  'initctl',
  'rc-service',
  'service',
])

/** Hooks answer without the daemon too; but where the agent asks over HTTP, a dead daemon leaves a gap. */
export const daemon = shellGuard({
  id: 'self/daemon',
  title: 'Ending the process that judges',
  why: 'While it is gone, calls are judged late or not at all.',
  instead: 'tell the person that it seems to be in the way; `holdpoint daemon status` says how it is.',
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
  maybe: 'may end the process that judges',
  looks: [
    look(commandsOf(new Set([...BY_NAME, 'systemctl', 'kill'])), (command, { event, facts }) =>
      endedBy(command, commandsIn(event, facts)),
    ),
  ],
})

const STOPS_SERVICE = /^(?:stop|kill|mask|disable|restart|unload|bootout|remove|freeze)$/

function endedBy(command: SimpleCommand, all: readonly SimpleCommand[]): Caught | null {
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
  return { ...caught(command), unsure: `whom ${target.source} names is known only at run time` }
}

/** What tells the number of a process. */
const FINDERS = new Set(['pgrep', 'pidof', 'cat', 'lsof', 'ps', 'grep', 'fuser', 'head', 'ss', 'awk'])

/** A pattern may hide the name from a search for it: `hold[p]oint`. */
function isOurs(word: Word): boolean {
  return OURS.test(word.source) || OURS.test((exactText(word) ?? '').replace(/[[\]\\()^$*?]/g, ''))
}

function caught(command: SimpleCommand): Caught {
  const detail = { effect: 'ends the daemon', via: [...command.via], at: [command.start, command.end] }
  return { caught: 'ends a process of Holdpoint', fragment: command.fragment, detail }
}
