import { readOptions, valuesOf } from '../../arguments/options.ts'
import type { ShellEffect } from '../../vocabulary/effect.ts'
import { codeRun, type Launch, type LaunchCall } from '../../vocabulary/launch.ts'
import { exactForm, exactText, exactWord, textPiece, type Word } from '../../words/words.ts'
import { codeInOptions } from '../aspects/code-options.ts'
import { launch, lineRuns, shellQuoted, shellRun } from '../aspects/code-runs.ts'
import { filesAfter, matchesIn, type ScriptFiles } from '../aspects/script-files.ts'
import { writes } from '../files/writing.ts'
import type { ProgramCall, ProgramTable } from '../program.ts'

const VIM = 'c= S= s u= U= i= w= W= t= T= r= L= cmd= e E n R M N'
const ED = 'p|prompt= s|quiet|silent G l r|restricted v|verbose E help'

/** `shell x`, `!x`, `:!x`, `system("x")`. */
const ESCAPE = /^\s*:?\s*(?:silent!?\s+)?(?:!|shell\s+|make\s+)([^\n]+)$/gm
const CALLED = /\b(?:system|systemlist|shell-command|call-process|execute)\s*\(?\s*["']([^"'\n]+)["']/g

/** The commands in a script of an editor or a debugger. */
function escapesIn(text: string): readonly string[] {
  return [...matchesIn(text, ESCAPE), ...matchesIn(text, CALLED)]
}

const scripts: ScriptFiles = { files: filesAfter(/^-[SsuU]$/), commands: escapesIn }
const NANO = 's|speller= f|rcfile= o|operatingdir= Y|syntax= r|fill= T|tabsize= C|backupdir='
const BAT = 'pager= l|language= r|line-range= H|highlight-line= theme= style= m|map-syntax='
const MAN = 'P|pager= H|html=? C= M= S|sections= e= L= R= m= p= E= r|prompt='
const FZF = 'preview= preview-window= q|query= f|filter= d|delimiter= n|nth= header= prompt= height= bind='

/** Editors and pagers: what they write is what their commands (`-c wq`) say; and each has a word for "run this". */
export const EDITORS: ProgramTable = {
  'vi vim nvim': { does: (call) => saved(call, false), starts: vimLaunch, scripts },
  ex: { does: (call) => saved(call, true), starts: vimLaunch, scripts },
  'view gvim': { starts: vimLaunch, scripts },
  'vimdiff rvim': { starts: vimLaunch },
  // It writes what it is told on its input.
  ed: {
    does: ({ command: { args, cwd } }) => readOptions(args, ED).operands.flatMap((word) => writes(word, cwd)),
    starts: ({ name, args, input }) =>
      lineRuns(name, args.length, input.forms?.map((form) => exactForm(form) ?? '') ?? [], /^!(.+)$/gm),
  },
  'less more': { starts: pagerLaunch, files: { operands: 'read' }, passesOn: true },
  most: { starts: pagerLaunch, files: { operands: 'read' } },
  bat: { starts: codeInOptions(BAT, 'pager'), files: { operands: 'read' }, passesOn: true },
  man: { starts: codeInOptions(MAN, 'pager', 'html') },
  nano: { starts: codeInOptions(NANO, 'speller') },
  fzf: { starts: fzfLaunch },
  dc: {
    starts: ({ name, args, input }) => {
      const typed = input.forms?.map((form) => exactForm(form) ?? '') ?? []
      const texts = [...typed, ...args.map((word) => exactText(word) ?? '')]
      return lineRuns(name, args.length, texts, /^!(?![<>=])(.+)$/gm)
    },
  },
  'gdb lldb': {
    starts: debuggerLaunch,
    scripts: { files: filesAfter(/^(?:-x|-s|-S|--command|--source)$/), commands: escapesIn },
  },
  'rust-gdb': { starts: debuggerLaunch },
}

function saved({ command }: ProgramCall, byInput: boolean): readonly ShellEffect[] {
  const read = readOptions(command.args, VIM)
  const files = read.operands.filter((word) => !isOrder(word))
  const orders = [...valuesOf(read, 'c', 'cmd'), ...read.operands.filter(isOrder)]
  const texts = orders.map((word) => exactText(word) ?? '')
  const saves = texts.some((text) => /(^|[|:+\s])(w|wq|wqa?|wa|x|xa|xit|up|update)!?(\s|\||$)/.test(text))
  const others = texts.flatMap((text) => {
    const found = /(?:^|[|:+\s])(?:w|write|sav|saveas)!?\s+([^\s|!][^\s|]*)/.exec(text)
    return found === null ? [] : [exactWord(found[1] ?? '')]
  })
  const typed = byInput && command.redirections.some(({ operator }) => operator.startsWith('<'))
  return [...(saves || typed ? files : []), ...others].flatMap((word) => writes(word, command.cwd))
}

/** `+wq`: a command among the files. */
function isOrder(word: Word): boolean {
  return /^\+/.test(exactText(word) ?? '')
}

/** `fzf --preview code --bind 'enter:execute(code),ctrl-d:abort'` */
function fzfLaunch({ name, args }: LaunchCall): Launch | undefined {
  const read = readOptions(args, FZF)
  const bound = valuesOf(read, 'bind').flatMap((value) => {
    const codes = (exactText(value) ?? '').matchAll(
      /\b(?:execute|execute-silent|become|reload|transform)(?:\((.*?)\)|:(.*))/gs,
    )
    const forms = [...codes].slice(0, 8).map(([, inside, after]) => [textPiece(inside ?? after ?? '')])
    return forms.length === 0 ? [] : [codeRun(`${name} --bind`, forms, { shell: 'child', setting: true })]
  })
  const previews = valuesOf(read, 'preview').map((value) =>
    codeRun(`${name} --preview`, value.forms, { shell: 'child' }),
  )
  return launch(args.length, [...previews, ...bound])
}

/** The values of these options, attached or not, and every word of this shape. */
function given(args: readonly Word[], options: RegExp, attached: RegExp): readonly string[] {
  return args.flatMap((word, at) => {
    const text = exactText(word) ?? ''
    const next = options.test(text) ? exactText(args[at + 1]) : attached.exec(text)?.[1]
    return next === undefined ? [] : [next]
  })
}

/** `-c ':!code'`, `+'!code'`, `-c 'call system("code")'`; for ex also what stands on standard input. */
function vimLaunch({ name, args, input }: LaunchCall): Launch | undefined {
  const commands = given(args, /^(-[a-zA-Z]*c|--cmd)$/, /^(?:\+|--cmd=|-c)(.+)$/s)
  const typed = input.forms?.flatMap((form) => (exactForm(form) ?? '').split('\n')) ?? []
  const codes = [...commands, ...typed].flatMap(vimCode)
  return launch(
    args.length,
    codes.slice(0, 16).map((code) => shellRun(`${name} !`, code)),
  )
}

/** Before the `!` only a range, `silent`, `read` or `w ` may stand: `q!` and `w! file` run nothing. */
const VIM_BANG = /^[:\s]*(?:sil(?:ent)?!?\s+)?(?:[%\d,.$]*|r(?:ead)?\s*|w(?:rite)?\s+)!(.+)$/s
const VIM_CALL =
  /\b(?:system|systemlist|execute|os\.execute|io\.popen|termopen|jobstart)\(\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)')/g
const VIM_TERMINAL = /^[:\s]*(?:ter(?:minal)?|te)\s+(.+)$/s

/** `r file`, `call delete("x", "rf")`: what the editor does itself, as the shell would say it. */
const VIM_READ = /^[:\s]*(?:sil(?:ent)?!?\s+)?[%\d,.$]*r(?:ead)?\s+([^!\s][^|]*)/
const VIM_FILES =
  /\b(delete|readfile|writefile)\(\s*(?:\[[^\]]*\]\s*,\s*)?(?:expand\(\s*)?(?:"((?:[^"\\]|\\.)*)"|'([^']*)')\)?(?:\s*,\s*["'](\w*)["'])?/g
