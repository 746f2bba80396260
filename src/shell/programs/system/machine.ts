import type { ActEffect } from '../../vocabulary/effect.ts'
import { exactText, type Form } from '../../words/words.ts'
import { each, type Program, type ProgramTable, saying } from '../program.ts'
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

const changing = (what: ActEffect) => (words: RegExp) => ({ does: when(words, what) })

/** A firewall that is told something unknown is not only listed. */
const guards = (pattern: RegExp): Does => when(pattern, PROTECTION, true)

const TABLES =
  / (-[FXPADIRNE]|--(flush|delete-chain|policy|append|delete|insert|replace|new-chain|rename-chain))( |=)/

const FIREWALLS: ProgramTable = {
  'iptables ip6tables': { does: guards(TABLES) },
  'iptables-restore ip6tables-restore': { does: guards(/^(?!.* (-t|--test) )/) },
  ufw: {
    does: guards(/^(?!.* --dry-run ).* (disable|reset|delete|allow|deny|reject|limit|default|insert|route) /),
    lines: [[PROTECTION_OFF, /\blogging\s+off\b|\bdefault\s+allow\s+incoming\b/]],
  },
  nft: { does: guards(/^(?!.* (-c|--check) ).* ((flush|delete|destroy|add|insert|replace|reset) |-f )/) },
  'firewall-cmd': { does: guards(/ --(remove|add|set|panic-on|delete|new|change)\S* /) },
  pfctl: { does: guards(/ (-d|-F( \S+)?|-f \S+|-e) /) },
}

/** Some text that begins with a letter or digit: no option, no path out of here, no `+ref`. */
export const ANY_NAME: Form = [{ kind: 'glob', text: '[A-Za-z0-9]*' }]
const printsName = () => [ANY_NAME]

/** The kernel, its network and what protects the machine. */
export const MACHINE: ProgramTable = {
  ...FIREWALLS,
  sysctl: {
    does: when(/ (-\w*[wpf]\w*|--write|--load(=\S*)?|--system) | [\w./-]+ ?=/, CHANGE_KERNEL),
    lines: [
      [
        PROTECTION_OFF,
        /(?:randomize_va_space|kptr_restrict|dmesg_restrict|yama\.ptrace_scope|unprivileged_bpf_disabled|tcp_syncookies)\s*=\s*0/,
      ],
    ],
  },
  ...each(changing(CHANGE_KERNEL), {
    'insmod rmmod ifdown grub-install': /\S/,
    modprobe: /^(?!.* (-\w*n\w*|--dry-run|--show-depends|-D|-c|--showconfig) )/,
    kexec: / (-\w*[elpu]\w*|--exec|--load\S*|--unload) /,
    route: / (del|delete|flush|-f) /,
    nmcli:
      / (n|net\S*) off | (r|radio) \S+ off | (c|con\S*) (down|del\S*|mod\S*) | (d|dev\S*) (disc\S*|down|del\S*) /,
    ifconfig: / down /,
    timedatectl: / set-(time|timezone|ntp|local-rtc) /,
    hostnamectl: / (set-hostname|hostname \S+) /,
    hwclock: / (-w|-s|--systohc|--hctosys|--set|--adjust) /,
    efibootmgr: / (-\w*[BoOncCaA]\w*|--delete-\S+|--bootorder|--create) /,
    nvram: / (-c|-d) | \S+=/,
  }),
  ...each(changing(SWAP_OFF), {
    swapoff: /\S/,
  }),
  ...each(changing(PROTECTION), {
    xhost: / \+ /,
    setenforce: / (0|permissive) /i,
    csrutil: / (disable|clear|authenticated-root disable) /,
    'aa-teardown': /^/,
    apparmor_parser: / (-\w*R\w*|--remove) /,
  }),
  auditctl: {
    does: when(/ (-D|-e 0) /, PROTECTION),
    lines: [[PROTECTION_OFF, /(?:^|\s)-e\s*0\b|(?:^|\s)-D\b/]],
  },
  'aa-disable': { does: when(/\S/, PROTECTION), lines: [[PROTECTION_OFF, /./]] },
  ...each(saying(PROTECTION_OFF), {
    'aa-complain': /./,
    setsebool: [/./, /\bon\s*$|=1\s*$/],
    mdatp: /\bdisabled?\b|\bexclusion\s+\w+\s+add\b|\bpassive-mode\b|\bthreat\s+allowed\s+add\b/,
    falconctl: /\b(?:uninstall|unload|stop)\b|-d\s+-f\s+--(?:aid|cid)|--apd=|-s\b.*--\w+=.*(?:true|none)/,
    sentinelctl: /\b(?:unload|unprotect|disable|stop|control\s+(?:stop|uninstall))\b/,
    softwareupdate: /--schedule\s+off\b/,
    kextunload: /./,
  }),
  ip: {
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
  date: {
    // The new time may stand alone: `date 0101000026`.
    does: when(/ (-u?s|--set(=\S*)?) |^ (-[nu] )*\d{8,12}(\.\d\d)? $/, CHANGE_KERNEL),
    files: { operands: 'none', quotes: /^(?:-f|--file)$/ },
    prints: (args) => (args.every((word) => exactText(word) !== undefined) ? [ANY_NAME] : undefined),
  },
  'whoami nproc uname hostname': { prints: printsName },
  ...each(changing(TRACES), {
    journalctl: / --vacuum-/,
  }),
  ...each(saying(TRACES_REMOVED), {
    log: /^erase\b/,
    'lastlog faillock faillog pam_tally2': /(?:^|\s)(?:-C|--clear|--reset|-r)\b/,
    accton: /\boff\b/,
  }),
  lscpu: { files: { ownLetters: true } },
}

/** What the builtins of a shell do to the record of its commands. */
export const forgetsHistory = {
  unset: when(/ HISTFILE /, TRACES),
  set: when(/ \+o history /, TRACES),
  export: when(/ HISTFILE=(\/dev\/null)? | HIST(FILE)?SIZE=0 /, TRACES),
  history: when(/ -\w*[cd]/, TRACES),
}
