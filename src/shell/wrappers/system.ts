import { eachWord } from '../../core/word-list.ts'
import { optionTable } from '../arguments/options.ts'
import { PLAIN, type Wrapper } from '../programs/aspects/wrapper.ts'

/** Programs of the system that run another one: as another user, later, slower, watched, elsewhere on the disk. */
export const SYSTEM_WRAPPERS: Readonly<Record<string, Wrapper>> = {
  sudo: {
    options: optionTable(`
      u|user= g|group= h|host= p|prompt= C|close-from= D|chdir= R|chroot= r|role= t|type= T|command-timeout=
      U|other-user= a|auth-type= c|login-class= preserve-env=? A|askpass b|background B|bell E e|edit
      H|set-home i|login k|reset-timestamp K|remove-timestamp l|list n|non-interactive N|no-update
      P|preserve-groups s|shell S|stdin v|validate V|version help
    `),
    assignments: true,
    inert: ['edit', 'list', 'validate', 'version', 'help', 'remove-timestamp'],
    folder: 'chdir',
    shell: ['shell', 'login'],
  },
  doas: { options: optionTable('u= C= a= n s L'), inert: ['L'], shell: ['s'] },
  pkexec: {
    options: optionTable('u|user= disable-internal-agent keep-cwd version help'),
    inert: ['version', 'help'],
  },
  run0: {
    options: optionTable(
      'u|user= g|group= D|chdir= nice= setenv= property= slice= description= background= machine= unit=',
    ),
    folder: 'chdir',
  },
  gosu: { ...PLAIN, operands: 1 },
  'su-exec': { ...PLAIN, operands: 1 },
  setpriv: {
    options: optionTable(`
      reuid= regid= ruid= euid= rgid= egid= groups= inh-caps= ambient-caps= bounding-set= securebits=
      pdeathsig= selinux-label= apparmor-profile= clear-groups keep-groups init-groups no-new-privs|nnp
      reset-env d|dump
    `),
    inert: ['dump'],
  },
  env: {
    options: optionTable(`
      u|unset= C|chdir= S|split-string= a|argv0= P= i|ignore-environment 0|null v|debug block-signal=?
      default-signal=? ignore-signal=? list-signal-handling help version
    `),
    assignments: true,
    folder: 'chdir',
    code: 'split-string',
    bare: 'ignore-environment',
  },
  command: { options: optionTable('p v V'), inert: ['v', 'V'], sameShell: true },
  builtin: { ...PLAIN, sameShell: true },
  exec: { options: optionTable('c l a=') },
  nohup: PLAIN,
  nice: { options: optionTable('n|adjustment=') },
  ionice: {
    options: optionTable('c|class= n|classdata= p|pid= P|pgid= u|uid= t|ignore'),
    inert: ['pid', 'pgid', 'uid'],
  },
  timeout: {
    options: optionTable('k|kill-after= s|signal= v|verbose f|foreground p|preserve-status'),
    operands: 1,
  },
  time: { options: optionTable('f|format= o|output= a|append p|portability v|verbose q|quiet l h') },
  stdbuf: { options: optionTable('i|input= o|output= e|error=') },
  setsid: { options: optionTable('c|ctty f|fork w|wait') },
  watch: {
    options: optionTable(`
      n|interval= d|differences=? q|equexit= s|shotsdir= b|beep c|color C|no-color e|errexit g|chgexit
      p|precise r|no-rerun t|no-title w|no-wrap x|exec
    `),
    joins: true,
  },
  flock: {
    options: optionTable(`
      w|timeout|wait= E|conflict-exit-code= c|command= s|shared x|e|exclusive u|unlock n|nb|nonblock o|close
      F|no-fork verbose
    `),
    operands: 1,
    code: 'command',
  },
  chroot: { options: optionTable('userspec= groups= skip-chdir u= g= G='), operands: 1, shell: true },
  newgrp: { ...PLAIN, operands: 1, shell: true },
  busybox: PLAIN,
  toybox: PLAIN,
  caffeinate: { options: optionTable('t= w= d i m s u') },
  chrt: { options: optionTable('T= P= D= p|pid'), operands: 1, inert: ['pid'] },
  taskset: { options: optionTable('a|all-tasks p|pid c|cpu-list'), operands: 1, inert: ['pid'] },
  prlimit: { options: optionTable('p|pid= o|output= noheadings raw verbose'), inert: ['pid'] },
  cpulimit: {
    options: optionTable('l|limit= c|cpu= p|pid= e|exe= P|path= b f i k m q r s v z'),
    inert: ['pid', 'exe'],
  },
  numactl: {
    options: optionTable(`
      N|cpunodebind= m|membind= C|physcpubind= i|interleave= w= p|preferred= P= l|localalloc a|all b|balancing
      s|show H|hardware
    `),
    inert: ['show', 'hardware'],
  },
  cgexec: { options: optionTable('g= sticky') },
  choom: { options: optionTable('n|adjust= p|pid='), inert: ['pid'] },
  unshare: {
    options: optionTable(`
      m|mount=? u|uts=? i|ipc=? n|net=? p|pid=? U|user=? C|cgroup=? T|time=? f|fork r|map-root-user
      c|map-current-user mount-proc=? propagation= R|root= w|wd= S|setuid= G|setgid= kill-child=? map-users=
      map-groups= map-user= map-group= setgroups=
    `),
  },
  nsenter: {
    options: optionTable(`
      t|target= m|mount=? u|uts=? i|ipc=? n|net=? p|pid=? C|cgroup=? U|user=? T|time=? S|setuid= G|setgid=
      r|root=? w|wd=? W|wdns=? a|all F|no-fork e|env Z|follow-context preserve-credentials
    `),
  },
  setarch: {
    options: optionTable('B|32bit F R|addr-no-randomize v|verbose 3 Z L S T X I h|help V|version'),
    operands: 1,
  },
  arch: { options: optionTable('arch= d= e= c h x86_64 arm64 arm64e i386') },
  linux32: PLAIN,
  linux64: PLAIN,
  strace: {
    options: optionTable(`
      o|output= e= p|attach= s|string-limit= u|user= E|env= a= P= S= O= b= X= I= f q r t T v V c C k y Y x z Z
      i n d D h
    `),
  },
  ltrace: {
    options: optionTable(`
      o|output= e= p= s= u= l|library= x= n|indent= a|align= A= D|debug= F|config= w|where= c C f S i r t T L
      b
    `),
  },
  perf: {
    options: optionTable('debug= exec-path=? buildid-dir= p|paginate no-pager list-cmds list-opts v h'),
    verbs: Object.fromEntries(
      eachWord('stat record trace mem c2c lock sched kvm ftrace', {
        options: optionTable(`
          e|event= r|repeat= o|output= x|field-separator= p|pid= t|tid= C|cpu= I|interval-print= G|cgroup=
          M|metrics= F|freq= c|count= m|mmap-pages= call-graph= j|branch-filter= u|uid= D|delay= a|all-cpus
          d|detailed v B A g b q s
        `),
      }),
    ),
  },
  valgrind: { options: optionTable('v q d') },
  rr: { ...PLAIN, verbs: { record: { options: optionTable('n o= v= w h') } } },
  catchsegv: PLAIN,
  eatmydata: PLAIN,
  rlwrap: { options: optionTable('f= H= C= b= q= s= S= t= D= e= g= a=? p=? A=? i c r l= m=? n N o R w= z=') },
  'systemd-run': {
    options: optionTable(`
      u|unit= p|property= E|setenv= M|machine= H|host= working-directory= d|same-dir slice= description= uid=
      gid= nice= on-active= on-boot= on-startup= on-calendar= timer-property= path-property= G|collect P|pipe
      t|pty q|quiet S|shell user system scope wait r|remain-after-exit no-block no-ask-password send-sighup
    `),
    folder: 'working-directory',
  },
  'systemd-inhibit': {
    options: optionTable('what= who= why= mode= list no-pager no-legend'),
    inert: ['list'],
  },
  'systemd-cat': { options: optionTable('t|identifier= p|priority= stderr-priority= level-prefix=') },
  'systemd-nspawn': {
    options: optionTable(`
      D|directory= i|image= M|machine= u|user= bind= bind-ro= setenv= chdir= b|boot a|as-pid2 x|ephemeral
      q|quiet
    `),
  },
  fakeroot: { options: optionTable('l|lib= f|faked= i= s= b= u|unknown-is-real') },
  fakechroot: PLAIN,
  proot: {
    options: optionTable(`
      r|rootfs= b|bind|m|mount= q|qemu= w|pwd|cwd= k|kernel-release= v|verbose= 0|root-id i|change-id= S= R=
    `),
  },
  firejail: PLAIN,
  unbuffer: { options: optionTable('p') },
  winpty: PLAIN,
  'xvfb-run': {
    options: optionTable(`
      a|auto-servernum n|server-num= s|server-args= e|error-file= f|auth-file= l|listen-tcp p|xauth-protocol=
      w|wait=
    `),
  },
  'dbus-run-session': { options: optionTable('config-file= dbus-daemon=') },
  'dbus-launch': {
    options: optionTable(`
      config-file= autolaunch= exit-with-session sh-syntax csh-syntax auto-syntax binary-syntax close-stderr
    `),
  },
  'ssh-agent': { options: optionTable('a= E= O= P= t= c D d k s'), inert: ['k'] },
  sshpass: { options: optionTable('p= f= d= P= e v h V') },
  proxychains: { options: optionTable('f= q') },
  proxychains4: { options: optionTable('f= q') },
  torsocks: { options: optionTable('u|user= p|pass= P|port= a|address= i|isolate d|debug q|quiet') },
  torify: PLAIN,
  faketime: { options: optionTable('f= m p= exclude-monotonic'), operands: 1 },
  logsave: { options: optionTable('a s v'), operands: 1 },
  chronic: { options: optionTable('v e') },
  ifne: { options: optionTable('n') },
  retry: { options: optionTable('t|times= d|delay= m|min= u|until= w|while= q|quiet') },
  tini: { options: optionTable('p= e= s v w g') },
  'dumb-init': { options: optionTable('r|rewrite= c|single-child v|verbose') },
  'sandbox-exec': { options: optionTable('f= n= p= D=') },
  launchctl: { ...PLAIN, verbs: { asuser: { ...PLAIN, operands: 1 }, bsexec: { ...PLAIN, operands: 1 } } },
  xcrun: {
    options: optionTable('sdk= toolchain= l|log v|verbose k|kill-cache n|no-cache r|run f|find'),
    inert: ['find'],
  },
  dtach: { ...PLAIN, operands: 1 },
  entr: { options: optionTable('a c d n p r s x z'), joins: ['s'] },
  pee: { ...PLAIN, texts: true },
  mispipe: { ...PLAIN, texts: true },
  ccache: PLAIN,
  xterm: { ...PLAIN, after: ['-e'] },
  alacritty: { ...PLAIN, after: ['-e', '--command'] },
  ...Object.fromEntries(
    eachWord('konsole uxterm rxvt urxvt st terminator tilix mate-terminal xfce4-terminal', {
      ...PLAIN,
      after: ['-e', '-x', '--command', '--execute'],
    }),
  ),
  foot: { options: optionTable('c|config= f|font= t|term= T|title= a|app-id= D|working-directory= H|hold') },
  kitty: { options: optionTable('c|config= d|directory= T|title= 1|single-instance hold') },
  'gnome-terminal': { ...PLAIN, after: ['--', '-x'] },
  zellij: {
    options: optionTable('s|session= c|config= l|layout='),
    verbs: {
      run: {
        options: optionTable(
          'c|close-on-exit f|floating i|in-place n|name= d|direction= cwd= s|start-suspended',
        ),
      },
    },
  },
}
