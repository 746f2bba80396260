import { eachWord } from '../../../core/word-list.ts'
import { isSet, readOptions, valuesOf } from '../../arguments/options.ts'
import { codeRun, type Launch, type LaunchCall } from '../../vocabulary/launch.ts'
import { exactText, exactWord } from '../../words/words.ts'
import { codeInOptions } from '../aspects/code-options.ts'
import { only, PLAIN, type Wrapper } from '../aspects/wrapper.ts'
import { each, type ProgramTable } from '../program.ts'

const text = { operands: 'none' } as const

const TCPDUMP = 'z= w= r= i= c= C= G= F= s= W= y= T= E= M= Z= B='
const CHOKIDAR = 'c|command= d|debounce= t|throttle= i|ignore= p|polling initial silent verbose'

/** Programs that run another one later, slower, watched, limited or recorded. */
export const RUNNING: ProgramTable = {
  ...each<Wrapper>((wraps) => ({ wraps, files: text }), {
    'nohup busybox toybox linux32 linux64 catchsegv eatmydata fakechroot firejail winpty torify ccache':
      PLAIN,
    'scan-build intercept-build compiledb distcc multitime softlimit catatonit tsp box64 box86': PLAIN,
    'qemu-x86_64 qemu-aarch64 qemu-arm qemu-i386': PLAIN,
    bear: { ...PLAIN, separated: true },
    'pidproxy envdir': { ...PLAIN, operands: 1 },
    setlock: { options: 'n N x X', operands: 1 },
    chpst: { options: 'u= U= b= e= /= C= n= l= L= m= d= o= p= f= c= r= t= v P 0 1 2' },
    daemonize: { options: 'a c= e= o= p= l= u= E= v' },
    abduco: { options: 'e= n c A a f r l p q v', operands: 1 },
    dvtm: { options: 'd= h= m= t= c= s= M', texts: true },
    'i3-msg': { options: 's= t= q m r', after: 'exec' },
    swaymsg: { options: 's= t= q m r p', after: 'exec' },
    wezterm: only('start', { ...PLAIN, separated: true }),
    nice: { options: 'n|adjustment=' },
    ionice: {
      options: 'c|class= n|classdata= p|pid= P|pgid= u|uid= t|ignore',
      inert: 'pid pgid uid',
    },
    timeout: {
      options: 'k|kill-after= s|signal= v|verbose f|foreground p|preserve-status',
      operands: 1,
    },
    time: { options: 'f|format= o|output= a|append p|portability v|verbose q|quiet l h' },
    stdbuf: { options: 'i|input= o|output= e|error=' },
    setsid: { options: 'c|ctty f|fork w|wait' },
    watch: {
      options: `
      n|interval= d|differences=? q|equexit= s|shotsdir= b|beep c|color C|no-color e|errexit g|chgexit
      p|precise r|no-rerun t|no-title w|no-wrap x|exec
    `,
      joins: true,
    },
    flock: {
      options: `
      w|timeout|wait= E|conflict-exit-code= c|command= s|shared x|e|exclusive u|unlock n|nb|nonblock o|close
      F|no-fork verbose
    `,
      operands: 1,
      code: 'command',
    },
    chroot: { options: 'userspec= groups= skip-chdir u= g= G=', operands: 1, shell: true },
    caffeinate: { options: 't= w= d i m s u' },
    chrt: { options: 'T= P= D= p|pid', operands: 1, inert: 'pid' },
    taskset: { options: 'a|all-tasks p|pid c|cpu-list', operands: 1, inert: 'pid' },
    prlimit: { options: 'p|pid= o|output= noheadings raw verbose', inert: 'pid' },
    cpulimit: {
      options: 'l|limit= c|cpu= p|pid= e|exe= P|path= b f i k m q r s v z',
      inert: 'pid exe',
    },
    numactl: {
      options: `
      N|cpunodebind= m|membind= C|physcpubind= i|interleave= w= p|preferred= P= l|localalloc a|all b|balancing
      s|show H|hardware
    `,
      inert: 'show hardware',
    },
    cgexec: { options: 'g= sticky' },
    choom: { options: 'n|adjust= p|pid=', inert: 'pid' },
    unshare: {
      options: `
      m|mount=? u|uts=? i|ipc=? n|net=? p|pid=? U|user=? C|cgroup=? T|time=? f|fork r|map-root-user
      c|map-current-user mount-proc=? propagation= R|root= w|wd= S|setuid= G|setgid= kill-child=? map-users=
      map-groups= map-user= map-group= setgroups=
    `,
    },
    setarch: {
      options: 'B|32bit F R|addr-no-randomize v|verbose 3 Z L S T X I h|help V|version',
      operands: 1,
    },
    arch: { options: 'arch= d= e= c h x86_64 arm64 arm64e i386' },
    strace: {
      options: `
      o|output= e= p|attach= s|string-limit= u|user= E|env= a= P= S= O= b= X= I= f q r t T v V c C k y Y x z Z
      i n d D h
    `,
    },
    ltrace: {
      options: `
      o|output= e= p= s= u= l|library= x= n|indent= a|align= A= D|debug= F|config= w|where= c C f S i r t T L
      b
    `,
    },
    valgrind: { options: 'v q d' },
    rlwrap: {
      options: 'f= H= C= b= q= s= S= t= D= e= g= a=? p=? A=? i c r l= m=? n N o R w= z=',
    },
    'systemd-inhibit': {
      options: 'what= who= why= mode= list no-pager no-legend',
      inert: 'list',
    },
    'systemd-cat': { options: 't|identifier= p|priority= stderr-priority= level-prefix=' },
    'systemd-nspawn': {
      options: `
      D|directory= i|image= M|machine= u|user= bind= bind-ro= setenv= chdir= b|boot a|as-pid2 x|ephemeral
      q|quiet
    `,
    },
    fakeroot: { options: 'l|lib= f|faked= i= s= b= u|unknown-is-real' },
    proot: {
      options: `
      r|rootfs= b|bind|m|mount= q|qemu= w|pwd|cwd= k|kernel-release= v|verbose= 0|root-id i|change-id= S= R=
    `,
    },
    unbuffer: { options: 'p' },
    'xvfb-run': {
      options: `
      a|auto-servernum n|server-num= s|server-args= e|error-file= f|auth-file= l|listen-tcp p|xauth-protocol=
      w|wait=
    `,
    },
    'dbus-run-session': { options: 'config-file= dbus-daemon=' },
    'dbus-launch': {
      options: `
      config-file= autolaunch= exit-with-session sh-syntax csh-syntax auto-syntax binary-syntax close-stderr
    `,
    },
    'ssh-agent': { options: 'a= E= O= P= t= c D d k s', inert: 'k' },
    sshpass: { options: 'p= f= d= P= e v h V' },
    'proxychains proxychains4': { options: 'f= q' },
    torsocks: { options: 'u|user= p|pass= P|port= a|address= i|isolate d|debug q|quiet' },
    faketime: { options: 'f= m p= exclude-monotonic', operands: 1 },
    logsave: { options: 'a s v', operands: 1 },
    chronic: { options: 'v e' },
    ifne: { options: 'n' },
    retry: { options: 't|times= d|delay= m|min= u|until= w|while= q|quiet' },
    tini: { options: 'p= e= s v w g' },
    'dumb-init': { options: 'r|rewrite= c|single-child v|verbose' },
    'sandbox-exec': { options: 'f= n= p= D=' },
    taskpolicy: { options: 'd= g= c= t= l= p= m= a b B s', inert: 'p' },
    'reattach-to-user-namespace': { options: 'l' },
    lockf: { options: 't= k n s w', operands: 1 },
    leaks: { ...PLAIN, after: '--' },
    dtruss: { options: 'b= n= p= t= a c d e f l o s L', inert: 'n p' },
    xcrun: {
      options: 'sdk= toolchain= l|log v|verbose k|kill-cache n|no-cache r|run f|find',
      inert: 'find',
    },
    dtach: { ...PLAIN, operands: 1 },
    entr: { options: 'a c d n p r s x z', joins: 's' },
    'pee mispipe': { ...PLAIN, texts: true },
  }),
  ...each<Wrapper>((wraps) => ({ wraps }), {
    perf: {
      options: 'debug= exec-path=? buildid-dir= p|paginate no-pager list-cmds list-opts v h',
      verbs: Object.fromEntries(
        eachWord('stat record trace mem c2c lock sched kvm ftrace', {
          options: `
          e|event= r|repeat= o|output= x|field-separator= p|pid= t|tid= C|cpu= I|interval-print= G|cgroup=
          M|metrics= F|freq= c|count= m|mmap-pages= call-graph= j|branch-filter= u|uid= D|delay= a|all-cpus
          d|detailed v B A g b q s
        `,
        }),
      ),
    },
    rr: { ...PLAIN, verbs: { record: { options: 'n o= v= w h' } } },
  }),
  script: { starts: scriptRecorder },
  'start-stop-daemon': { starts: daemonLaunch },
  bwrap: { starts: bwrapLaunch },
  // `coreutils --coreutils-prog=rm -rf x`, `coreutils rm -rf x`
  coreutils: {
    starts: ({ name, args }) => {
      const [first, ...rest] = args
      const program = /^(?:--coreutils-prog(?:-shebang)?=)?([^-].*)$/s.exec(exactText(first) ?? '')?.[1]
      return program === undefined
        ? undefined
        : { own: 1, runs: [{ via: name, words: [exactWord(program), ...rest] }] }
    },
  },
  tcpdump: { starts: codeInOptions(TCPDUMP, 'z') },
  chokidar: { starts: codeInOptions(CHOKIDAR, 'command') },
}

