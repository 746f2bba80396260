import { optionTable, readOptions } from './options.ts'
import { exactForm, exactText, type Form, isWhollyUnknown, joinWords, type Word } from './words.ts'

/** Text among the arguments or on standard input that will be read as shell code. */
export interface Code {
  readonly via: string
  /** Undefined when the code is known only at run time. */
  readonly forms: readonly Form[] | undefined
  /** How many arguments are not the code. */
  readonly own: number
  /** `$1`, `$2`, … of the code, where they are given. */
  readonly positional?: readonly Word[]
  /** Runs in this very shell, so that its `cd` and assignments count. */
  readonly sameShell: boolean
  /** Runs on another machine: paths are that machine's. */
  readonly remote: boolean
}

/** What the command may read from standard input. */
export interface Input {
  /** The text, where it is known. */
  readonly forms: readonly Form[] | undefined
  /** Piped in from a command whose output is not known. */
  readonly piped: boolean
}

const SHELLS: ReadonlySet<string> = new Set([
  'sh',
  'bash',
  'zsh',
  'dash',
  'ksh',
  'mksh',
  'ash',
  'rbash',
  'fish',
  'yash',
])

/** The code a command would run, or undefined when it runs none. */
export function codeIn(name: string, args: readonly Word[], input: Input): Code | undefined {
  if (SHELLS.has(name)) return shellCode(name, args, input)
  if (INTERPRETERS.test(name)) return interpreterCode(name, args, input)
  switch (name) {
    case 'eval':
      return args.length === 0 ? undefined : local('eval', joinWords(args), true)
    case 'trap':
      return trapCode(args)
    case 'alias':
      return aliasCode(args)
    case 'source':
    case '.':
      return sourceCode(name, args)
    case 'ssh':
      return sshCode(args, input)
    case 'su':
      return optionCode(
        'su',
        args,
        optionTable('c|command=', 's|shell=', 'g|group=', 'G|supp-group=', 'w=', 'l|login', 'm|p'),
      )
    case 'script':
      return optionCode(
        'script',
        args,
        optionTable('c|command=', 'I=', 'O=', 'B=', 'T=', 'm=', 'E=', 'o=', 'a', 'e', 'f', 'q'),
      )
    default:
      return undefined
  }
}

function local(via: string, forms: readonly Form[] | undefined, sameShell: boolean, own = 0): Code {
  const known = forms?.some((form) => !isWhollyUnknown(form)) === true
  return { via, forms: known ? forms : undefined, own, sameShell, remote: false }
}

/** `-o`, `-O` and `+O` take a word; so do the long options that name a file. */
const SHELL_VALUES = /^([-+][a-zA-Z]*[oO]|--(rcfile|init-file))$/

function shellCode(name: string, args: readonly Word[], input: Input): Code | undefined {
  let at = 0
  let readsCode = false
  let readsInput = false
  for (; at < args.length; at += 1) {
    const text = exactText(args[at])
    if (text === undefined || !/^[-+]./.test(text)) break
    if (text === '--') {
      at += 1
      break
    }
    if (/^-[a-zA-Z]*c/.test(text)) readsCode = true
    if (/^-[a-zA-Z]*s/.test(text)) readsInput = true
    if (SHELL_VALUES.test(text)) at += 1
  }
  const first = args[at]
  if (readsCode) {
    if (first === undefined) return undefined
    const positional = args.slice(at + 2)
    return { ...local(`${name} -c`, first.forms, false, at), positional }
  }
  if (first !== undefined && !readsInput && !isStandardInput(first)) return scriptCode(name, first, at)
  if (input.forms !== undefined) return local(`${name} (standard input)`, input.forms, false, at)
  return input.piped ? local(`${name} (standard input)`, undefined, false, at) : undefined
}

function isStandardInput(word: Word): boolean {
  return ['-', '/dev/stdin', '/dev/fd/0', '/proc/self/fd/0'].includes(exactText(word) ?? '')
}

/** A script is a program like any other, unless a command writes it on the spot: `bash <(curl …)`. */
function scriptCode(name: string, script: Word, at: number): Code | undefined {
  const written = script.forms.some((form) =>
    form.some((piece) => piece.kind === 'unknown' && piece.text.startsWith('<(')),
  )
  return written ? local(`${name} ${script.source}`, undefined, false, at) : undefined
}

function sourceCode(name: string, args: readonly Word[]): Code | undefined {
  const [file] = args
  return file === undefined ? undefined : scriptCode(name, file, 0)
}

const INTERPRETERS = /^(python[\d.]*|pypy[\d.]*|node|nodejs|ruby|perl|php|lua)$/

/** Another language is not read here; code for it that comes down a pipe is known only at run time. */
function interpreterCode(name: string, args: readonly Word[], input: Input): Code | undefined {
  const readsInput = args.length === 0 || args.every(isStandardInput)
  return readsInput && input.piped ? local(`${name} (standard input)`, undefined, false) : undefined
}

function trapCode(args: readonly Word[]): Code | undefined {
  const words = exactText(args[0]) === '--' ? args.slice(1) : args
  const [code] = words
  const text = exactText(code)
  if (code === undefined || words.length < 2 || text === '' || text === '-' || text?.startsWith('-') === true)
    return undefined
  return local('trap', code.forms, false)
}

/** `alias name='code'`: what it would run once used. */
function aliasCode(args: readonly Word[]): Code | undefined {
  const bodies = args
    .flatMap((word) => word.forms)
    .flatMap((form) => {
      const text = exactForm(form)
      const equals = text?.indexOf('=') ?? -1
      return text === undefined || equals < 1 ? [] : [text.slice(equals + 1)]
    })
  if (bodies.length === 0) return undefined
  return local(
    'alias',
    bodies.map((text) => [{ kind: 'text', text }]),
    false,
  )
}

const SSH = optionTable(
  ...[
    'B=',
    'b=',
    'c=',
    'D=',
    'E=',
    'e=',
    'F=',
    'I=',
    'i=',
    'J=',
    'L=',
    'l=',
    'm=',
    'O=',
    'o=',
    'P=',
    'p=',
    'Q=',
    'R=',
    'S=',
    'W=',
    'w=',
  ],
  ...[
    '4',
    '6',
    'A',
    'a',
    'C',
    'f',
    'G',
    'g',
    'K',
    'k',
    'M',
    'N',
    'n',
    'q',
    's',
    'T',
    't',
    'V',
    'v',
    'X',
    'x',
    'Y',
    'y',
  ],
)

function sshCode(args: readonly Word[], input: Input): Code | undefined {
  // Options may also stand between the host and the command.
  const read = readOptions(args, SSH, { stopAtOperand: true })
  const host = exactText(read.operands[0]) ?? 'host'
  const after = readOptions(read.operands.slice(1), SSH, { stopAtOperand: true })
  const own = args.length - after.operands.length
  const base = { via: `ssh ${host}`, own, sameShell: false, remote: true }
  if (after.operands.length > 0) return { ...local(base.via, joinWords(after.operands), false), ...base }
  return input.forms === undefined ? undefined : { ...base, forms: input.forms }
}

function optionCode(
  name: string,
  args: readonly Word[],
  table: ReturnType<typeof optionTable>,
): Code | undefined {
  const given = readOptions(args, table).options.find((option) => option.name === 'command')
  return given?.value === undefined ? undefined : local(`${name} -c`, given.value.forms, false, args.length)
}
