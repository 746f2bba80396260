import { eachWord } from '../../core/word-list.ts'
import { optionTable, readOptions, valuesOf } from '../arguments/options.ts'
import { fileAt } from '../expand/line-files.ts'
import {
  codeRun,
  type Input,
  type Launch,
  type LaunchCall,
  type Launcher,
  launchCode,
  writtenHere,
} from '../vocabulary/launch.ts'
import { isMade, isStandardInput } from '../words/standard-input.ts'
import { exactForm, exactText, type Form, joinWords, textPiece, type Word } from '../words/words.ts'

/** Shells, and the builtins and programs that hand text to one. */
export const SHELL_LAUNCHERS: Readonly<Record<string, Launcher>> = {
  ...Object.fromEntries(
    eachWord(
      'sh bash zsh dash ksh ksh93 mksh ash rbash fish yash posh csh tcsh osh nu elvish xonsh ion',
      shellLaunch,
    ),
  ),
  eval: ({ args }) =>
    args.length === 0
      ? undefined
      : launchCode(0, codeRun('eval', joinWords(withoutDashes(args)), { shell: 'same' })),
  trap: trapLaunch,
  alias: aliasLaunch,
  source: sourceLaunch,
  '.': sourceLaunch,
  su: suLaunch,
  runuser: suLaunch,
  sg: ({ args }) => {
    const [, flag, code] = args
    const given = exactText(flag) === '-c' ? code : flag
    return given === undefined ? undefined : launchCode(1, codeRun('sg', given.forms, { shell: 'child' }))
  },
  script: scriptRecorder,
  enable: ({ args }) =>
    args.some((word) => /^-[a-z]*f/.test(exactText(word) ?? ''))
      ? { own: args.length, runs: [], opaque: LOADS }
      : undefined,
  mapfile: optionLaunch('C', 'C= c= d= n= O= s= u= t'),
  readarray: optionLaunch('C', 'C= c= d= n= O= s= u= t'),
  compgen: optionLaunch('C', 'C= A= o= F= G= W= X= P= S='),
  complete: optionLaunch('C', 'C= A= o= F= G= W= X= P= S= p r D E I'),
  bind: bindLaunch,
  crontab: crontabLaunch,
  at: atLaunch,
  batch: atLaunch,
}

/** `bind -x '"\\C-l": code'`: from then on a key runs it. */
function bindLaunch({ args }: LaunchCall): Launch | undefined {
  const keys = valuesOf(readOptions(args, optionTable('x= f= m= q= r= u=')), 'x')
  const codes = keys.flatMap((word) => /^[^:]*:\s*(.+)$/s.exec(exactText(word) ?? '')?.[1] ?? [])
  if (codes.length === 0) return undefined
  const forms = codes.map((code): Form => [textPiece(code.replace(/^"(.*)"$/s, '$1'))])
  return { own: args.length, runs: [codeRun('bind -x', forms, { setting: true })] }
}

function withoutDashes(args: readonly Word[]): readonly Word[] {
  return exactText(args[0]) === '--' ? args.slice(1) : args
}

/** `-o`, `-O` and `+O` take a word; so do the long options that name a file. */
const SHELL_VALUES = /^([-+][a-zA-Z]*[oO]|--(rcfile|init-file))$/

