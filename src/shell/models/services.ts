import { wordList } from '../../core/word-list.ts'
import { isSet, optionTable, readOptions } from '../arguments/options.ts'
import { verbEffects } from '../arguments/verbs.ts'
import type { ActEffect } from '../vocabulary/effect.ts'
import { exactText } from '../words/words.ts'
import type { Model, ModelCall, ModelCases } from './model.ts'
import { KILL_ALL, SHUT_DOWN } from './services/acts.ts'
import { SERVICE_PROGRAMS } from './services/programs.ts'

/** Processes, services and the machine itself. */
export const services: Model = {
  programs: [
    ...wordList('kill pkill killall killall5 skill shutdown reboot halt poweroff init telinit busctl'),
    ...SERVICE_PROGRAMS.keys(),
  ],
  effects(call) {
    switch (call.name) {
      case 'kill':
        return killed(call)
      case 'busctl':
        return call.command.args.some((word) =>
          /^(Reboot|PowerOff|Halt|Suspend)$/.test(exactText(word) ?? ''),
        )
          ? [SHUT_DOWN]
          : []
      case 'skill':
      case 'pkill':
      case 'killall':
        return killedByName(call)
      case 'killall5':
        return [KILL_ALL]
      case 'init':
      case 'telinit':
        return ['0', '6'].includes(exactText(call.command.args[0]) ?? '') ? [SHUT_DOWN] : []
      default:
        return serviceEffects(call) ?? shutdown(call)
    }
  },
}

export const cases: ModelCases = [
  ['kill 4242'],
  ['kill -9 4242 4243'],
  ['kill -l'],
  ['kill -9 -1', 'system-change system/kill-all'],
  ['kill -s KILL -- -1', 'system-change system/kill-all'],
  ['kill -s 9 -1', 'system-change system/kill-all'],
  ['kill -s 1 4242'],
  ['kill -1 4242'],
  ['kill -HUP 4242'],
  ['kill -TERM 1', 'system-change system/kill-all'],
  ['pkill -f "vite --port 3000"'],
  ['pkill -9 .', 'system-change system/kill-all'],
  ['killall node'],
  ['killall -u dev', 'system-change system/kill-all'],
  ['killall5 -9', 'system-change system/kill-all'],
  ['systemctl status nginx'],
  ['systemctl --user restart app'],
  ['systemctl --user stop app'],
  ['systemctl restart nginx'],
  ['systemctl stop --help'],
  ['systemctl $VERB nginx', 'system-change system/shutdown ?'],
  ['systemctl enable nginx', 'system-change system/start-at-boot'],
  ['systemctl enable --now /tmp/x.service', 'system-change scheduling/install'],
  ['systemctl stop postgresql', 'system-change system/stop-service'],
  ['systemctl --now disable sshd', 'system-change system/stop-service'],
  ['systemctl reboot', 'system-change system/shutdown'],
  ['systemctl isolate rescue.target', 'system-change system/shutdown'],
  ['service nginx reload'],
  ['service nginx stop', 'system-change system/stop-service'],
  ['rc-service nginx stop', 'system-change system/stop-service'],
  ['rc-update add nginx default', 'system-change system/start-at-boot'],
  ['update-rc.d nginx disable', 'system-change system/stop-service'],
  ['chkconfig nginx off', 'system-change system/stop-service'],
  ['supervisorctl status'],
  ['supervisorctl stop all', 'system-change system/stop-service'],
  ['launchctl list'],
  ['launchctl bootout gui/501/com.example.app', 'system-change system/stop-service'],
  ['launchctl load -w com.example.app.plist', 'system-change scheduling/install'],
  ['sv status app'],
  ['sv down app', 'system-change system/stop-service'],
  ['sc query'],
  ['sc delete spooler', 'system-change system/stop-service'],
  ['ipmitool chassis status'],
  ['ipmitool chassis power off', 'system-change system/shutdown'],
  ['skill -KILL -u dev', 'system-change system/kill-all'],
  ['busctl list'],
  [
    'busctl call org.freedesktop.login1 /org/freedesktop/login1 org.freedesktop.login1.Manager Reboot b true',
    'system-change system/shutdown',
  ],
  ['loginctl list-sessions'],
  ['loginctl terminate-user dev', 'system-change system/kill-all'],
  ['loginctl enable-linger dev', 'system-change scheduling/install'],
  ['loginctl poweroff', 'system-change system/shutdown'],
  ['shutdown -h now', 'system-change system/shutdown'],
  ['shutdown -c'],
  ['reboot', 'system-change system/shutdown'],
  ['reboot --help'],
  ['halt -f', 'system-change system/shutdown'],
  ['poweroff', 'system-change system/shutdown'],
  ['init 6', 'system-change system/shutdown'],
  ['telinit 0', 'system-change system/shutdown'],
  ['init 3'],
]

/** `-1` after the signal is everybody; so is process 1, which takes the rest with it. */
function killed({ command }: ModelCall): readonly ActEffect[] {
  const words = command.args.map((word) => exactText(word) ?? '')
  const targets = words.slice(signalWords(words[0] ?? ''))
  return targets.some((word) => word === '-1' || word === '1') ? [KILL_ALL] : []
}

function signalWords(first: string): number {
  if (/^(-s|-n|--signal)$/.test(first)) return 2
  return /^-[A-Z0-9]|^--signal=/i.test(first) ? 1 : 0
}

const BY_NAME = optionTable(`
  u|user|euid= U|uid= g|pgroup= G|group= P|parent= s|session= t|terminal= signal= o|older-than=
  y|younger-than= f|full x|exact n|newest i|ignore-case v|inverse
`)

function killedByName({ command }: ModelCall): readonly ActEffect[] {
  const read = readOptions(command.args, BY_NAME)
  const byUser = ['euid', 'uid'].some((name) => isSet(read, name))
  if (byUser && read.operands.length === 0) return [KILL_ALL]
  return read.operands.some((word) => /^[.*^$]+$/.test(exactText(word) ?? '')) ? [KILL_ALL] : []
}

function serviceEffects({ name, command }: ModelCall): readonly ActEffect[] | undefined {
  const program = SERVICE_PROGRAMS.get(name)
  if (program === undefined) return undefined
  // A person's own services stop with them.
  const own = command.args.some((word) => exactText(word) === '--user')
  return own && name === 'systemctl' ? [] : verbEffects(command, program)
}

function shutdown({ command }: ModelCall): readonly ActEffect[] {
  const words = command.args.map((word) => exactText(word) ?? '')
  const inert = words.some((word) => ['-c', '--help', '--version', '-w', '--wtmp-only', '-k'].includes(word))
  return inert ? [] : [SHUT_DOWN]
}
