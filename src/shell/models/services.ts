import type { ActEffect } from '../effect.ts'
import { isSet, optionTable, readOptions } from '../options.ts'
import { exactText, type Word } from '../words.ts'
import type { Model, ModelCall, ModelCases } from './model.ts'

/** Processes, services and the machine itself. */
export const services: Model = {
  programs: [
    ...['kill', 'pkill', 'killall', 'killall5', 'systemctl', 'service', 'shutdown', 'reboot', 'halt'],
    ...['poweroff', 'init', 'telinit'],
  ],
  effects(call) {
    switch (call.name) {
      case 'kill':
        return killed(call)
      case 'pkill':
      case 'killall':
        return killedByName(call)
      case 'killall5':
        return [KILL_ALL]
      case 'systemctl':
        return systemctl(call)
      case 'service':
        return stopsService(call.command.args[1]) ? [STOP_SERVICE] : []
      case 'init':
      case 'telinit':
        return ['0', '6'].includes(exactText(call.command.args[0]) ?? '') ? [SHUT_DOWN] : []
      default:
        return shutdown(call)
    }
  },
}

export const cases: ModelCases = [
  ['kill 4242'],
  ['kill -9 4242 4243'],
  ['kill -l'],
  ['kill -9 -1', 'system-change system/kill-all'],
  ['kill -s KILL -- -1', 'system-change system/kill-all'],
  ['kill -TERM 1', 'system-change system/kill-all'],
  ['pkill -f "vite --port 3000"'],
  ['pkill -9 .', 'system-change system/kill-all'],
  ['killall node'],
  ['killall -u dev', 'system-change system/kill-all'],
  ['killall5 -9', 'system-change system/kill-all'],
  ['systemctl status nginx'],
  ['systemctl --user restart app'],
  ['systemctl stop postgresql', 'system-change system/stop-service'],
  ['systemctl --now disable sshd', 'system-change system/stop-service'],
  ['systemctl reboot', 'system-change system/shutdown'],
  ['systemctl isolate rescue.target', 'system-change system/shutdown'],
  ['service nginx reload'],
  ['service nginx stop', 'system-change system/stop-service'],
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

const KILL_ALL: ActEffect = {
  kind: 'system-change',
  act: 'system/kill-all',
  what: 'ends every process it may, the session itself among them',
}
const SHUT_DOWN: ActEffect = {
  kind: 'system-change',
  act: 'system/shutdown',
  what: 'stops or restarts the whole machine',
}
const STOP_SERVICE: ActEffect = {
  kind: 'system-change',
  act: 'system/stop-service',
  what: 'stops a service that others may be using',
}

/** `-1` after the signal is everybody; so is process 1, which takes the rest with it. */
function killed({ command }: ModelCall): readonly ActEffect[] {
  const words = command.args.map((word) => exactText(word) ?? '')
  const signalTaken = words.findIndex((word) => /^-[A-Z0-9]/i.test(word) && word !== '-s' && word !== '-n')
  const targets = words.filter((_, at) => at !== signalTaken || words[at - 1] === '--')
  return targets.some((word) => word === '-1' || word === '1') ? [KILL_ALL] : []
}

const BY_NAME = optionTable(
  ...['u|user|euid=', 'U|uid=', 'g|pgroup=', 'G|group=', 'P|parent=', 's|session=', 't|terminal=', 'signal='],
  ...['o|older-than=', 'y|younger-than=', 'f|full', 'x|exact', 'n|newest', 'i|ignore-case', 'v|inverse'],
)

function killedByName({ command }: ModelCall): readonly ActEffect[] {
  const read = readOptions(command.args, BY_NAME)
  const byUser = ['euid', 'uid'].some((name) => isSet(read, name))
  if (byUser && read.operands.length === 0) return [KILL_ALL]
  return read.operands.some((word) => /^[.*^$]+$/.test(exactText(word) ?? '')) ? [KILL_ALL] : []
}

const SYSTEMCTL = optionTable(
  ...['H|host=', 'M|machine=', 't|type=', 'state=', 'p|property=', 'o|output=', 'n|lines=', 's|signal='],
  ...[
    'kill-whom=',
    'root=',
    'job-mode=',
    'user',
    'system',
    'now',
    'f|force',
    'q|quiet',
    'no-pager',
    'no-block',
  ],
)
const HALTING = /^(reboot|poweroff|halt|kexec|soft-reboot|suspend|hibernate|rescue|emergency|isolate)$/

function systemctl({ command }: ModelCall): readonly ActEffect[] {
  const [verb] = readOptions(command.args, SYSTEMCTL).operands
  if (HALTING.test(exactText(verb) ?? '')) return [SHUT_DOWN]
  return stopsService(verb) ? [STOP_SERVICE] : []
}

function stopsService(verb: Word | undefined): boolean {
  return ['stop', 'disable', 'mask', 'kill'].includes(exactText(verb) ?? '')
}

function shutdown({ command }: ModelCall): readonly ActEffect[] {
  const words = command.args.map((word) => exactText(word) ?? '')
  const inert = words.some((word) => ['-c', '--help', '--version', '-w', '--wtmp-only', '-k'].includes(word))
  return inert ? [] : [SHUT_DOWN]
}
