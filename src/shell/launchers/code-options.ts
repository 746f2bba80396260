import { eachWord, wordList } from '../../core/word-list.ts'
import { isSet, type OptionTable, optionTable, readOptions, valuesOf } from '../arguments/options.ts'
import { knownTextAt } from '../expand/line-files.ts'
import { scriptFile, scriptsAsked, scriptsSet } from '../expand/npm-scripts.ts'
import {
  codeRun,
  type Launch,
  type LaunchCall,
  type Launcher,
  type StartedCommand,
} from '../vocabulary/launch.ts'
import { concatForms, exactText, exactWord, textPiece, type Word } from '../words/words.ts'

/** Programs for other work, one of whose options or operands is a command. */

/** The options of each, as `optionTable` reads them, and those whose value is shell code. */
const TABLE: Readonly<Record<string, readonly [options: string, ...code: string[]]>> = {
  tar: [
    `
      to-command= I|use-compress-program= checkpoint-action= rsh-command= F|info-script|new-volume-script=
      f|file= C|directory= X|exclude-from= T|files-from= b= g= H= K= L= N= V= exclude= strip-components=
      transform|xform= checkpoint=?
    `,
    ...wordList('to-command use-compress-program checkpoint-action rsh-command new-volume-script'),
  ],
  sort: [
    'compress-program= k|key= o|output= t|field-separator= S|buffer-size= T|temporary-directory= parallel=',
    'compress-program',
  ],
  rg: [
    'pre= pre-glob= hostname-bin= e|regexp= f|file= g|glob= t|type= T|type-not= A= B= C= m= M= d= j= r=',
    'pre',
    'hostname-bin',
  ],
  ag: ['pager= A= B= C= G= W= m= depth= ignore=', 'pager'],
  bat: ['pager= l|language= r|line-range= H|highlight-line= theme= style= m|map-syntax=', 'pager'],
  man: ['P|pager= H|html=? C= M= S|sections= e= L= R= m= p= E= r|prompt=', 'pager', 'html'],
  wget: ['use-askpass= O= o= a= e= i= P= U= t= T= w= Q= post-data= post-file= header=', 'use-askpass'],
  fzf: [
    'preview= preview-window= q|query= f|filter= d|delimiter= n|nth= header= prompt= height= bind=',
    'preview',
    'bind',
  ],
  nano: ['s|speller= f|rcfile= o|operatingdir= Y|syntax= r|fill= T|tabsize= C|backupdir=', 'speller'],
  nc: ['e|exec= c|sh-exec= p= s= w= i= X= x= q= I= O= T= V= P= g= G= m= o=', 'exec', 'sh-exec'],
  ncat: [
    'e|exec= c|sh-exec= lua-exec= p|source-port= s= w|wait= i= x= m= o|output= d|delay= g= G=',
    'exec',
    'sh-exec',
  ],
  chokidar: ['c|command= d|debounce= t|throttle= i|ignore= p|polling initial silent verbose', 'command'],
  tcpdump: ['z= w= r= i= c= C= G= F= s= W= y= T= E= M= Z= B=', 'z'],
}

const READ = new Map<string, OptionTable>()

function tableOf(name: string, options: string): OptionTable {
  const known = READ.get(name) ?? optionTable(options)
  READ.set(name, known)
  return known
}

function codeOptions({ name, args }: LaunchCall): Launch | undefined {
  const [options = '', ...code] = TABLE[name] ?? []
  const read = readOptions(args, tableOf(name, options))
  const runs = code.flatMap((option) =>
    valuesOf(read, option).flatMap((value) => optionRun(name, option, value)),
  )
  return runs.length === 0 ? undefined : { own: args.length, runs }
}

function optionRun(name: string, option: string, value: Word): readonly StartedCommand[] {
  const text = exactText(value)
  // `tar --checkpoint-action=dot` prints; only `exec=…` runs.
  if (option === 'checkpoint-action') {
    return text?.startsWith('exec=') === true
      ? [codeRun(`${name} --${option}`, [[textPiece(text.slice(5))]])]
      : []
  }
  // `fzf --bind 'enter:execute(code),ctrl-d:abort'`
  if (name === 'fzf' && option === 'bind') {
    const codes = [
      ...(text ?? '').matchAll(/\b(?:execute|execute-silent|become|reload|transform)(?:\((.*?)\)|:(.*))/gs),
    ]
    const forms = codes.slice(0, 8).map(([, inside, after]) => [textPiece(inside ?? after ?? '')])
    return forms.length === 0 ? [] : [codeRun('fzf --bind', forms, { shell: 'child', setting: true })]
  }
  // `nc -c` with a host behind it is another netcat's flag.
  if (name === 'nc' && option === 'sh-exec' && text !== undefined && /^[\w.-]+\.[\w.-]+$/.test(text))
    return []
  const flag = option.length === 1 ? `-${option}` : `--${option}`
  const fed = option === 'to-command' ? { fed: true } : {}
  return [codeRun(`${name} ${flag}`, value.forms, { shell: 'child', ...fed })]
}

