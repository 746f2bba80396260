import { wordSet } from '../../../core/word-list.ts'
import type { Form } from '../../words/words.ts'

/**
 * Programs that people name in git's settings: pagers, editors, diff tools, ssh. Anything else there is code somebody
 * wants git to run. What follows a known program (`ssh -i $KEY`) may be unknown.
 */
export function isOrdinaryProgram(form: Form, kind: 'helper' | 'program' | 'connection'): boolean {
  const text = form
    .map((piece) => (piece.kind === 'unknown' ? UNKNOWN : piece.text))
    .join('')
    .trim()
  if (/^(|true|false|yes|no|on|off|0|1)$/i.test(text)) return true
  if (/^\$?\{?(EDITOR|VISUAL|PAGER|SHELL_EDITOR)\}?$/.test(form.map((piece) => piece.text).join('')))
    return true
  if (text.startsWith('!')) return kind === 'helper' && isTokenProgram(text.slice(1))
  const outside = text.replace(/'[^']*'/g, "''")
  if (/[;&`<>\n]|\$[({]/.test(outside)) return false
  if (kind === 'helper' && /^[\w-]+(\s|$)/.test(text)) return true
  if (
    kind === 'connection' &&
    !/^["']?\S*(?:ssh|plink|sshpass|tsh|git-proxy)(?:\.exe)?["']?(?:\s|$)/i.test(text)
  )
    return false
  return outside.split('|').every((stage) => isKnown(stage.trim()))
}

/** Stands for what is unknown: no name of a program. */
const UNKNOWN = '\u{FFFD}'

const KNOWN = wordSet(`
  cat less more most bat batcat delta diff-so-fancy ydiff riff moar head tail wc sort vim nvim vi nano emacs
  emacsclient code code-insiders cursor subl zed hx helix micro kate gedit notepad atom idea pycharm webstorm
  windsurf mate ed true false : echo touch cp sed ssh sshpass plink git tig git-lfs gpg gpg2 ssh-keygen
  smimesign gitsign op-ssh-sign difft difftastic meld kdiff3 vimdiff nvimdiff opendiff p4merge bcomp icdiff
  diff xxd hexdump exiftool pdftotext jq nbstripout nbdime git-nbdiffdriver git-nbmergedriver git-crypt sops
  git-upload-pack git-receive-pack mergiraf strings file bun pandoc docx2txt unzip zcat plutil openssl
  ansible-vault
`)

function isKnown(command: string): boolean {
  const [program = ''] = command.replace(/["']/g, '').split(/\s/)
  if (!isUsualPlace(program)) return false
  const name = program.slice(program.lastIndexOf('/') + 1).replace(/\.exe$/, '')
  if (name === 'ssh' && /(proxy|local|knownhosts)command/i.test(command)) return false
  return KNOWN.has(name) || name.startsWith('git-credential-')
}

function isUsualPlace(program: string): boolean {
  return !program.includes('/') || /^\/(usr|bin|opt|snap|nix|Applications|Library)\/(?!.*\.\.)/.test(program)
}

/** `!gh auth git-credential`: programs that hand out a token for git. */
function isTokenProgram(command: string): boolean {
  if (/[;&|`<>\n]|\$\(/.test(command)) return false
  const [program = ''] = command.trim().replace(/["']/g, '').split(/\s/)
  return isUsualPlace(program) && /(?:^|\/)(gh|glab|aws|gcloud|az|git|op|doctl)$/.test(program)
}
