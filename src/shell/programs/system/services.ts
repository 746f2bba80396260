import { isSet, readOptions } from '../../arguments/options.ts'
import {
  type Certainty,
  certainly,
  type VerbCall,
  type VerbProgram,
  type VerbRule,
  verbEffects,
} from '../../arguments/verbs.ts'
import { exactText } from '../../words/words.ts'
import { PLAIN } from '../aspects/wrapper.ts'
import { each, type ProgramCall, type ProgramTable } from '../program.ts'
import { KILL_ALL, PROTECTION_OFF, SCHEDULE, SHUT_DOWN, START_AT_BOOT, STOP_SERVICE } from './acts.ts'
import { watcher } from './watchers.ts'

const BY_NAME = `
  u|user|euid= U|uid= g|pgroup= G|group= P|parent= s|session= t|terminal= signal= o|older-than=
  y|younger-than= f|full x|exact n|newest i|ignore-case v|inverse
`

function killedByName({ command }: ProgramCall) {
  const read = readOptions(command.args, BY_NAME)
  const byUser = ['euid', 'uid'].some((name) => isSet(read, name))
  if (byUser && read.operands.length === 0) return [KILL_ALL]
  return read.operands.some((word) => /^[.*^$]+$/.test(exactText(word) ?? '')) ? [KILL_ALL] : []
}

/** `-1` after the signal is everybody; so is process 1, which takes the rest with it. */
function killed({ command }: ProgramCall) {
  const words = command.args.map((word) => exactText(word) ?? '')
  const targets = words.slice(signalWords(words[0] ?? ''))
  return targets.some((word) => word === '-1' || word === '1') ? [KILL_ALL] : []
}

function signalWords(first: string): number {
  if (/^(-s|-n|--signal)$/.test(first)) return 2
  return /^-[A-Z0-9]|^--signal=/i.test(first) ? 1 : 0
}

function shutdown({ command }: ProgramCall) {
  const words = command.args.map((word) => exactText(word) ?? '')
  const inert = words.some((word) => ['-c', '--help', '--version', '-w', '--wtmp-only', '-k'].includes(word))
  return inert ? [] : [SHUT_DOWN]
}

const OPTIONS = `
  H|host= M|machine= t|type= state= p|property= o|output= n|lines= s|signal= kill-whom= root= job-mode= user
  system now f|force q|quiet no-pager c|config= h|help version no-block level|levels= w F a|all l|full i
  r|recursive u=
`

function acting(...rules: readonly VerbRule[]): VerbProgram {
  return {
    options: OPTIONS,
    inert: 'help version',
    harmless: 'status restart start list show',
    rules,
  }
}