const RUNS = /^(?:EXEC|SYSTEM|SHELL):/i

/** `socat … EXEC:"code",pty` */
function socatLaunch({ name, args }: LaunchCall): Launch | undefined {
  const runs = args.flatMap((word) => {
    const text = exactText(word) ?? ''
    const code = RUNS.test(text) ? text.slice(text.indexOf(':') + 1).split(/(?<!\\),/, 1)[0] : undefined
    return code === undefined
      ? []
      : [codeRun(`${name} EXEC`, [[textPiece(code.replace(/["']/g, ''))]], { shell: 'child' })]
  })
  return runs.length === 0 ? undefined : { own: args.length, runs }
}

const DAEMON = optionTable(`
  x|exec= a|startas= p|pidfile= u|user= c|chuid= d|chdir= n|name= S|start K|stop b|background m|make-pidfile
`)

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

/** `capsh … -- -c code`: what follows goes to bash. */
function capshLaunch({ name, args }: LaunchCall): Launch | undefined {
  const at = args.findIndex((word) => exactText(word) === '--')
  return at < 0
    ? undefined
    : { own: at, runs: [{ via: name, words: [exactWord('bash'), ...args.slice(at + 1)] }] }
}

/** `gcloud compute ssh host --command=code` */
function gcloudLaunch({ name, args }: LaunchCall): Launch | undefined {
  if (!args.some((word) => exactText(word) === 'ssh')) return undefined
  const given = valuesOf(readOptions(args, optionTable('command= zone= project= ssh-flag=')), 'command')
  const there: Partial<StartedCommand> = {
    shell: 'child',
    remote: `${name} compute ssh`,
    moved: { cwd: undefined },
  }
  return given.length === 0
    ? undefined
    : { own: args.length, runs: given.map((word) => codeRun(`${name} compute ssh`, word.forms, there)) }
}

const ANSIBLE = optionTable(`
  i|inventory= m|module-name= a|args= u|user= l|limit= e|extra-vars= f|forks= c|connection= b|become
  K|ask-become-pass k|ask-pass C|check list-hosts version help
`)

/** `ansible hosts -m shell -a code` */
function ansibleLaunch({ name, args }: LaunchCall): Launch | undefined {
  const read = readOptions(args, ANSIBLE)
  const module = exactText(valuesOf(read, 'module-name')[0]) ?? 'command'
  const [code] = valuesOf(read, 'args')
  if (code === undefined || isSet(read, 'check') || !/(^|\.)(shell|command|raw|win_shell)$/.test(module))
    return undefined
  const there: Partial<StartedCommand> = {
    shell: 'child',
    remote: `${name} ${exactText(read.operands[0]) ?? ''}`,
    setting: true,
  }
  return { own: args.length, runs: [codeRun(`${name} -a`, code.forms, there)] }
}

/** `ip netns exec name command` */
function ipLaunch({ name, args }: LaunchCall): Launch | undefined {
  const at = args.findIndex((word) => exactText(word) === 'exec')
  const inside = at > 0 && /^(netns|vrf)$/.test(exactText(args[at - 1]) ?? '')
  return inside ? { own: at + 2, runs: [{ via: `${name} exec`, words: args.slice(at + 2) }] } : undefined
}

/** Single-dash options of the Go tools: `go test -exec program`. */
function goLaunch({ name, args }: LaunchCall): Launch | undefined {
  const runs = args.flatMap((word, at): readonly StartedCommand[] => {
    const found = /^--?(exec|toolexec|vettool)(?:=(.*))?$/s.exec(exactText(word) ?? '')
    if (found === null) return []
    const value = found[2] === undefined ? args[at + 1] : exactWord(found[2])
    return value === undefined
      ? []
      : [codeRun(`${name} -${found[1]}`, [concatForms(...value.forms)], { setting: true })]
  })
  return runs.length === 0 ? undefined : { own: args.length, runs }
}

/** Settings of cargo that name a program it starts. */
const CARGO_PROGRAM =
  /(?:^|\.)(?:runner|linker|rustc|rustdoc|rustc-(?:workspace-)?wrapper|credential-process)$/

/** `cargo --config 'target.x.runner="code"' run`, also with a list of words. */
function cargoLaunch({ name, args }: LaunchCall): Launch | undefined {
  const settings = valuesOf(readOptions(args, CARGO), 'config').map((word) => exactText(word) ?? '')
  const runs = settings.flatMap((setting) => {
    const [, key = '', value = ''] = /^\s*([\w.'"-]+?)\s*=\s*(.*)$/s.exec(setting) ?? []
    if (!CARGO_PROGRAM.test(key.replace(/["']/g, ''))) return []
    const texts = [...value.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'/g)].map(
      ([, double, single]) => double ?? single,
    )
    return [codeRun(`${name} --config`, [[textPiece(texts.join(' '))]], { setting: true })]
  })
  return runs.length === 0 ? undefined : { own: args.length, runs }
}

const CARGO = optionTable('config= Z= C= color= p|package= manifest-path= target= features=')

/** `gcc -wrapper program,argument x.c` */
function compilerLaunch({ name, args }: LaunchCall): Launch | undefined {
  const at = args.findIndex((word) => exactText(word) === '-wrapper')
  const text = at < 0 ? undefined : exactText(args[at + 1])
  return text === undefined
    ? undefined
    : { own: args.length, runs: [{ via: `${name} -wrapper`, words: text.split(',').map(exactWord) }] }
}

/** Scripts that an install starts, on the machine of whoever installs. */
const RUNS_BY_ITSELF = /^(?:(?:pre|post)?install|(?:pre|post)?prepare|dependencies)$/

/** `npm pkg set scripts.test=code; npm test` */
export function npmLaunch({ name, args, place }: LaunchCall): Launch | undefined {
  const byItself = scriptsSet(args).filter(({ name: script }) => RUNS_BY_ITSELF.test(script))
  if (byItself.length > 0) {
    const forms = byItself.map(({ code }) => [textPiece(code)])
    return { own: args.length, runs: [codeRun(`${name} script`, forms, { shell: 'child', setting: true })] }
  }
  const asked = place.files.size === 0 ? [] : scriptsAsked(name, args)
  const code = asked.flatMap((script) => knownTextAt(scriptFile(script), place) ?? [])
  return code.length === 0
    ? undefined
    : { own: args.length, runs: [codeRun(`${name} script`, code, { shell: 'child', setting: true })] }
}

/** `aws ssm send-command --parameters 'commands=["code"]'` */
function awsLaunch({ name, args }: LaunchCall): Launch | undefined {
  const words = args.map((word) => exactText(word) ?? '')
  if (!words.includes('send-command')) return undefined
  const given = valuesOf(readOptions(args, SSM), 'parameters').map((word) => exactText(word) ?? '')
  const codes = given.flatMap((text) => {
    const quoted = [...text.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, code = '']) =>
      code.replace(/\\(.)/g, '$1'),
    )
    return quoted.length > 0 ? quoted : [text.replace(/^commands=\[?|\]$/g, '')]
  })
  const there: Partial<StartedCommand> = {
    shell: 'child',
    remote: `${name} ssm`,
    moved: { cwd: undefined },
    setting: true,
  }
  const runs = codes.slice(0, 16).map((code) => codeRun(`${name} ssm`, [[textPiece(code)]], there))
  return runs.length === 0 ? undefined : { own: args.length, runs }
}

const SSM = optionTable('parameters= region= profile= document-name= instance-ids= targets=')

/** `nix run nixpkgs#bash -- -c code`; with `develop` and `shell` the wrapper table knows. */
function nixLaunch(call: LaunchCall): Launch | undefined {
  const { args, name } = call
  const [verb, ...rest] = args
  if (exactText(verb) !== 'run') return undefined
  const at = rest.findIndex((word) => exactText(word) === '--')
  const program = /#([\w.-]+)$/.exec(exactText(rest.find((word) => !/^-/.test(word.source))) ?? '')?.[1]
  if (program === undefined) return undefined
  const words = [exactWord(program), ...(at < 0 ? [] : rest.slice(at + 1))]
  return { own: at < 0 ? args.length : at + 1, runs: [{ via: `${name} run`, words }] }
}

const ZIP = optionTable('unzip-command=')

/** `zip -T -TT code` */
function zipLaunch({ name, args }: LaunchCall): Launch | undefined {
  const read = readOptions(
    args.map((word) => (exactText(word) === '-TT' ? exactWord('--unzip-command') : word)),
    ZIP,
  )
  const [code] = valuesOf(read, 'unzip-command')
  return code === undefined ? undefined : { own: args.length, runs: [codeRun(`${name} -TT`, code.forms)] }
}

export const CODE_OPTION_LAUNCHERS: Readonly<Record<string, Launcher>> = {
  ...Object.fromEntries(Object.keys(TABLE).map((name) => [name, codeOptions])),
  netcat: (call) => codeOptions({ ...call, name: 'nc' }),
  gtar: (call) => codeOptions({ ...call, name: 'tar' }),
  bsdtar: (call) => codeOptions({ ...call, name: 'tar' }),
  socat: socatLaunch,
  'start-stop-daemon': daemonLaunch,
  bwrap: bwrapLaunch,
  capsh: capshLaunch,
  gcloud: gcloudLaunch,
  ansible: ansibleLaunch,
  ip: ipLaunch,
  go: goLaunch,
  nix: nixLaunch,
  cargo: cargoLaunch,
  npm: npmLaunch,
  bun: npmLaunch,
  aws: awsLaunch,
  pnpm: npmLaunch,
  ...Object.fromEntries(eachWord('gcc g++ cc c++ clang gfortran', compilerLaunch)),
  zip: zipLaunch,
}
