import { wordSet } from '../../core/word-list.ts'
import { codeRun, type StartedCommand } from '../vocabulary/launch.ts'
import { exactText, exactWord, type Form, textPiece, type Word } from '../words/words.ts'

/** Variables whose value a program runs. */
const COMMANDS = wordSet(`
  GIT_SSH_COMMAND GIT_SSH GIT_PAGER GIT_EDITOR GIT_SEQUENCE_EDITOR GIT_ASKPASS GIT_EXTERNAL_DIFF
  GIT_PROXY_COMMAND PAGER MANPAGER SYSTEMD_PAGER PSQL_PAGER BAT_PAGER DELTA_PAGER EDITOR VISUAL FCEDIT
  SVN_EDITOR SVN_SSH KUBE_EDITOR RSYNC_RSH CVS_RSH TAR_RSH BROWSER SSH_ASKPASS SUDO_ASKPASS LESSOPEN LESSCLOSE
  PROMPT_COMMAND FZF_DEFAULT_COMMAND CC CXX
`)
/** Variables of build tools, with a part in the middle: CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER. */
const LAUNCHES = /^(?:CARGO_TARGET_\w+_(?:RUNNER|LINKER)|RUSTC_(?:WORKSPACE_)?WRAPPER|CMAKE_\w+_LAUNCHER)$/
/** Options that a program reads from its environment. */
const OPTIONS: ReadonlyMap<string, string> = new Map([
  ['TAR_OPTIONS', 'tar'],
  ['MAKEFLAGS', 'make'],
  ['GNUMAKEFLAGS', 'make'],
  ['LESS', 'less'],
])
/** What an editor does first. */
const EDITOR_SETUP = wordSet('VIMINIT EXINIT')
/** Expanded, substitutions and all, when a prompt or a trace line is shown. */
const PROMPTS = /^PS[0-4]$/
/** zsh: texts that it puts into command lines. */
const ZSH_ALIASES = wordSet('functions aliases galiases saliases')
/** A file that a shell reads before it starts. */
const SETUP_FILES = wordSet('BASH_ENV ENV')
const HOW = { shell: 'child', setting: true } as const

/** What a variable's value runs once a program looks at it; undefined for most. */
export function settingRun(name: string, value: Word): StartedCommand | undefined {
  if (COMMANDS.has(name) || LAUNCHES.test(name)) return codeRun(name, value.forms.map(withoutPipe), HOW)
  const text = exactText(value)
  if (text === undefined || text === '') return undefined
  const program = OPTIONS.get(name)
  if (program !== undefined) return { via: name, words: [program, ...optionWords(text)].map(exactWord) }
  if (EDITOR_SETUP.has(name)) return { via: name, words: ['vim', '-c', text].map(exactWord) }
  // A function for every bash that is started.
  if (/^BASH_FUNC_.+%%$/.test(name)) return code(name, `f ${text}\nf`)
  if (ZSH_ALIASES.has(name)) return code(name, text.replace(/^[\s;&|]+/, ''))
  if (PROMPTS.test(name)) return /\$\(|`/.test(text) ? code(name, `: <<PROMPT\n${text}\nPROMPT\n`) : undefined
  if (!SETUP_FILES.has(name)) return undefined
  // The name of the file is expanded too: BASH_ENV='$(code)'.
  return code(name, `. ${/[$`]/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`}`)
}

function code(via: string, text: string): StartedCommand {
  return codeRun(via, [[textPiece(text)]], HOW)
}

/** less is told by a leading `|` that what follows is a command. */
function withoutPipe(form: Form): Form {
  const [first, ...rest] = form
  return first?.kind === 'text' ? [textPiece(first.text.replace(/^\s*\|+-?/, '')), ...rest] : form
}

/** Blanks separate, unless there is a backslash before them or brackets around them. */
function optionWords(text: string): readonly string[] {
  const words = text.match(/(?:\\.|\([^)]*\)|[^\s\\(])+/g) ?? []
  return words.map((word) => word.replace(/\\(.)/g, '$1'))
}
