import { wordList, wordSet } from '../../../../core/word-list.ts'
import { type ReadOptions, readOptions } from '../../../../shell/arguments/options.ts'
import type { SimpleCommand } from '../../../../shell/vocabulary/command.ts'
import { baseName } from '../../../../shell/words/paths.ts'
import { exactText, type Word } from '../../../../shell/words/words.ts'

/**
 * Whether the command opens a shell as another user that reads commands from its input. `all`: the whole command
 * line.
 */
export function opensOtherShell(command: SimpleCommand, all: readonly SimpleCommand[]): boolean {
  const name = command.name ?? ''
  if (SHELLS.has(name)) return waitsForInput(command.args) && isRaised(command)
  switch (name) {
    case 'sudo':
    case 'doas':
      return asksForShell(command) && !runsSomething(command, all)
    case 'pkexec':
    case 'run0':
      return startsShell(command.args) && !runsSomething(command, all)
    case 'su':
    case 'runuser':
      return becomesSomebody(command.args, name) && !runsSomething(command, all)
    case 'chroot':
      return (
        /^[^-]/.test(exactText(command.args[0]) ?? '') &&
        command.args.length === 1 &&
        !runsSomething(command, all)
      )
    case 'script':
      return (
        isRaised(command) &&
        !command.args.some((word) => /^-[a-zA-Z]*c|^--command/.test(exactText(word) ?? ''))
      )
    case 'machinectl':
      return exactText(command.args[0]) === 'shell'
    default:
      return false
  }
}

const SHELLS = wordSet('sh bash zsh dash ksh fish ash tcsh csh')
/** Any other program does not open a shell. */
export const SHELL_OPENERS: ReadonlySet<string> = new Set([
  ...SHELLS,
  ...wordList('sudo doas pkexec run0 su runuser chroot script machinectl'),
])
const RAISING: ReadonlySet<string> = new Set(['sudo', 'doas', 'pkexec', 'run0', 'chroot'])
/** A shell on another machine or in a container has other permissions. */
const ELSEWHERE = /^(ssh|docker|docker-compose|podman|nerdctl|kubectl|oc)\b/

const SUDO = `
  u|user= g|group= h|host= p|prompt= C|close-from= D|chdir= R|chroot= r|role= T|command-timeout= U|other-user=
  t|type= a= c= preserve-env=? A b B E e|edit H i|login k K l|list n N P S s|shell v|validate V|version help L
`
const SU = `
  c|command= s|shell= g|group= G|supp-group= w|whitelist-environment= u|user= l|login m|p P|pty f|fast h|help
  V|version session-command= T
`

function asksForShell({ args }: SimpleCommand): boolean {
  const read = readOptions(args, SUDO, { stopAtOperand: true })
  return has(read, 'login', 'shell') && !has(read, 'list', 'edit')
}

/** Without a command it opens a shell; a shell without a script does too. */
function startsShell(args: readonly Word[]): boolean {
  const { operands } = readOptions(args, 'u|user= disable-internal-agent help version', {
    stopAtOperand: true,
  })
  const [program, ...rest] = operands
  if (program === undefined) return args.length === 0
  return SHELLS.has(baseName(exactText(program) ?? '')) && waitsForInput(rest)
}

/** A wrapper runs the next command of the line, which records how it was reached. */
function runsSomething(command: SimpleCommand, all: readonly SimpleCommand[]): boolean {
  const next = all[all.indexOf(command) + 1]
  return (
    next !== undefined &&
    next.via.length > command.via.length &&
    next.via[command.via.length] === command.name
  )
}

function becomesSomebody(args: readonly Word[], name: string): boolean {
  const read = readOptions(args, SU)
  if (has(read, 'help', 'version', 'command', 'session-command')) return false
  // `runuser -u dev ls` runs a command; `su dev file` passes the rest to the shell.
  if (name === 'runuser' && has(read, 'user')) return false
  return read.operands.filter((word) => exactText(word) !== '-').length < 2
}

/** Without code and without a script, it reads commands that are typed or piped. */
function waitsForInput(args: readonly Word[]): boolean {
  const texts = args.map((word) => exactText(word) ?? word.source)
  if (texts.some((text) => /^-[a-zA-Z]*c/.test(text) || text === '--version' || text === '--help'))
    return false
  return texts.every(
    (text, at) => /^[-+]/.test(text) || /^(-o|--rcfile|--init-file)$/.test(texts[at - 1] ?? ''),
  )
}

/** Started by a program that changes the user, on this machine. */
function isRaised({ via }: SimpleCommand): boolean {
  const at = via.findLastIndex((step) => RAISING.has(step))
  return at >= 0 && !via.slice(at + 1).some((step) => ELSEWHERE.test(step))
}

function has(read: ReadOptions, ...names: readonly string[]): boolean {
  return read.options.some((option) => names.includes(option.name))
}
