import { wordSet } from '../../core/word-list.ts'
import type { SimpleCommand } from '../../shell/vocabulary/command.ts'
import {
  exactForm,
  exactText,
  type Form,
  patternForm,
  textPiece,
  type Word,
} from '../../shell/words/words.ts'
import type { NamedPath } from './named-outputs.ts'
import { isReader, mayChangeByCode } from './program-habits.ts'

/**
 * Paths inside longer texts: a statement for a program (`gnuplot -e "set output 'file'"`), a value with other settings in
 * it (`FFREPORT=file=x:level=32`), what a program finds on standard input. No list says which programs do what such a
 * text says, so all count, but for those that only read and for what is written for people.
 */
export function embeddedPaths(command: SimpleCommand, line: LineTexts): readonly NamedPath[] {
  const { name, assignments, args } = command
  if (name === undefined || name === '') return []
  const set = assignments.flatMap(({ name: by, value }) => inText(value, by))
  const plain = takesProse(command) ? [] : args.flatMap((word, at) => inArgument(word, at, command))
  return [...set, ...plain, ...onInput(command, line), ...inWrittenFiles(command, line)]
}

/** What the commands of a line share: each text is searched once. */
export interface LineTexts {
  readonly seen: Set<readonly Form[]>
  /** Those that wrote a file so far. */
  readonly writers: SimpleCommand[]
}

/** To be called for the commands in their order. */
export function writesFile({ redirections }: SimpleCommand): boolean {
  return redirections.some(({ operator }) => operator.startsWith('>'))
}

function inArgument(word: Word, at: number, { name, args }: SimpleCommand): readonly NamedPath[] {
  const option = (at > 0 ? exactText(args[at - 1]) : undefined) ?? ''
  const own = exactText(word)?.split('=', 1)[0] ?? ''
  const isSent = name === 'curl' && SENT_OPTION.test(option)
  return isSent || PROSE_OPTION.test(option) || PROSE_OPTION.test(own) ? [] : inText(word, 'its words')
}

/** What it reads there is what it is told to do, unless it is known to only read it. */
function onInput(command: SimpleCommand, { seen }: LineTexts): readonly NamedPath[] {
  const { inputText, args } = command
  if (inputText === undefined || inputText.length === 0 || seen.has(inputText)) return []
  const listed = args.some((word) => LISTS_INPUT.test(exactText(word) ?? ''))
  if (onlyReadsInput(command) && !(listed && READS_LISTS.has(command.name ?? ''))) return []
  seen.add(inputText)
  return inputText.flatMap((form) => pathsIn(form, 'its input', true))
}

const LISTS_INPUT =
  /^(?:-|-@|(?:-T|-f|--files-from=|--file=)?(?:-|\/dev\/stdin|\/dev\/fd\/0|\/proc\/self\/fd\/0))$/
const READS_LISTS = wordSet('sed gsed awk gawk mawk tar gtar bsdtar zip wget rsync')

/** `echo 'output=file' > c; curl -K c url`: a file that this call writes says what to do. */
function inWrittenFiles(command: SimpleCommand, { writers }: LineTexts): readonly NamedPath[] {
  if (writers.length === 0) return []
  if (onlyReadsInput(command) && !USES_FILES.has(command.name ?? '')) return []
  const names = new Set(command.args.flatMap(namesIn))
  return writers.flatMap((before) => {
    const written = before.redirections.some(
      ({ operator, target }) => operator.startsWith('>') && names.has(lastName(exactText(target) ?? '')),
    )
    if (!written) return []
    const printed = WRITES_WORDS.has(before.name ?? '') ? before.args.flatMap((word) => word.forms) : []
    return [...printed, ...(before.inputText ?? [])].flatMap((form) =>
      pathsIn(form, 'a file written here', true),
    )
  })
}

const WRITES_WORDS = wordSet('echo printf print')
const USES_FILES = wordSet('curl wget tar gtar zip')

/** The file names that a word may hold: itself, behind `=` or `@`, and its last part. */
function namesIn(word: Word): readonly string[] {
  const text = exactText(word)
  return text === undefined || text === '' ? [] : [text, ...text.split(/[=@]/).slice(1)].map(lastName)
}

function lastName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** It only reads what stands on its input, or hands it to people. */
function onlyReadsInput(command: SimpleCommand): boolean {
  const { name = '', via } = command
  if (PEOPLE.has(name) || QUIET.has(name) || isReader(command)) return true
  if (SHELLS.test(name) || via.some((how) => how.endsWith('(standard input)'))) return true
  if (CODE.test(name)) return !readsItsInput(command) || !mayChangeByCode(command)
  return false
}