function shellLaunch(call: LaunchCall): Launch | undefined {
  const { name, args, input } = call
  let at = 0
  let readsCode = false
  let readsInput = false
  let setup: Word | undefined
  for (; at < args.length; at += 1) {
    const text = exactText(args[at])
    if (text === undefined || !/^[-+]./.test(text)) break
    if (text === '--') {
      at += 1
      break
    }
    if (/^-[a-zA-Z]*c/.test(text)) readsCode = true
    if (name === 'fish' && /^(?:-C|--init-command)$/.test(text)) return fishSetup(args, at, call)
    if (/^-[a-zA-Z]*s/.test(text)) readsInput = true
    if (text === '--rcfile' || text === '--init-file') setup = args[at + 1]
    if (SHELL_VALUES.test(text)) at += 1
  }
  const first = args[at]
  // With `-n` it only reads.
  if (args.slice(0, at).some((word) => /^-[a-zA-Z]*n/.test(exactText(word) ?? ''))) return undefined
  if (readsCode) {
    if (first === undefined) return undefined
    return launchCode(
      at,
      codeRun(`${name} -c`, first.forms, {
        shell: 'child',
        positional: args.slice(at + 2),
        zero: args[at + 1],
      }),
    )
  }
  if (first !== undefined && !readsInput && !isStandardInput(first)) {
    return scriptLaunch(`${name} ${first.source}`, first, at, call, args.slice(at + 1))
  }
  if (setup !== undefined) return scriptLaunch(`${name} --rcfile`, setup, at, call, undefined)
  if (input.forms === undefined && !input.piped) return undefined
  const positional = readsInput ? args.slice(at) : undefined
  const how = { shell: 'child', takesInput: true, positional } as const
  return launchCode(at, codeRun(`${name} (standard input)`, input.forms, how))
}

/** `fish -C code …`: the code runs first, and then the rest. */
function fishSetup(args: readonly Word[], at: number, call: LaunchCall): Launch {
  const setup = codeRun('fish -C', args[at + 1]?.forms, { shell: 'child' })
  const rest = shellLaunch({ ...call, args: args.slice(at + 2) })
  return { own: args.length, ...rest, runs: [setup, ...(rest?.runs ?? [])] }
}

/**
 * A script is a program like any other, unless it is written on the spot: by this command line, or by the command in
 * `bash <(curl …)`.
 */
function scriptLaunch(
  via: string,
  script: Word,
  own: number,
  call: LaunchCall,
  positional: readonly Word[] | undefined,
  shell: 'same' | 'child' = 'child',
): Launch | undefined {
  const files = fileAt(script, call.place)
  if (files === undefined) return isMade(script) ? launchCode(own, codeRun(via, undefined)) : undefined
  const runs = files.flatMap((file) =>
    file.kind === 'text' ? [codeRun(via, file.forms, { shell, positional, script: script.source })] : [],
  )
  const unknown = files.some((file) => file.kind === 'unknown')
  return { own: call.args.length, runs, ...(unknown ? { opaque: writtenHere(script) } : {}) }
}

function sourceLaunch(call: LaunchCall): Launch | undefined {
  const [file, ...rest] = call.args
  if (file === undefined) return undefined
  if (isStandardInput(file)) {
    const { forms, piped } = call.input
    return forms === undefined && !piped
      ? undefined
      : launchCode(1, codeRun(call.name, forms, { shell: 'same' }))
  }
  return scriptLaunch(
    `${call.name} ${file.source}`,
    file,
    0,
    call,
    rest.length === 0 ? undefined : rest,
    'same',
  )
}

function trapLaunch({ args }: LaunchCall): Launch | undefined {
  const words = withoutDashes(args)
  const [code] = words
  const text = exactText(code)
  if (code === undefined || words.length < 2 || text === '' || text?.startsWith('-') === true)
    return undefined
  return launchCode(0, codeRun('trap', code.forms, { atEnd: true }))
}

/** `alias name='code'`: what it would run once used. */
function aliasLaunch({ args }: LaunchCall): Launch | undefined {
  const bodies = args
    .flatMap((word) => word.forms)
    .flatMap((form): readonly Form[] => {
      const text = exactForm(form)
      const equals = text?.indexOf('=') ?? -1
      return text === undefined || equals < 1 ? [] : [[{ kind: 'text', text: text.slice(equals + 1) }]]
    })
  return bodies.length === 0 ? undefined : launchCode(0, codeRun('alias', bodies))
}

const SU = optionTable(`
  c|command|session-command= s|shell= g|group= G|supp-group= u|user= w|whitelist-environment= l|login
  m|p|preserve-environment f|fast P|pty T|no-pty
`)

