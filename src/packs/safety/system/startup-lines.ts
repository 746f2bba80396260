import type { SimpleCommand } from '../../../shell/command.ts'
import { exactForm, type Form } from '../../../shell/words.ts'

/**
 * Lines that every set-up guide adds to a shell's start file: a variable, a folder of programs, a short name, the hook
 * of a version manager. Added at the end they take nothing away, and a person reads them at a glance.
 */
export function appendsPlainLines(command: SimpleCommand): boolean {
  const texts = appended(command)
  if (texts === undefined || texts.length === 0) return false
  return texts.every((text) => {
    const lines = text.split(/\\n|\n/).map((line) => line.trim())
    return lines.every(isPlain) && lines.some((line) => line !== '')
  })
}

/** What `echo … >>`, `printf … | tee -a` and `cat >> … <<EOF` add; undefined when that is not known or not added. */
function appended({ name, args, redirections, inputText }: SimpleCommand): readonly string[] | undefined {
  const adds = redirections.some(({ operator }) => operator === '>>')
  const replaces = redirections.some(({ operator }) => /^&?>\|?$/.test(operator))
  if (replaces) return undefined
  if (name === 'tee')
    return args.some((word) => /^(-a|--append)$/.test(word.source)) ? known(inputText) : undefined
  if (!adds) return undefined
  if (name === 'cat') return known(inputText)
  if (name !== 'echo' && name !== 'printf') return undefined
  const words = args.filter((word) => !/^-[neE]+$/.test(word.source))
  const line = words.map((word) => written(word.forms[0] ?? []))
  return line.includes(undefined) ? undefined : [line.join(' ')]
}

function known(forms: readonly Form[] | undefined): readonly string[] | undefined {
  const texts = forms?.map(exactForm)
  return texts === undefined || texts.includes(undefined) ? undefined : texts.flatMap((text) => text ?? [])
}

/** A variable stays as it is written; what a command prints is not known. */
function written(form: Form): string | undefined {
  const odd = form.some((piece) => piece.kind === 'unknown' && !/^\$\{?\w+\}?$/.test(piece.text))
  return odd ? undefined : form.map((piece) => piece.text).join('')
}

const PLAIN: readonly RegExp[] = [
  /^(#.*)?$/,
  // Variables, unless they are ones that run code.
  /^(export\s+)?(?!(LD_|DYLD_|BASH_ENV|ENV=|PROMPT_COMMAND|PYTHONSTARTUP|NODE_OPTIONS|PERL5OPT|RUBYOPT|GIT_))[A-Z_]\w*=[^;&|`<>()]*$/,
  /^(autoload|setopt|unsetopt|bindkey|shopt -s|set -o|fpath\+?=)\s*[\w\s./=(){}$~"'+-]*$/,
  /^eval "?\$\((\S*\/)?(brew|pyenv|rbenv|nodenv|goenv|jenv|fnm|mise|asdf|direnv|starship|zoxide|atuin|thefuck|conda|mamba|opam|ssh-agent|dircolors|fzf|rtx|register-python-argcomplete)\b[\w\s./=-]*\)"?$/,
  /^(source|\.)\s+(<\((kubectl|helm|npm|gh|docker|fzf|minikube|kind|k3d|flux|argocd|terraform|oc|uv|rustup|deno|pnpm)\s[\w\s-]*\)|["']?(\$HOME|\$\{HOME\}|~|\$\w+_(DIR|HOME|ROOT))\/\.?[\w./-]+["']?)$/,
  /^\[{1,2} -[fsdr] ["']?[\w$~/.{}-]+["']? \]{1,2} && (\\?\.|source) ["']?[\w$~/.{}-]+["']?(\s*#.*)?$/,
]
/** A short name of one's own; not a new meaning of a program that others rely on. */
const ALIAS = /^alias\s+([\w.-]+)=(["']?)([^;&|`<>$()]*)\2$/
const TRUSTED =
  /^(sudo|su|doas|ssh|git|cd|rm|cp|mv|ls|cat|bash|sh|passwd|gpg|login|which|command|env|kill|ps)$/

function isPlain(line: string): boolean {
  if (/\/(tmp|dev\/shm)\b/.test(line)) return false
  const alias = ALIAS.exec(line)
  if (alias !== null) {
    const [, name = '', , value = ''] = alias
    return !TRUSTED.test(name) || value.replace(/^["']/, '').split(/\s/)[0] === name
  }
  return PLAIN.some((pattern) => pattern.test(line))
}
