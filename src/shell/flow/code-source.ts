import type { SimpleCommand } from '../vocabulary/command.ts'
import { exactText, type Word } from '../words/words.ts'

/** Where a command takes the code from that it runs, when that is not written on the line. */
export type CodeSource =
  | { readonly from: 'input' }
  /** A file that is run. */
  | { readonly from: 'file'; readonly word: Word }
  /** Text put together at run time: `eval "$(…)"`, `bash -c "$CODE"`, `$(…)` as a command. */
  | { readonly from: 'text' }

export function codeSourceOf(command: SimpleCommand): CodeSource | undefined {
  const { name } = command
  if (name === undefined) return command.opaque === undefined ? programFile(command) : { from: 'text' }
  if (writtenOnTheSpot(command)) return { from: 'text' }
  if (isShell(name)) return shellSource(command)
  if (INTERPRETERS.test(name)) return interpreterSource(command)
  switch (name) {
    case 'source':
    case '.':
      return scriptSource(command.args[0])
    case 'make':
    case 'gmake':
      return scriptSource(valueAfter(command.args, /^(?:-f|--file|--makefile)$/))
    case 'cmake':
      return scriptSource(valueAfter(command.args, /^-P$/))
    case 'at':
    case 'batch':
      return { from: 'input' }
    case 'crontab':
      return exactText(command.args[0]) === '-' ? { from: 'input' } : undefined
    case 'parallel':
    case 'xargs':
    case 'eval':
      return command.opaque === undefined
        ? undefined
        : command.inputs === undefined
          ? { from: 'text' }
          : { from: 'input' }
    default:
      return command.opaque === undefined ? programFile(command) : { from: 'text' }
  }
}

/** `bash <(curl …)`: the script is no longer among the words of a command that was seen through. */
function writtenOnTheSpot({ name, opaque, inputs, redirections, fragment }: SimpleCommand): boolean {
  if (opaque === undefined || redirections.some((each) => each.operator.startsWith('<'))) return false
  if (/\/dev\/(?:stdin|fd\/0)\b/.test(fragment)) return false
  if (name === 'eval' || name === 'source' || name === '.' || /\s[<=]\(/.test(fragment)) return true
  return inputs === undefined && /[$`]/.test(fragment)
}

export function isShell(name: string): boolean {
  return /^(?:sh|bash|zsh|dash|ksh|mksh|ash|rbash|fish|yash|csh|tcsh|pwsh|powershell)$/.test(name)
}

const INTERPRETERS =
  /^(?:python[\d.]*|pypy[\d.]*|py|node|nodejs|deno|bun|tsx|ts-node|ruby|perl|php|lua[\d.]*|luajit|Rscript|osascript|tclsh|expect|groovy|julia)$/

/** `./x`, `/tmp/x`: a file that is run as it is. Windows also looks for it here. */
function programFile(command: SimpleCommand): CodeSource | undefined {
  const slashed = command.word.forms.some((form) =>
    form.some((piece) => piece.text.includes('/') || /\.(?:exe|bat|cmd)$/i.test(piece.text)),
  )
  return slashed ? { from: 'file', word: command.word } : undefined
}

function shellSource(command: SimpleCommand): CodeSource | undefined {
  const { args } = command
  let readsInput = false
  for (let at = 0; at < args.length; at += 1) {
    const text = exactText(args[at])
    if (text === undefined || !/^[-+]./.test(text))
      return readsInput ? { from: 'input' } : scriptSource(args[at])
    if (/^-(?:[a-zA-Z]*c$|-?[cC]om|EncodedCommand)/.test(text))
      return command.opaque === undefined ? undefined : { from: 'text' }
    // With `-n` it only checks the grammar.
    if (/^--(?:version|help)$|^-[a-zA-Z]*n[a-zA-Z]*$/.test(text)) return undefined
    if (text === '--') return args[at + 1] === undefined ? { from: 'input' } : scriptSource(args[at + 1])
    if (/^-[a-zA-Z]*s/.test(text)) readsInput = true
    if (/^(?:[-+][a-zA-Z]*[oO]|--(?:rcfile|init-file))$/.test(text)) at += 1
  }
  return { from: 'input' }
}

function scriptSource(word: Word | undefined): CodeSource | undefined {
  if (word === undefined) return undefined
  if (isInput(word)) return { from: 'input' }
  return isSubstitution(word) ? { from: 'text' } : { from: 'file', word }
}

function valueAfter(args: readonly Word[], option: RegExp): Word | undefined {
  return args.find((_, at) => option.test(exactText(args[at - 1]) ?? ''))
}

/** With `-c`, `-e`, `-m` the code is on the line or in a module; else it is the first operand, or standard input. */
function interpreterSource(command: SimpleCommand): CodeSource | undefined {
  for (const word of command.args) {
    const text = exactText(word)
    if (text === 'run') continue
    if (text === undefined || !/^-./.test(text)) return scriptSource(word)
    if (
      /^-(?:[a-zA-Z]*[cemprE]$|-(?:eval|print|version|help|check|test)|[VhvEm])/.test(text) &&
      !/^-(?:[uBsSIEqW]|Wd?)$/.test(text)
    ) {
      return command.opaque === undefined ? undefined : { from: 'text' }
    }
  }
  return { from: 'input' }
}

function isInput(word: Word): boolean {
  return ['-', '/dev/stdin', '/dev/fd/0', '/proc/self/fd/0'].includes(exactText(word) ?? '')
}

function isSubstitution(word: Word): boolean {
  return word.forms.some((form) =>
    form.some((piece) => piece.kind === 'unknown' && /^(?:[<$]\(|`|=\()/.test(piece.text)),
  )
}
