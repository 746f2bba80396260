import { readOptions, valuesOf } from '../../arguments/options.ts'
import type { Shell } from '../../expand/state.ts'
import { assignEntry, switchOn } from '../../expand/zsh-names.ts'
import { codeRun, type Launch, type LaunchCall, type StartedCommand } from '../../vocabulary/launch.ts'
import { exactText, exactWord, joinWords, unknownWord, type Word } from '../../words/words.ts'
import { lookedUp } from '../aspects/looked-up.ts'
import type { ProgramTable } from '../program.ts'

/**
 * Commands of zsh that run others, and of bash's history. Agents run commands in the shell of the user, which is often
 * zsh, so every command line is read as both shells would.
 */
export const ZSH_PROGRAMS: ProgramTable = {
  '- noglob nocorrect': { starts: before },
  repeat: { starts: repeatLaunch },
  emulate: { starts: emulateLaunch },
  zargs: { starts: zargsLaunch },
  setopt: { files: { operands: 'none' }, changesShell: setopt },
  zstyle: { starts: zstyleLaunch, changesShell: zstyle },
  'add-zsh-hook': { starts: hookLaunch },
  sched: { starts: (call) => behind(call, /^[+\d:]+[ap]?m?$/) },
  zpty: { starts: (call) => behind(call, /^\w+$/) },
  'zmv zcp zln': { starts: zmvLaunch },
  zmodload: { starts: zmodloadLaunch },
  whence: { prints: (args, scope) => lookedUp(args.at(-1), scope) },
  fc: { starts: fcLaunch },
}

/** What follows is code: `noglob x[1]=y` is an assignment. */
function before({ name, args }: LaunchCall): Launch {
  return { own: 0, runs: args.length === 0 ? [] : [sourceOf(name, args)] }
}

/** `repeat 3 ls`, `repeat 3 { ls }`. */
function repeatLaunch({ name, args }: LaunchCall): Launch {
  return { own: 1, runs: args.length < 2 ? [] : [sourceOf(name, args.slice(1))] }
}

