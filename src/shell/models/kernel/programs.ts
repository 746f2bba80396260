import type { ActEffect } from '../../vocabulary/effect.ts'
import { FIREWALLS } from './firewalls.ts'

const CHANGE_KERNEL: ActEffect = {
  kind: 'system-change',
  act: 'system/kernel',
  what: 'changes the running kernel, the clock, how the machine starts, or its network',
}
const SWAP_OFF: ActEffect = {
  kind: 'system-change',
  act: 'system/swap',
  what: 'takes memory away from everything that runs',
}
export const PROTECTION: ActEffect = {
  kind: 'system-change',
  act: 'system/protection',
  what: 'changes or switches off what protects this machine',
}

const TRACES: ActEffect = {
  kind: 'system-change',
  act: 'system/traces',
  what: 'removes the record of what was done on this machine',
}

/** What the words of a call change. Words stand between blanks. */
type Changes = (words: readonly string[]) => readonly ActEffect[]

export const MACHINE_PROGRAMS: ReadonlyMap<string, Changes> = new Map<string, Changes>([
  ...[...FIREWALLS].map(([name, pattern]) => [name, when(pattern, PROTECTION)] as const),
  ['sysctl', when(/ (-\w*[wpf]\w*|--write|--load(=\S*)?|--system) | [\w./-]+ ?=/, CHANGE_KERNEL)],
  ['insmod', when(/\S/, CHANGE_KERNEL)],
  ['rmmod', when(/\S/, CHANGE_KERNEL)],
  [
    'modprobe',
    (words) =>
      words.some((word) => /^(-\w*n\w*|--dry-run|--show-depends|-D|-c|--showconfig)$/.test(word))
        ? []
        : [CHANGE_KERNEL],
  ],
  ['kexec', when(/ (-\w*[elpu]\w*|--exec|--load\S*|--unload) /, CHANGE_KERNEL)],
  ['swapoff', when(/\S/, SWAP_OFF)],
  ['xhost', when(/ \+ /, PROTECTION)],
  ['setenforce', when(/ (0|permissive) /i, PROTECTION)],
  ['csrutil', when(/ (disable|clear|authenticated-root disable) /, PROTECTION)],
  ['spctl', when(/ --(master|global)-disable /, PROTECTION)],
  ['auditctl', when(/ (-D|-e 0) /, PROTECTION)],
  ['aa-teardown', () => [PROTECTION]],
  ['aa-disable', when(/\S/, PROTECTION)],
  ['apparmor_parser', when(/ (-\w*R\w*|--remove) /, PROTECTION)],
  [
    'ip',
    when(
      / (link|l) (set|delete|del) .* (down|nomaster) | (link|addr|address|a|route|r|rule) (del|delete|flush) /,
      CHANGE_KERNEL,
    ),
  ],
  ['route', when(/ (del|delete|flush|-f) /, CHANGE_KERNEL)],
  [
    'nmcli',
    when(
      / (n|net\S*) off | (r|radio) \S+ off | (c|con\S*) (down|del\S*|mod\S*) | (d|dev\S*) (disc\S*|down|del\S*) /,
      CHANGE_KERNEL,
    ),
  ],
  ['ifdown', when(/\S/, CHANGE_KERNEL)],
  ['networksetup', when(/ -set(airportpower \S+|networkserviceenabled \S+) off /i, CHANGE_KERNEL)],
  ['ifconfig', when(/ down /, CHANGE_KERNEL)],
  ['timedatectl', when(/ set-(time|timezone|ntp|local-rtc) /, CHANGE_KERNEL)],
  ['hostnamectl', when(/ (set-hostname|hostname \S+) /, CHANGE_KERNEL)],
  ['hwclock', when(/ (-w|-s|--systohc|--hctosys|--set|--adjust) /, CHANGE_KERNEL)],
  ['date', when(/ (-u?s|--set(=\S*)?) /, CHANGE_KERNEL)],
  ['journalctl', when(/ --vacuum-/, TRACES)],
  ['history', when(/ -\w*[cd]/, TRACES)],
  ['unset', when(/ HISTFILE /, TRACES)],
  ['set', when(/ \+o history /, TRACES)],
  ['export', when(/ HISTFILE=(\/dev\/null)? | HIST(FILE)?SIZE=0 /, TRACES)],
  ['wevtutil', when(/ (cl|clear-log) /i, TRACES)],
  ['grub-install', when(/\S/, CHANGE_KERNEL)],
  ['efibootmgr', when(/ (-\w*[BoOncCaA]\w*|--delete-\S+|--bootorder|--create) /, CHANGE_KERNEL)],
  ['bcdedit', when(/ \/(delete|set|deletevalue|import|create) /i, CHANGE_KERNEL)],
  ['nvram', when(/ (-c|-d) | \S+=/, CHANGE_KERNEL)],
])

function when(pattern: RegExp, act: ActEffect): Changes {
  return (words) => (pattern.test(` ${words.join(' ')} `) ? [act] : [])
}