/** Code that is not itself on standard input, and reads what is. */
function readsItsInput({ args }: SimpleCommand): boolean {
  return args.some(
    (word) => /^-\w*[ceEnpr]|^--(?:eval|print)/.test(word.source) || /\.\w+$/.test(word.source),
  )
}

const SHELLS = /^(?:ba|z|da|k|mk|a|fi|c|tc)?sh$/
const CODE =
  /^(?:python[\d.]*|pypy[\d.]*|py|node|nodejs|deno|bun|ruby|perl|php|lua|Rscript|osascript|pwsh|powershell)$/
/** They do nothing with it that this looks for, or are followed by others. */
const QUIET = wordSet(`
  read mapfile readarray while xargs parallel patch echo printf print true false : exit return export declare typeset
  local set unset alias eval trap exec command builtin env sudo timeout nohup time nice tee sponge pbcopy xclip xsel
  wl-copy clip prettier black shfmt gofmt rustfmt biome holdpoint mktemp mkdir sha1sum crontab ssh mosh docker podman nerdctl kubectl
  su doas wsl
`)
/** What they are told is for people or for a model: messages, descriptions, prompts. */
const PEOPLE = wordSet(`
  git gh glab hub jira linear acli slack mail mailx sendmail mutt notify-send say terminal-notifier claude codex gemini
  qwen cursor-agent agent opencode copilot aider goose amp kilo cline openclaw grok droid codebuddy kimi llm vitest jest
  mocha playwright pytest ava tap bats tmux echo printf print log logger wall write holdpoint
`)

function takesProse(command: SimpleCommand): boolean {
  const { name = '' } = command
  return PEOPLE.has(name) || CODE.test(name) || (isReader(command) && !WRITES_BY_TEXT.has(name))
}

/** Readers with texts that say where to write. */
const WRITES_BY_TEXT = wordSet('curl wget')

const PROSE_OPTION =
  /^(?:-[mtb]|--?(?:message|msg|body|title|name|test-?name-?pattern|grep|filter|desc(?:ription)?|comment|text|prompt|notes?|summary|subject|query|search|label|reason|(?:append-)?system-prompt|jq|template|(?:raw-)?field|json|data[\w-]*|header|form[\w-]*|arg|argjson|regexp?|pattern|match|select|url-query|user-agent|referer))$/i
/** What curl sends. */
const SENT_OPTION = /^-[dHFAeu]$/

/** A statement that only asks a database. */
const ASKS =
  /^\s*(?:select|with|explain|show|describe)\b(?!.*\b(?:into|attach|vacuum|copy|outfile|dumpfile|writefile|edit|lo_export|output|export)\b)/is

/** Every path that a text names, as patterns. */
export function pathsOfText(text: string): readonly Form[] {
  return pathsIn([textPiece(text)], '', true).map(({ source }) => patternForm(source))
}

function inText(word: Word, by: string): readonly NamedPath[] {
  return word.forms.flatMap((form) => pathsIn(form, by, false))
}

/** An address that is no file. */
const ADDRESS = /\b(?!file:)[a-z][a-z0-9+.-]*:\/\/[^\s'"`]*/gi
const MARKS = /[^\s'"`,;:=(){}[\]<>|&@%!\\#?^]+/g
/** A path that says where it begins, or that goes through a folder. */
const PATH = /^(?:~|\$HOME|\$\{HOME|\.{1,2}(?=\/)|\/)|^[\w.-]+\//
const PATHS_MAX = 1_024

function pathsIn(form: Form, by: string, whole: boolean): readonly NamedPath[] {
  const text = form.map((piece) => (piece.kind === 'unknown' ? '\n' : piece.text)).join('')
  if (!text.includes('/') || ASKS.test(text)) return []
  const bare = exactForm(form)
  const found = new Set<string>()
  // `$HOME` and `${HOME}` for whoever reads the text as code.
  for (const [marked] of text
    .replace(/\$\{HOME\}|\$HOME\b/g, '~')
    .replace(ADDRESS, ' ')
    .matchAll(MARKS)) {
    const token = marked.replace(/^[-+]+/, '')
    if ((whole || token !== bare) && token.includes('/') && PATH.test(token)) found.add(token)
    if (found.size >= PATHS_MAX) break
  }
  return [...found].map((path) => ({ form: [textPiece(path)], source: path, by }))
}