/** As it was written, if that is known to be what runs. */
function sourceOf(name: string, words: readonly Word[]): StartedCommand {
  const text = words.map(({ source }) => source).join(' ')
  const group = /^\{\s(.*?)(?:;?\s\}\s*)?$/s.exec(text)?.[1]
  const isCode = group !== undefined || /[[{(]|^(?:if|for|while|case|!)(?:\s|$)/.test(text)
  return isCode
    ? codeRun(name, exactWord(group ?? text).forms, { shell: 'same' })
    : { via: name, words, shell: 'same' }
}

/** `emulate [-LR] sh -c code`. */
function emulateLaunch({ name, args }: LaunchCall): Launch | undefined {
  const at = args.findIndex((word) => exactText(word) === '-c')
  const code = at < 0 ? undefined : args[at + 1]
  return code === undefined
    ? undefined
    : { own: at + 1, runs: [codeRun(name, code.forms, { shell: 'same' })] }
}

/** `zargs [options] [--] items -- command`. */
function zargsLaunch({ name, args }: LaunchCall): Launch | undefined {
  const marks = args.flatMap((word, at) => (exactText(word) === '--' ? [at] : []))
  const [first, last = first] = marks
  if (first === undefined || last === undefined) return undefined
  // Behind a first `--` stand items only, which may look like options.
  const items =
    first < last
      ? args.slice(first + 1, last)
      : args.slice(0, last).filter((word) => !/^-/.test(exactText(word) ?? ''))
  const words = args.slice(last + 1)
  return { own: args.length, runs: words.length === 0 ? [] : [{ via: name, words: [...words, ...items] }] }
}

function setopt(args: readonly Word[], shell: Shell): void {
  for (const word of args) switchOn(exactText(word) ?? '', shell)
}

/** `zstyle -e ':completion:*' hosts 'code'`: run whenever the style is asked for. */
function zstyleLaunch({ name, args }: LaunchCall): Launch | undefined {
  const at = args.findIndex((word) => exactText(word) === '-e')
  const code = at < 0 ? [] : args.slice(at + 3)
  return code.length === 0 ? undefined : { own: at + 3, runs: [codeOf(name, code)] }
}

/** `zstyle -s context style 'functions[ls]'`: what the style says goes there. */
function zstyle(args: readonly Word[], shell: Shell): void {
  const target = exactText(args[3]) ?? ''
  if (/^-[sabt]/.test(exactText(args[0]) ?? '')) assignEntry(target, unknownWord('zstyle').forms, shell)
}

/** `add-zsh-hook zshexit function`. */
function hookLaunch({ name, args }: LaunchCall): Launch | undefined {
  const [, called] = args.filter((word) => !/^-/.test(exactText(word) ?? ''))
  return called === undefined ? undefined : { own: args.length, runs: [codeOf(name, [called])] }
}

/** `sched +1 command`, `zpty name command`: a command behind one word of its own. */
function behind({ name, args }: LaunchCall, own: RegExp): Launch | undefined {
  const at = args.findIndex((word) => own.test(exactText(word) ?? ''))
  const code = at < 0 ? [] : args.slice(at + 1)
  return code.length === 0 ? undefined : { own: at + 1, runs: [codeOf(name, code)] }
}

function zmvLaunch({ args }: LaunchCall): Launch {
  return {
    own: args.length,
    runs: [],
    opaque: 'which files it moves, and where, is worked out from a pattern',
  }
}

/** Modules with which variables and builtins read, write and send what no program is named for. */
const MODULES = /^(?:zsh\/)?(?:mapfile|system|net\/\w+|zpty|zftp|db\/\w+)$/

function zmodloadLaunch({ args }: LaunchCall): Launch | undefined {
  const named = args.map(exactText).find((text) => text !== undefined && MODULES.test(text))
  return named === undefined
    ? undefined
    : { own: args.length, runs: [], opaque: `what it does with the module ${named} is not known` }
}

/** `print -P` expands what stands in its text, as a prompt. */
export function printLaunch({ name, args }: LaunchCall): Launch | undefined {
  const isPrompt = args.some((word) => /^-[a-zA-Z]*P/.test(exactText(word) ?? ''))
  const texts = isPrompt ? args.flatMap((word) => exactText(word) ?? []) : []
  const runs = texts
    .filter((text) => /\$\(|`/.test(text))
    .map((text): StartedCommand => codeRun(name, exactWord(`: <<PROMPT\n${text}\nPROMPT\n`).forms))
  return runs.length === 0 ? undefined : { own: args.length, runs }
}

/** `print -v 'functions[ls]' text` */
export function printsToVariable(args: readonly Word[], shell: Shell): void {
  const [flag, target, ...rest] = args
  if (/^-[a-zA-Z]*v$/.test(exactText(flag) ?? ''))
    assignEntry(exactText(target) ?? '', joinWords(rest) ?? unknownWord('print').forms, shell)
}

/** `history -s code` puts into the history what `fc -s` then runs. */
export function historyLaunch({ name, args }: LaunchCall): Launch | undefined {
  const [flag, ...code] = args
  if (!/^-[a-z]*s/.test(exactText(flag) ?? '') || code.length === 0) return undefined
  return { own: 1, runs: [codeOf(name, code)] }
}

function fcLaunch({ name, args }: LaunchCall): Launch | undefined {
  const editor = valuesOf(readOptions(args, 'e= l n r s'), 'e').at(-1)
  if (editor === undefined || exactText(editor) === '-') return undefined
  return { own: args.length, runs: [codeOf(name, [editor])] }
}

function codeOf(name: string, words: readonly Word[]): StartedCommand {
  return codeRun(name, joinWords(words), { shell: 'same' })
}