/** A unit by its path, from wherever: `systemctl enable /tmp/x.service`. */
function namesFile({ rest }: VerbCall): Certainty {
  return certainly(rest.some((word) => /\//.test(exactText(word) ?? '')))
}

const HALTING =
  'reboot|poweroff|halt|kexec|soft-reboot|suspend|hibernate|hybrid-sleep|rescue|emergency|isolate|exit'
const SYSTEMCTL = acting(
  [HALTING, SHUT_DOWN],
  ['stop|disable|mask|kill', STOP_SERVICE],
  ['enable|reenable', SCHEDULE, { when: namesFile }],
  ['enable|reenable|preset|link|set-default|add-wants|edit', START_AT_BOOT],
)

/** Windows: `sc stop spooler`. */
export const SERVICE_CONTROL = acting(['stop|delete', STOP_SERVICE], ['create', SCHEDULE])

/** Processes, services and the machine itself. */
export const SERVICES: ProgramTable = {
  kill: { does: killed, lines: [[PROTECTION_OFF, watcher('')]], files: { operands: 'none' } },
  'pkill killall': {
    does: killedByName,
    // The session of a Mac ends with these.
    lines: [
      [PROTECTION_OFF, watcher('')],
      [KILL_ALL, /\b(?:WindowServer|loginwindow)\b/],
    ],
  },
  skill: { does: killedByName },
  killall5: { does: () => [KILL_ALL] },
  pgrep: { files: { ownLetters: true } },
  'shutdown reboot halt poweroff': { does: shutdown },
  'init telinit': {
    does: ({ command }) => (['0', '6'].includes(exactText(command.args[0]) ?? '') ? [SHUT_DOWN] : []),
  },
  busctl: {
    does: ({ command }) =>
      command.args.some((word) => /^(Reboot|PowerOff|Halt|Suspend)$/.test(exactText(word) ?? ''))
        ? [SHUT_DOWN]
        : [],
  },
  systemctl: {
    // A person's own services stop with them.
    does: ({ command }) =>
      command.args.some((word) => exactText(word) === '--user') ? [] : verbEffects(command, SYSTEMCTL),
    lines: [[PROTECTION_OFF, watcher('\\b(?:stop|disable|mask|kill)\\b.*\\s')]],
    showsEnvironment: ({ args }) =>
      args.some((word) => exactText(word) === 'show-environment') ? 'all' : 'none',
  },
  'service rc-service': {
    acts: acting(['* stop', STOP_SERVICE]),
    lines: [[PROTECTION_OFF, watcher('^', '.*\\bstop\\b')]],
  },
  ...each<VerbProgram>((acts) => ({ acts }), {
    'rc-update': acting(['del|delete', STOP_SERVICE], ['add', START_AT_BOOT]),
    sv: acting(['down|stop|force-stop|exit', STOP_SERVICE]),
    ipmitool: acting(['chassis|power power|off|cycle|reset|soft', SHUT_DOWN]),
    supervisorctl: acting(['stop|shutdown|remove', STOP_SERVICE]),
    loginctl: acting(
      ['reboot|poweroff|halt|suspend|hibernate', SHUT_DOWN],
      ['terminate-user|terminate-session|kill-user|kill-session|terminate-seat', KILL_ALL],
      ['enable-linger', SCHEDULE],
    ),
  }),
  'update-rc.d': {
    acts: acting(['* remove|disable', STOP_SERVICE], ['* defaults|enable', START_AT_BOOT]),
    lines: [[PROTECTION_OFF, watcher('', '.*\\b(?:disable|remove|off)\\b')]],
  },
  chkconfig: {
    acts: acting(['* off', STOP_SERVICE], ['* on', START_AT_BOOT]),
    lines: [[PROTECTION_OFF, watcher('', '.*\\b(?:disable|remove|off)\\b')]],
  },
  launchctl: {
    acts: acting(
      ['reboot', SHUT_DOWN],
      ['bootout|unload|remove|disable|stop|kill', STOP_SERVICE],
      ['load|bootstrap|enable|submit', SCHEDULE],
    ),
    lines: [
      [PROTECTION_OFF, watcher('\\b(?:unload|bootout|disable|remove|stop|kill)\\b.*')],
      [
        { ...SCHEDULE, what: 'makes every program that starts from now on load or find other code' },
        /^(?:setenv (?:DYLD_|LD_|NODE_OPTIONS|PYTHON|BASH_ENV|PERL5|RUBY|JAVA_TOOL|GIT_|PATH |SHELL )|config \w+ path )/,
      ],
    ],
    wraps: { ...PLAIN, verbs: { asuser: { ...PLAIN, operands: 1 }, bsexec: { ...PLAIN, operands: 1 } } },
  },
  ps: {
    files: { ownLetters: true },
    // On a Mac: of every process of this person, as `/proc/*/environ` is on Linux.
    credentials: [['the environment of other processes', /^/, / -[A-Za-z]*E[A-Za-z]* /]],
    // Without a dash, the letter asks for the environment of every process; on a Mac, `-E` does.
    showsEnvironment: ({ args }) =>
      args.some((word) => /^(?:[a-z]*e[a-z]*|-[A-Za-z]*E[A-Za-z]*)$/.test(exactText(word) ?? ''))
        ? 'all'
        : 'none',
  },
}
