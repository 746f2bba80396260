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
import { exactText, exactWord, textPiece, type Word } from '../words/words.ts'

/** Programs for other work, one of whose options or operands is a command. */

/** The options of each, as `optionTable` reads them, and those whose value is shell code. */
const TABLE: Readonly<Record<string, readonly [options: string, ...code: string[]]>> = {
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
  // `fzf --bind 'enter:execute(code),ctrl-d:abort'`
  if (name === 'fzf' && option === 'bind') {
    const codes = [
      ...(text ?? '').matchAll(/\b(?:execute|execute-silent|become|reload|transform)(?:\((.*?)\)|:(.*))/gs),
    ]
    const forms = codes.slice(0, 8).map(([, inside, after]) => [textPiece(inside ?? after ?? '')])
    return forms.length === 0 ? [] : [codeRun('fzf --bind', forms, { shell: 'child', setting: true })]
  }
  const flag = option.length === 1 ? `-${option}` : `--${option}`
  return [codeRun(`${name} ${flag}`, value.forms, { shell: 'child' })]
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

export const CODE_OPTION_LAUNCHERS: Readonly<Record<string, Launcher>> = {
  ...Object.fromEntries(Object.keys(TABLE).map((name) => [name, codeOptions])),
  gcloud: gcloudLaunch,
  ansible: ansibleLaunch,
  nix: nixLaunch,
  cargo: cargoLaunch,
  npm: npmLaunch,
  bun: npmLaunch,
  aws: awsLaunch,
  pnpm: npmLaunch,
}
