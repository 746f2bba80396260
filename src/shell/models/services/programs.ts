import { optionTable } from '../../arguments/options.ts'
import {
  type Certainty,
  certainly,
  type VerbCall,
  type VerbProgram,
  type VerbRule,
} from '../../arguments/verbs.ts'
import { exactText } from '../../words/words.ts'
import { SCHEDULE } from '../scheduling/acts.ts'
import { KILL_ALL, SHUT_DOWN, START_AT_BOOT, STOP_SERVICE } from './acts.ts'

const OPTIONS = optionTable(`
  H|host= M|machine= t|type= state= p|property= o|output= n|lines= s|signal= kill-whom= root= job-mode= user
  system now f|force q|quiet no-pager c|config= h|help version no-block level|levels= w F a|all l|full i
  r|recursive u=
`)

function program(...rules: readonly VerbRule[]): VerbProgram {
  return {
    options: OPTIONS,
    inert: ['help', 'version'],
    harmless: ['status', 'restart', 'start', 'list', 'show'],
    rules,
  }
}

/** A unit by its path, from wherever: `systemctl enable /tmp/x.service`. */
function namesFile({ rest }: VerbCall): Certainty {
  return certainly(rest.some((word) => /\//.test(exactText(word) ?? '')))
}

const HALTING =
  'reboot|poweroff|halt|kexec|soft-reboot|suspend|hibernate|hybrid-sleep|rescue|emergency|isolate|exit'

/** Programs that start and stop services. */
export const SERVICE_PROGRAMS: ReadonlyMap<string, VerbProgram> = new Map([
  [
    'systemctl',
    program(
      { verbs: HALTING, act: SHUT_DOWN },
      { verbs: 'stop|disable|mask|kill', act: STOP_SERVICE },
      { verbs: 'enable|reenable', act: SCHEDULE, when: namesFile },
      { verbs: 'enable|reenable|preset|link|set-default|add-wants|edit', act: START_AT_BOOT },
    ),
  ],
  ['service', program({ verbs: '* stop', act: STOP_SERVICE })],
  ['rc-service', program({ verbs: '* stop', act: STOP_SERVICE })],
  ['rc-update', program({ verbs: 'del|delete', act: STOP_SERVICE }, { verbs: 'add', act: START_AT_BOOT })],
  [
    'update-rc.d',
    program(
      { verbs: '* remove|disable', act: STOP_SERVICE },
      { verbs: '* defaults|enable', act: START_AT_BOOT },
    ),
  ],
  ['chkconfig', program({ verbs: '* off', act: STOP_SERVICE }, { verbs: '* on', act: START_AT_BOOT })],
  ['sv', program({ verbs: 'down|stop|force-stop|exit', act: STOP_SERVICE })],
  ['sc', program({ verbs: 'stop|delete', act: STOP_SERVICE }, { verbs: 'create', act: SCHEDULE })],
  ['ipmitool', program({ verbs: 'chassis|power power|off|cycle|reset|soft', act: SHUT_DOWN })],
  ['supervisorctl', program({ verbs: 'stop|shutdown|remove', act: STOP_SERVICE })],
  [
    'launchctl',
    program(
      { verbs: 'reboot', act: SHUT_DOWN },
      { verbs: 'bootout|unload|remove|disable|stop|kill', act: STOP_SERVICE },
      { verbs: 'load|bootstrap|enable|submit', act: SCHEDULE },
    ),
  ],
  [
    'loginctl',
    program(
      { verbs: 'reboot|poweroff|halt|suspend|hibernate', act: SHUT_DOWN },
      { verbs: 'terminate-user|terminate-session|kill-user|kill-session|terminate-seat', act: KILL_ALL },
      { verbs: 'enable-linger', act: SCHEDULE },
    ),
  ],
])
