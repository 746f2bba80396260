import { type OptionTable, optionTable } from './options.ts'

/** A program that runs the command written after its own options. */
export interface Wrapper {
  readonly options: OptionTable
  /** How many words stand between the options and the command: a duration, a lock file. */
  readonly operands?: number
  /** `NAME=value` may stand before the command. */
  readonly assignments?: boolean
  /** With one of these options no command is run. */
  readonly inert?: readonly string[]
  /** The option that names the folder the command runs in. */
  readonly folder?: string
  /** The option whose value is text to be read as a command. */
  readonly code?: string
  /** Everything after the options is one text for a shell. */
  readonly joins?: boolean
  /** A builtin: `cd` behind it moves this shell. */
  readonly sameShell?: boolean
}

const PLAIN: Wrapper = { options: optionTable() }

const TABLE: Readonly<Record<string, Wrapper>> = {
  sudo: {
    options: optionTable(
      ...['u|user=', 'g|group=', 'h|host=', 'p|prompt=', 'C|close-from=', 'D|chdir=', 'R|chroot=', 'r|role='],
      ...[
        't|type=',
        'T|command-timeout=',
        'U|other-user=',
        'a|auth-type=',
        'c|login-class=',
        'preserve-env=?',
      ],
      ...['A|askpass', 'b|background', 'B|bell', 'E', 'e|edit', 'H|set-home', 'i|login', 'k|reset-timestamp'],
      ...['K|remove-timestamp', 'l|list', 'n|non-interactive', 'N|no-update', 'P|preserve-groups', 's|shell'],
      ...['S|stdin', 'v|validate', 'V|version', 'help'],
    ),
    assignments: true,
    inert: ['edit', 'list', 'validate', 'version', 'help', 'remove-timestamp'],
    folder: 'chdir',
  },
  doas: { options: optionTable('u=', 'C=', 'a=', 'n', 's', 'L'), inert: ['L'] },
  env: {
    options: optionTable(
      ...[
        'u|unset=',
        'C|chdir=',
        'S|split-string=',
        'a|argv0=',
        'P=',
        'i|ignore-environment',
        '0|null',
        'v|debug',
      ],
      ...['block-signal=?', 'default-signal=?', 'ignore-signal=?', 'list-signal-handling', 'help', 'version'],
    ),
    assignments: true,
    folder: 'chdir',
    code: 'split-string',
  },
  command: { options: optionTable('p', 'v', 'V'), inert: ['v', 'V'], sameShell: true },
  builtin: { ...PLAIN, sameShell: true },
  exec: { options: optionTable('c', 'l', 'a=') },
  nohup: PLAIN,
  nice: { options: optionTable('n|adjustment=') },
  ionice: {
    options: optionTable('c|class=', 'n|classdata=', 'p|pid=', 'P|pgid=', 'u|uid=', 't|ignore'),
    inert: ['pid', 'pgid', 'uid'],
  },
  timeout: {
    options: optionTable('k|kill-after=', 's|signal=', 'v|verbose', 'f|foreground', 'p|preserve-status'),
    operands: 1,
  },
  time: {
    options: optionTable(
      'f|format=',
      'o|output=',
      'a|append',
      'p|portability',
      'v|verbose',
      'q|quiet',
      'l',
      'h',
    ),
  },
  stdbuf: { options: optionTable('i|input=', 'o|output=', 'e|error=') },
  setsid: { options: optionTable('c|ctty', 'f|fork', 'w|wait') },
  watch: {
    options: optionTable(
      ...[
        'n|interval=',
        'd|differences=?',
        'q|equexit=',
        's|shotsdir=',
        'b|beep',
        'c|color',
        'C|no-color',
        'e|errexit',
      ],
      ...['g|chgexit', 'p|precise', 'r|no-rerun', 't|no-title', 'w|no-wrap', 'x|exec'],
    ),
    joins: true,
  },
  flock: {
    options: optionTable(
      ...['w|timeout|wait=', 'E|conflict-exit-code=', 'c|command=', 's|shared', 'x|e|exclusive', 'u|unlock'],
      ...['n|nb|nonblock', 'o|close', 'F|no-fork', 'verbose'],
    ),
    operands: 1,
    code: 'command',
  },
  chroot: { options: optionTable('userspec=', 'groups=', 'skip-chdir', 'u=', 'g=', 'G='), operands: 1 },
  busybox: PLAIN,
  toybox: PLAIN,
  caffeinate: { options: optionTable('t=', 'w=', 'd', 'i', 'm', 's', 'u') },
  chrt: { options: optionTable('T=', 'P=', 'D=', 'p|pid'), operands: 1, inert: ['pid'] },
  taskset: { options: optionTable('a|all-tasks', 'p|pid', 'c|cpu-list'), operands: 1, inert: ['pid'] },
  unshare: {
    options: optionTable(
      ...[
        'm|mount=?',
        'u|uts=?',
        'i|ipc=?',
        'n|net=?',
        'p|pid=?',
        'U|user=?',
        'C|cgroup=?',
        'T|time=?',
        'f|fork',
      ],
      ...[
        'r|map-root-user',
        'c|map-current-user',
        'mount-proc=?',
        'propagation=',
        'R|root=',
        'w|wd=',
        'S|setuid=',
      ],
      ...['G|setgid=', 'kill-child=?', 'map-users=', 'map-groups=', 'map-user=', 'map-group=', 'setgroups='],
    ),
  },
  strace: {
    options: optionTable(
      'o|output=',
      'e=',
      'p|attach=',
      's|string-limit=',
      'u|user=',
      'E|env=',
      'a=',
      'P=',
      'S=',
      'O=',
      'b=',
      'X=',
      'I=',
      'f',
      'q',
      'r',
      't',
      'T',
      'v',
      'V',
      'c',
      'C',
      'k',
      'y',
      'Y',
      'x',
      'z',
      'Z',
      'i',
      'n',
      'd',
      'D',
      'h',
    ),
  },
  'systemd-run': {
    options: optionTable(
      ...[
        'u|unit=',
        'p|property=',
        'E|setenv=',
        'M|machine=',
        'H|host=',
        'working-directory=',
        'd|same-dir',
        'slice=',
      ],
      ...[
        'description=',
        'uid=',
        'gid=',
        'nice=',
        'on-active=',
        'on-calendar=',
        'G|collect',
        'P|pipe',
        't|pty',
        'q|quiet',
      ],
      ...['S|shell', 'user', 'system', 'scope', 'wait', 'r|remain-after-exit', 'no-block', 'no-ask-password'],
    ),
    folder: 'working-directory',
  },
  fakeroot: { options: optionTable('l|lib=', 'f|faked=', 'i=', 's=', 'b=', 'u|unknown-is-real') },
  unbuffer: { options: optionTable('p') },
}

export const WRAPPERS: ReadonlyMap<string, Wrapper> = new Map(Object.entries(TABLE))