const SCRIPT = 'c|command= I= O= B= T= m= E= o= a e f q'

/** `script -c code file`, and where that is not known `script file command`. */
function scriptRecorder({ name, args }: LaunchCall): Launch | undefined {
  const [code] = valuesOf(readOptions(args, SCRIPT), 'command')
  if (code !== undefined)
    return { own: args.length, runs: [codeRun(`${name} -c`, code.forms, { shell: 'child' })] }
  const read = readOptions(args, SCRIPT, { stopAtOperand: true })
  const words = args.slice(read.operandsAt + 1)
  return words.length === 0 ? undefined : { own: read.operandsAt + 1, runs: [{ via: 'script', words }] }
}

const DAEMON = `
  x|exec= a|startas= p|pidfile= u|user= c|chuid= d|chdir= n|name= S|start K|stop b|background m|make-pidfile
`

/** `start-stop-daemon --start --exec program -- arguments` */
function daemonLaunch({ name, args }: LaunchCall): Launch | undefined {
  const read = readOptions(args, DAEMON)
  const program = valuesOf(read, 'startas', 'exec')[0]
  if (program === undefined || !isSet(read, 'start')) return undefined
  return { own: args.length, runs: [{ via: name, words: [program, ...read.operands] }] }
}

/** Options of bwrap that take no word, or two; all others take one. */
const BWRAP_NONE =
  /^--(unshare-.*|share-net|die-with-parent|new-session|as-pid-1|clearenv|disable-userns|level-prefix|help|version)$/
const BWRAP_TWO = /^--((ro-|dev-)?bind(-try)?|setenv|symlink|file|(ro-)?bind-data|chmod|overlay)$/

function bwrapLaunch({ name, args }: LaunchCall): Launch | undefined {
  let at = 0
  for (; at < args.length; at += 1) {
    const text = exactText(args[at]) ?? ''
    if (!text.startsWith('--')) break
    if (text === '--') {
      at += 1
      break
    }
    at += BWRAP_NONE.test(text) ? 0 : BWRAP_TWO.test(text) ? 2 : 1
  }
  return at >= args.length ? undefined : { own: at, runs: [{ via: name, words: args.slice(at) }] }
}