const AS_SHELL: Readonly<Record<string, string>> = { delete: 'rm', readfile: 'cat', writefile: 'tee' }

function vimCode(command: string): readonly string[] {
  const bang = VIM_BANG.exec(command)?.[1] ?? VIM_TERMINAL.exec(command)?.[1]
  const calls = [...command.matchAll(VIM_CALL)].map(
    ([, double, single]) => double?.replace(/\\(.)/g, '$1') ?? single ?? '',
  )
  const read = VIM_READ.exec(command)?.[1]
  const files = [...command.matchAll(VIM_FILES)].map(
    ([, does = '', double, single, how]) =>
      `${AS_SHELL[does]}${how === 'rf' ? ' -rf' : ''} ${shellQuoted(double ?? single ?? '')}`,
  )
  return [
    ...(bang === undefined ? [] : [bang]),
    ...(read === undefined ? [] : [`cat ${read}`]),
    ...calls,
    ...files,
  ]
}

/** `less +!code file` */
function pagerLaunch({ name, args }: LaunchCall): Launch | undefined {
  return launch(
    args.length,
    given(args, /^$/, /^\+\s*!(.+)$/s).map((code) => shellRun(`${name} +!`, code)),
  )
}

/** `gdb -ex 'shell code'`, `gdb --args program` */
function debuggerLaunch({ name, args }: LaunchCall): Launch | undefined {
  const commands = given(
    args,
    /^--?(i?ex|eval-command|o|one-line|O|k)$/,
    /^--?(?:eval-command|one-line)=(.+)$/s,
  )
  const codes = commands.flatMap(
    (command) => /^\s*(?:shell|!|make|platform\s+shell|pipe)\s*(.+)$/s.exec(command)?.[1] ?? [],
  )
  const at = args.findIndex((word) => /^(--?args|--)$/.test(exactText(word) ?? ''))
  const program = at < 0 || at + 1 === args.length ? [] : [{ via: name, words: args.slice(at + 1) }]
  return launch(program.length > 0 ? at + 1 : args.length, [
    ...codes.map((code) => shellRun(`${name} shell`, code)),
    ...program,
  ])
}