/** `su user -c code`, and `runuser -u user -- command`. */
function suLaunch({ name, args, input }: LaunchCall): Launch | undefined {
  const read = readOptions(args, SU)
  const code = valuesOf(read, 'session-command')[0]
  if (code !== undefined)
    return launchCode(args.length, codeRun(`${name} -c`, code.forms, { shell: 'child' }))
  if (valuesOf(read, 'user').length === 0) {
    // What follows `--` and the user goes to the login shell.
    const shell = read.operands.findIndex((word) => exactText(word) === '-c')
    const given = shell < 0 ? undefined : read.operands[shell + 1]
    if (given === undefined) return typedCode(name, args.length, input)
    return launchCode(args.length, codeRun(`${name} -c`, given.forms, { shell: 'child' }))
  }
  const start = readOptions(args, SU, { stopAtOperand: true }).operandsAt
  const words = args.slice(start)
  return words.length === 0 ? undefined : { own: start, runs: [{ via: name, words }] }
}

const LOADS = 'it loads a program into the shell itself'
const SCRIPT = optionTable('c|command= I= O= B= T= m= E= o= a e f q')

/** `script -c code file`, and where that is not known `script file command`. */
function scriptRecorder(call: LaunchCall): Launch | undefined {
  const read = readOptions(call.args, SCRIPT, { stopAtOperand: true })
  const words = call.args.slice(read.operandsAt + 1)
  const given = optionLaunch('command', 'c|command= I= O= B= T= m= E= o= a e f q')(call)
  if (given !== undefined || words.length === 0) return given
  return { own: read.operandsAt + 1, runs: [{ via: 'script', words }] }
}

/** The shell it starts reads what stands on standard input. */
function typedCode(name: string, own: number, { forms, piped }: Input): Launch | undefined {
  if (forms === undefined && !piped) return undefined
  return launchCode(own, codeRun(`${name} (standard input)`, forms, { shell: 'child', takesInput: true }))
}

/** A program one of whose options is shell code. */
function optionLaunch(option: string, options: string): Launcher {
  const table = optionTable(options)
  return ({ name, args }) => {
    const [code] = valuesOf(readOptions(args, table), option)
    if (code === undefined) return undefined
    const flag = option.length === 1 ? `-${option}` : '-c'
    return launchCode(args.length, codeRun(`${name} ${flag}`, code.forms, { shell: 'child' }))
  }
}

const CRON_LINE = /^\s*(?:@\w+|(?:[\d*/,\-\w]+\s+){4}[\d*/,\-\w]+)\s+(\S.*)$/

/** Lines of a table that comes from standard input or from a file of this line: everything after the five times. */
function crontabLaunch(call: LaunchCall): Launch | undefined {
  const { operands } = readOptions(call.args, optionTable('u= l r e i s c= T='))
  const [table] = operands
  const forms = table === undefined ? undefined : inputOrFile(table, call)
  const commands = (forms ?? []).flatMap((form) => {
    const lines = (exactForm(form) ?? '').split('\n')
    return lines.flatMap((line): readonly Form[] => {
      const code = line.startsWith('#') ? undefined : CRON_LINE.exec(line)?.[1]
      return code === undefined ? [] : [[{ kind: 'text', text: code }]]
    })
  })
  if (commands.length === 0) return undefined
  return launchCode(
    call.args.length,
    codeRun('crontab', commands.slice(0, 32), { shell: 'child', takesInput: true }),
  )
}

function inputOrFile(word: Word, call: LaunchCall): readonly Form[] | undefined {
  if (isStandardInput(word)) return call.input.forms
  return fileAt(word, call.place)?.flatMap((file) => (file.kind === 'text' ? file.forms : []))
}

const AT = optionTable('q= f= t= m M v b V l r d c')

function atLaunch(call: LaunchCall): Launch | undefined {
  const read = readOptions(call.args, AT)
  if (read.options.some((option) => ['l', 'r', 'd', 'c', 'V'].includes(option.name))) return undefined
  const [file] = valuesOf(read, 'f')
  const forms = file === undefined ? call.input.forms : inputOrFile(file, call)
  if (forms === undefined && !(call.input.piped && file === undefined)) return undefined
  return launchCode(call.args.length, codeRun(call.name, forms, { shell: 'child', takesInput: true }))
}
