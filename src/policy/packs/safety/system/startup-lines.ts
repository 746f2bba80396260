import { wordSet } from '../../../../core/word-list.ts'
import type { SimpleCommand } from '../../../../shell/vocabulary/command.ts'
import { exactForm, type Form } from '../../../../shell/words/words.ts'

/**
 * Lines that installation guides often add to a shell startup file: a variable, a program folder, an alias, the hook
 * of a version manager. A line that is added at the end removes nothing, and it is easy to review.
 */
export function appendsPlainLines(command: SimpleCommand): boolean {
  const texts = appended(command)
  if (texts === undefined || texts.length === 0) return false
  return texts.every((text) => {
    const lines = text.split(/\\n|\n/).map((line) => line.trim())
    return lines.every(isPlain) && lines.some((line) => line !== '')
  })
}

/**
 * The text that `echo … >>`, `printf … | tee -a` and `cat >> … <<EOF` add. Undefined if it is unknown or not added.
 */
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

/** A variable stays as written; the output of a command is unknown. */
function written(form: Form): string | undefined {
  const odd = form.some((piece) => piece.kind === 'unknown' && !/^\$\{?\w+\}?$/.test(piece.text))
  return odd ? undefined : form.map((piece) => piece.text).join('')
}

const PLAIN: readonly RegExp[] = [
  /^(#.*)?$/,
  // Variables, except those that run code.
  /^(export\s+)?(?!(LD_|DYLD_|BASH_ENV|ENV=|PROMPT_COMMAND|PYTHONSTARTUP|NODE_OPTIONS|PERL5OPT|RUBYOPT|GIT_))[A-Z_]\w*=[^;&|`<>()]*$/,
  /^(autoload|setopt|unsetopt|bindkey|shopt -s|set -o|fpath\+?=)\s*[\w\s./=(){}$~"'+-]*$/,
  /^eval "?\$\((\S*\/)?(brew|pyenv|rbenv|nodenv|goenv|jenv|fnm|mise|asdf|direnv|starship|zoxide|atuin|thefuck|conda|mamba|opam|ssh-agent|dircolors|fzf|rtx|register-python-argcomplete)\b[\w\s./=-]*\)"?$/,
  /^(source|\.)\s+(<\((kubectl|helm|npm|gh|docker|fzf|minikube|kind|k3d|flux|argocd|terraform|oc|uv|rustup|deno|pnpm)\s[\w\s-]*\)|["']?(\$HOME|\$\{HOME\}|~|\$\w+_(DIR|HOME|ROOT))\/\.?[\w./-]+["']?)$/,
  /^\[{1,2} -[fsdr] ["']?[\w$~/.{}-]+["']? \]{1,2} && (\\?\.|source) ["']?[\w$~/.{}-]+["']?(\s*#.*)?$/,
]
/** A new alias, but not a new meaning for a program that others rely on. */
const ALIAS = /^alias\s+([\w.-]+)=(["']?)([^;&|`<>$()]*)\2$/
const TRUSTED = wordSet(`
  sudo su doas ssh git cd rm cp mv ls cat bash sh passwd gpg login which command env kill ps docker podman kubectl helm
  terraform aws gcloud az npm npx yarn pnpm node python python3 pip pip3 ruby gem go cargo java mvn gradle make cmake gcc
  cc clang vim vi nano emacs code less more head tail grep egrep find xargs sed awk tar zip unzip curl wget scp rsync sftp
  chmod chown ln mkdir rmdir touch echo printf test man top mount ping dig ip apt apt-get dnf yum pacman brew systemctl
  service journalctl crontab screen tmux exit history type source export pwd diff sort tee date whoami id psql mysql
  openssl ssh-keygen ssh-add gh claude codex gemini holdpoint zsh fish true false read set unset eval exec
`)
/** Programs that people put in the place of others. */
const REPLACEMENTS = wordSet(`
  vim nvim vi hx micro python3 pip3 eza exa lsd bat batcat rg ag fd fdfind htop btop gtar gsed gawk ggrep gmake podman
  nerdctl tofu zoxide z trash trash-put rip colordiff delta hub pnpm bun uv doas sudo-rs dust duf procs code-insiders
`)
/** Options by which a program no longer checks whom it talks to, or asks somebody else. */
const WEAKENED =
  /:\/\/|(?:^|\s)(?:-k|--insecure|--no-check-certificate|--registry|--index-url|--proxy|--no-verify|--config|-c)\b/

function isPlain(line: string): boolean {
  if (/\/(tmp|dev\/shm)\b/.test(line)) return false
  const alias = ALIAS.exec(line)
  if (alias !== null) {
    const [, name = '', , value = ''] = alias
    const [program = ''] = value.replace(/^["']/, '').split(/\s/)
    if (!TRUSTED.has(name)) return true
    return (program === name || REPLACEMENTS.has(program)) && !WEAKENED.test(value)
  }
  return PLAIN.some((pattern) => pattern.test(line))
}
