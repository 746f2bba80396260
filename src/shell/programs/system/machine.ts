import type { ActEffect } from '../../vocabulary/effect.ts'
import { exactText, type Form } from '../../words/words.ts'
import type { Program } from '../program.ts'
import { CHANGE_KERNEL, PROTECTION, PROTECTION_OFF, SWAP_OFF, TRACES, TRACES_REMOVED } from './acts.ts'

type Does = NonNullable<Program['does']>

/** What the words of a call change, with spaces around each of them. `open`: also told something unknown. */
export function when(pattern: RegExp, what: ActEffect, open?: true): Does {
  return ({ command }) => {
    const words = command.args.map((word) => exactText(word) ?? '?')
    if (words.some((word) => /^(--help|--version|-V|help)$/.test(word))) return []
    if (pattern.test(` ${words.join(' ')} `)) return [what]
    return open === true && words[0] === '?'
      ? [{ ...what, unsure: 'what it does is known only at run time' }]
      : []
  }
}

/** A firewall that is told something unknown is not only listed. */
const guards = (pattern: RegExp): Does => when(pattern, PROTECTION, true)
const anything = (what: ActEffect): Does => when(/\S/, what)

const TABLES =
  / (-[FXPADIRNE]|--(flush|delete-chain|policy|append|delete|insert|replace|new-chain|rename-chain))( |=)/

const FIREWALLS: readonly Program[] = [
  { names: 'iptables ip6tables', does: guards(TABLES) },
  { names: 'iptables-restore ip6tables-restore', does: guards(/^(?!.* (-t|--test) )/) },
  {
    names: 'ufw',
    does: guards(/^(?!.* --dry-run ).* (disable|reset|delete|allow|deny|reject|limit|default|insert|route) /),
    lines: [[PROTECTION_OFF, /\blogging\s+off\b|\bdefault\s+allow\s+incoming\b/]],
  },
  {
    names: 'nft',
    does: guards(/^(?!.* (-c|--check) ).* ((flush|delete|destroy|add|insert|replace|reset) |-f )/),
  },
  { names: 'firewall-cmd', does: guards(/ --(remove|add|set|panic-on|delete|new|change)\S* /) },
  { names: 'pfctl', does: guards(/ (-d|-F( \S+)?|-f \S+|-e) /) },
]

/** Some text that begins with a letter or digit: no option, no path out of here, no `+ref`. */
export const ANY_NAME: Form = [{ kind: 'glob', text: '[A-Za-z0-9]*' }]
const printsName = () => [ANY_NAME]

