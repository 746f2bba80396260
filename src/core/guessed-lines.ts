import { quoted } from './code-lines.ts'
import { isObject, type Json, type JsonObject } from './json.ts'
import { plainKey } from './tool-words.ts'
import { wordSet } from './word-list.ts'

/** Programs that change, send, read or start something. A text that starts with one of them may be a command line. */
const PROGRAMS = wordSet(`
  rm rmdir unlink shred dd truncate mkfs wipefs cp mv ln tee install cat head tail base64 xxd git curl wget ssh scp sftp
  rsync nc ncat socat bash sh zsh dash ksh fish sudo doas su env eval exec source nohup timeout xargs find chmod chown
  kill pkill killall tar zip unzip docker podman kubectl helm terraform tofu pulumi aws gcloud az gh glab psql mysql
  sqlite3 mongosh redis-cli dropdb python python3 node deno bun perl ruby php powershell pwsh cmd crontab systemctl
  shutdown reboot npx npm make printenv gpg ssh-keygen openssl iptables useradd userdel passwd cd export echo printf
`)

/** Text for users. It is never a command, whatever it starts with. */
const PROSE_KEYS = wordSet(`
  description prompt title reason explanation summary subject note notes comment comments label name caption topic
  question answer goal thought thoughts plan task details
`)
/** Text that only a tool that runs or types commands may run. */
const TEXT_KEYS = wordSet(`
  text message body content contents data value query q search pattern keyword keywords oldstring newstring oldstr
  newstr newsource oldtext newtext filetext filecontent filecontents inserttext replacement template html markdown diff
  patch snippet entry entries observations
`)

/** Names of tools that run or type what they are given. */
const RUNNING_NAMES = wordSet(`
  command commands cmd run exec execute spawn terminal shell console pty tty tmux screen bash zsh ssh keys keystrokes
  keyboard type typewrite paste
`)

const GUESSED_MAX = 64 * 1024

/** The values of a key that names no command, if they can be read as one. */
export function guessedLines(
  key: string,
  texts: readonly string[],
  words: readonly string[],
): readonly string[] {
  if (PROSE_KEYS.has(key)) return []
  if (TEXT_KEYS.has(key) && !words.some((word) => RUNNING_NAMES.has(word))) return []
  // Keys that are pressed one after the other.
  const isTyped = texts.length > 1 && texts.every((text) => text.length === 1)
  const read = isTyped ? [texts.join('')] : isWords(texts) ? [texts.map(quoted).join(' ')] : texts
  return read.map((text) => text.replace(/\r\n?/g, '\n')).filter(isCommandLike)
}

/** The words of one command, as a list: `['rm', '-rf', 'a']`. */
function isWords([program = '', ...others]: readonly string[]): boolean {
  return isProgram(program) && others.some((word) => /^[-/~.$*]/.test(word))
}

/** A command, or several: `ls && rm -rf a`, `(rm -rf a)`, `nice rm -rf a`. */
function isCommandLike(text: string): boolean {
  if (text.length > GUESSED_MAX) return false
  if (isOneCommand(text)) return true
  const parts = text.split(/&&|\|\|?|[;\n(){}`]/).map((part) => part.trim())
  return parts.length > 1
    ? parts.some((part) => isOneCommand(part) && /\s-{1,2}\w|\s[~/.$]/.test(part))
    : WRAPPED.test(text) && isOneCommand(text.trim().replace(WRAPPED, ''))
}

/** Programs that start another one. They are words of prose too, so what follows decides. */
const WRAPPED = /^(?:nice|command|builtin|time|watch|setsid|stdbuf|ionice|then|do|!)\s+(?:-\S+\s+)*/

/** A known program and something it is used with. Prose about a program is not a command. */
function isOneCommand(text: string): boolean {
  const words = text
    .trim()
    .replace(/^['"]([\w./-]+)['"]/, '$1')
    .split(/\s+/, 12)
  const first = words.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word))
  const program = words[first]
  if (program === undefined || words.length < first + 2 || !isProgram(program)) return false
  const hasOperand = words.slice(first + 1).some((word) => /^[-/~.$*"'|>&]/.test(word))
  return hasOperand || !/[a-z]'(?:t|s|re|ll|ve|d|m)\b/i.test(text)
}

/** `rm`, `/bin/rm`, `rm.exe`. */
export function isProgram(text: string): boolean {
  const name = text.replace(/^.*[/\\]/, '').replace(/\.exe$/i, '')
  return PROGRAMS.has(name.toLowerCase()) || /^(?:mkfs|python)[.\d]/.test(name)
}

const PROGRAM_KEYS = wordSet(
  'program executable exe bin binary application app prog file path name entrypoint',
)
const ARGUMENT_KEYS = wordSet('args arguments argv params parameters flags options opts switches')
const OPERAND_KEYS = wordSet(
  'path paths target targets file files operand operands dir directory folder source destination src dest from to',
)

/** A program and its arguments under separate keys: `{ executable: 'git', arguments: ['push', '--force'] }`. */
export function programLines(input: JsonObject): readonly string[] {
  const entries = Object.entries(input).map(([key, value]) => [plainKey(key), value] as const)
  if (!entries.some(([key]) => ARGUMENT_KEYS.has(key))) return []
  return entries.flatMap(([key, value]) => {
    if (!PROGRAM_KEYS.has(key) || typeof value !== 'string' || !isProgram(value)) return []
    return [`${quoted(value)}${argumentsOf(input, false)}`]
  })
}

/** The arguments of an input, each after a space: first the options, then the paths that have their own keys. */
export function argumentsOf(input: JsonObject, withOperands: boolean): string {
  const entries = Object.entries(input).map(([key, value]) => [plainKey(key), value] as const)
  const args = entries.flatMap(([key, value]) => (ARGUMENT_KEYS.has(key) ? argumentTexts(value) : []))
  const operands = withOperands
    ? entries.flatMap(([key, value]) => (OPERAND_KEYS.has(key) ? textsIn(value).map(quoted) : []))
    : []
  return [...args, ...operands].map((word) => ` ${word}`).join('')
}

/** A text is used unchanged, because it may contain several arguments. */
function argumentTexts(value: Json): readonly string[] {
  if (typeof value === 'string') return value === '' ? [] : [value]
  if (!isObject(value)) return textsIn(value).map(quoted)
  return Object.entries(value).flatMap(([name, each]): readonly string[] => {
    if (/^\d+$/.test(name)) return textsIn(each).map(quoted)
    return optionTexts(name, each)
  })
}

/** `{ force: true }` is `--force`. */
export function optionTexts(name: string, value: Json): readonly string[] {
  const option = `--${name
    .replace(/^-+/, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase()}`
  if (value === true || value === 'true') return [quoted(option)]
  return textsIn(value).map((text) => quoted(`${option}=${text}`))
}

/** The texts and numbers of a value. */
export function textsIn(value: Json): readonly string[] {
  if (typeof value === 'string') return value === '' ? [] : [value]
  if (typeof value === 'number') return [String(value)]
  return Array.isArray(value) ? value.filter((item) => typeof item !== 'object').map(String) : []
}