/** The kernel, its network and what protects the machine. */
export const MACHINE: readonly Program[] = [
  ...FIREWALLS,
  {
    names: 'sysctl',
    does: when(/ (-\w*[wpf]\w*|--write|--load(=\S*)?|--system) | [\w./-]+ ?=/, CHANGE_KERNEL),
    lines: [
      [
        PROTECTION_OFF,
        /(?:randomize_va_space|kptr_restrict|dmesg_restrict|yama\.ptrace_scope|unprivileged_bpf_disabled|tcp_syncookies)\s*=\s*0/,
      ],
    ],
  },
  { names: 'insmod rmmod ifdown grub-install', does: anything(CHANGE_KERNEL) },
  {
    names: 'modprobe',
    does: when(/^(?!.* (-\w*n\w*|--dry-run|--show-depends|-D|-c|--showconfig) )/, CHANGE_KERNEL),
  },
  { names: 'kexec', does: when(/ (-\w*[elpu]\w*|--exec|--load\S*|--unload) /, CHANGE_KERNEL) },
  { names: 'swapoff', does: anything(SWAP_OFF) },
  { names: 'xhost', does: when(/ \+ /, PROTECTION) },
  { names: 'setenforce', does: when(/ (0|permissive) /i, PROTECTION) },
  { names: 'csrutil', does: when(/ (disable|clear|authenticated-root disable) /, PROTECTION) },
  { names: 'spctl', does: when(/ --(master|global)-disable /, PROTECTION) },
  {
    names: 'auditctl',
    does: when(/ (-D|-e 0) /, PROTECTION),
    lines: [[PROTECTION_OFF, /(?:^|\s)-e\s*0\b|(?:^|\s)-D\b/]],
  },
  { names: 'aa-teardown', does: when(/^/, PROTECTION) },
  { names: 'aa-disable', does: anything(PROTECTION), lines: [[PROTECTION_OFF, /./]] },
  { names: 'aa-complain', lines: [[PROTECTION_OFF, /./]] },
  { names: 'apparmor_parser', does: when(/ (-\w*R\w*|--remove) /, PROTECTION) },
  { names: 'setsebool', lines: [[PROTECTION_OFF, /./, /\bon\s*$|=1\s*$/]] },
  {
    names: 'mdatp',
    lines: [
      [PROTECTION_OFF, /\bdisabled?\b|\bexclusion\s+\w+\s+add\b|\bpassive-mode\b|\bthreat\s+allowed\s+add\b/],
    ],
  },
  {
    names: 'falconctl',
    lines: [
      [
        PROTECTION_OFF,
        /\b(?:uninstall|unload|stop)\b|-d\s+-f\s+--(?:aid|cid)|--apd=|-s\b.*--\w+=.*(?:true|none)/,
      ],
    ],
  },
  {
    names: 'sentinelctl',
    lines: [[PROTECTION_OFF, /\b(?:unload|unprotect|disable|stop|control\s+(?:stop|uninstall))\b/]],
  },
  {
    names: 'defaults',
    lines: [
      [
        PROTECTION_OFF,
        /\bwrite\b.*(?:LSQuarantine|AutomaticCheckEnabled|CriticalUpdateInstall|globalstate)\b/,
      ],
    ],
  },
  { names: 'softwareupdate', lines: [[PROTECTION_OFF, /--schedule\s+off\b/]] },
  { names: 'fdesetup', lines: [[PROTECTION_OFF, /^disable\b/]] },
  { names: 'kextunload', lines: [[PROTECTION_OFF, /./]] },
  {
    names: 'ip',
    does: when(
      / (link|l) (set|delete|del) .* (down|nomaster) | (link|addr|address|a|route|r|rule) (del|delete|flush) /,
      CHANGE_KERNEL,
    ),
    // `ip netns exec name command`
    starts: ({ name, args }) => {
      const at = args.findIndex((word) => exactText(word) === 'exec')
      const inside = at > 0 && /^(netns|vrf)$/.test(exactText(args[at - 1]) ?? '')
      return inside ? { own: at + 2, runs: [{ via: `${name} exec`, words: args.slice(at + 2) }] } : undefined
    },
  },
  { names: 'route', does: when(/ (del|delete|flush|-f) /, CHANGE_KERNEL) },
  {
    names: 'nmcli',
    does: when(
      / (n|net\S*) off | (r|radio) \S+ off | (c|con\S*) (down|del\S*|mod\S*) | (d|dev\S*) (disc\S*|down|del\S*) /,
      CHANGE_KERNEL,
    ),
  },
  {
    names: 'networksetup',
    does: when(/ -set(airportpower \S+|networkserviceenabled \S+) off /i, CHANGE_KERNEL),
  },
  { names: 'ifconfig', does: when(/ down /, CHANGE_KERNEL) },
  { names: 'timedatectl', does: when(/ set-(time|timezone|ntp|local-rtc) /, CHANGE_KERNEL) },
  { names: 'hostnamectl', does: when(/ (set-hostname|hostname \S+) /, CHANGE_KERNEL) },
  { names: 'hwclock', does: when(/ (-w|-s|--systohc|--hctosys|--set|--adjust) /, CHANGE_KERNEL) },
  {
    names: 'date',
    does: when(/ (-u?s|--set(=\S*)?) /, CHANGE_KERNEL),
    files: { operands: 'none' },
    prints: (args) => (args.every((word) => exactText(word) !== undefined) ? [ANY_NAME] : undefined),
  },
  { names: 'whoami nproc uname hostname', prints: printsName },
  {
    names: 'efibootmgr',
    does: when(/ (-\w*[BoOncCaA]\w*|--delete-\S+|--bootorder|--create) /, CHANGE_KERNEL),
  },
  { names: 'nvram', does: when(/ (-c|-d) | \S+=/, CHANGE_KERNEL) },
  { names: 'journalctl', does: when(/ --vacuum-/, TRACES) },
  { names: 'log', lines: [[TRACES_REMOVED, /^erase\b/]] },
  {
    names: 'lastlog faillock faillog pam_tally2',
    lines: [[TRACES_REMOVED, /(?:^|\s)(?:-C|--clear|--reset|-r)\b/]],
  },
  { names: 'accton', lines: [[TRACES_REMOVED, /\boff\b/]] },
  { names: 'lscpu', files: { ownLetters: true } },
]

/** What the builtins of a shell do to the record of its commands. */
export const forgetsHistory = {
  unset: when(/ HISTFILE /, TRACES),
  set: when(/ \+o history /, TRACES),
  export: when(/ HISTFILE=(\/dev\/null)? | HIST(FILE)?SIZE=0 /, TRACES),
  history: when(/ -\w*[cd]/, TRACES),
}
