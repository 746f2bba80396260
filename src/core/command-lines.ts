import { codeLines, interpreterOf, quoted, sqlLines } from './code-lines.ts'
import type { ToolCall } from './event.ts'
import { argumentsOf, guessedLines, isProgram, programLines } from './guessed-lines.ts'
import { isObject, type Json, type JsonObject } from './json.ts'
import { namedActs } from './named-acts.ts'
import { plainKey, type ToolName, wordsOfName } from './tool-words.ts'
import { wordSet } from './word-list.ts'

/** What a tool is given to run, written as command lines of a shell. */
export interface CommandLines {
  /** Each is read on its own: quotes that are open in one do not reach into the next. */
  readonly lines: readonly string[]
  /** The folder in which they run, if the call names one. */
  readonly cwd?: string
  /** Why a part of the input was not read. */
  readonly unread?: string
}

/**
 * The commands that the call would run; undefined if it runs nothing. It is impossible to know all tools that run commands,
 * so the name does not decide: a tool that is not known to be harmless runs the values of keys for commands, code or SQL,
 * and a value of any other key that starts with a known program. Keys for prose (`prompt`, `description`) are never read,
 * and keys for text (`content`, `message`) only if the tool's name says that it runs something.
 */
export function commandLinesOf(tool: ToolCall): CommandLines | undefined {
  const known = read.get(tool)
  if (known !== undefined) return known.found
  const found = readCall(tool)
  read.set(tool, { found })
  return found
}

/** The engine reads a call once to find the hooks, and guards read it again. */
const read = new WeakMap<ToolCall, { readonly found: CommandLines | undefined }>()

/** Tools of Claude Code and Codex whose inputs are data, even if a key is called `command`. */
const DATA_TOOLS = wordSet(`
  Read NotebookRead Write Edit MultiEdit NotebookEdit Grep Glob LS apply_patch Agent Task Skill SlashCommand WebFetch
  WebSearch TodoRead TodoWrite BashOutput KillShell TaskStop TaskOutput TaskCreate TaskUpdate TaskGet TaskList
  AskUserQuestion EnterPlanMode ExitPlanMode ToolSearch SendMessage ListMcpResourcesTool ReadMcpResourceTool
`)

function readCall(tool: ToolCall): CommandLines | undefined {
  const { name, input } = tool
  const asked = machineLines(input)
  if (asked.length > 0) return { lines: asked }
  if (DATA_TOOLS.has(name)) return undefined
  if (name === 'Bash' && typeof input.command === 'string') {
    return input.command === '' ? undefined : { lines: [input.command] }
  }
  const words = wordsOfName(name)
  const tools = { words, isTerminal: words.some((word) => TERMINALS.has(word)) }
  const found = [...linesUnder(input, tools, 0), ...namedActs(name, input), ...argumentLines(input, tools)]
  const unread = nestsDeeper(input, DEPTH_MAX)
    ? { unread: `its input nests more than ${DEPTH_MAX} deep` }
    : {}
  if (found.length === 0) return unread.unread === undefined ? undefined : { lines: [], ...unread }
  const cwd = folderOf(input)
  const settings = environmentLines(input)
  const all = settings === '' ? found : found.map((line) => `${settings}${line}`)
  return { lines: [...new Set(all)], ...(cwd === undefined ? {} : { cwd }), ...unread }
}

/** A page that only a machine in a cloud has, with its keys: asked for like any other page. */
function machineLines(input: JsonObject): readonly string[] {
  return Object.values(input)
    .filter((value) => typeof value === 'string')
    .filter((text) => OF_THE_MACHINE.test(text))
    .map((text) => `curl ${quoted(text)}`)
}

const OF_THE_MACHINE = /^\s*https?:\/\/(?:169\.254\.(?:169\.254|170\.2)|metadata\.goog|100\.100\.100\.200)/i

const TERMINALS = wordSet('terminal shell console stdin pty tty tmux screen process repl bash zsh ssh')
const TYPED_KEYS = wordSet('input text data keys chars keystrokes stdin line lines')
const COMMAND_KEY = /(?:command|cmd|commands|cmds|commandline|commandlines|argv)$/
const COMMAND_KEYS = wordSet('exec execute run bash sh shellscript bashscript shellcode')
const SCRIPT_KEYS = wordSet('script scripts')
const DEPTH_MAX = 64
const JSON_MAX = 256 * 1024
const BASE64_KEY = /(?:base64|b64)$/

function linesUnder(input: JsonObject, tool: ToolName, depth: number): readonly string[] {
  if (depth > DEPTH_MAX) return []
  const found = Object.entries(input).flatMap(([written, value]): readonly string[] => {
    const plain = plainKey(written).replace(BASE64_KEY, '')
    if (plain !== plainKey(written)) return linesUnder({ [plain]: decoded(value) }, tool, depth + 1)
    if (COMMAND_KEY.test(plain) || COMMAND_KEYS.has(plain)) {
      return [...commandsFrom(value, plain, input, tool), ...nested(value, tool, depth)]
    }
    return [...textLines(plain, textsOf(value), input, tool), ...nested(value, tool, depth)]
  })
  return [...found, ...programLines(input)]
}

/** The texts of a key that is not for commands. */
function textLines(
  key: string,
  texts: readonly string[],
  input: JsonObject,
  tool: ToolName,
): readonly string[] {
  if (tool.isTerminal && TYPED_KEYS.has(key)) return texts.flatMap(typedLine)
  const code = codeLines(key, texts, input, tool)
  if (code !== undefined) {
    // Code in a language that is known is no command line, whatever it begins with.
    return interpreterOf(key, input, tool.words) === undefined
      ? [...code, ...guessedLines(key, texts, tool.words)]
      : code
  }
  if (SCRIPT_KEYS.has(key)) return texts
  return [...sqlLines(key, texts, tool), ...guessedLines(key, texts, tool.words)]
}

/** Without recursion: the input may nest as deep as its sender likes. */
function nestsDeeper(input: Json, depth: number): boolean {
  let level: readonly Json[] = [input]
  for (let at = 0; at <= depth; at += 1) {
    level = level.flatMap((value) =>
      Array.isArray(value) ? (value as readonly Json[]) : isObject(value) ? Object.values(value) : [],
    )
    level = level.filter((value) => typeof value === 'object' && value !== null)
    if (level.length === 0) return false
  }
  return true
}

function nested(value: Json, tool: ToolName, depth: number): readonly string[] {
  if (depth > DEPTH_MAX) return []
  if (typeof value === 'string') return nestedJson(value, tool, depth)
  if (isObject(value)) return linesUnder(value, tool, depth + 1)
  return Array.isArray(value) ? value.flatMap((item) => nested(item, tool, depth + 1)) : []
}

/** Arguments of another tool are often passed as the text of their JSON. */
function nestedJson(text: string, tool: ToolName, depth: number): readonly string[] {
  if (text.length > JSON_MAX || !/^\s*[[{]/.test(text) || depth >= DEPTH_MAX) return []
  try {
    const value: Json = JSON.parse(text)
    return nested(value, tool, depth + 1)
  } catch {
    return []
  }
}

/** The text behind base64. */
function decoded(value: Json): Json {
  return textsOf(value).map((text) => Buffer.from(text, 'base64').toString('utf8'))[0] ?? null
}

/** Under a plural key, a list has one command for each item. Under any other key, it is the words of one command. */
function commandsFrom(value: Json, key: string, input: JsonObject, tool: ToolName): readonly string[] {
  const isList = Array.isArray(value)
  const lists = isList ? value.filter(Array.isArray) : []
  // Each list in a list is one command.
  if (lists.length > 0) return lists.flatMap((list) => commandsFrom(list, '', {}, tool))
  const texts = textsOf(value)
  if (texts.length === 0) return []
  if (isList && /s$/.test(key)) return texts
  const line = isList
    ? `${texts.map(quoted).join(' ')}${argumentsOf(input, false)}`
    : withArguments(texts[0] ?? '', input)
  return [powerShellLine(line, tool), ...asProgram(line, tool), ...withInput(line, input)]
}

/** What the command reads may be what it runs: `{ command: 'python3', stdin: 'import os' }`. */
function withInput(line: string, input: JsonObject): readonly string[] {
  const given = Object.entries(input).filter(([key]) => INPUT_KEYS.has(plainKey(key)))
  return given.flatMap(([, value]) => textsOf(value)).map((text) => `printf %s ${quoted(text)} | ${line}`)
}

const INPUT_KEYS = wordSet('stdin input standardinput stdininput')

/** `{ command: 'git', args: ['push', '--force'] }`. */
function withArguments(command: string, input: JsonObject): string {
  return `${command}${argumentsOf(input, isProgram(command))}`
}

const POWERSHELLS = wordSet('powershell pwsh')

function powerShellLine(line: string, { words }: ToolName): string {
  return words.some((word) => POWERSHELLS.has(word)) || words.join('') === 'powershell'
    ? `pwsh -Command ${quoted(line)}`
    : line
}

/**
 * A tool named after a program may leave the program's name out of the command: `kubectl { command: 'delete
 * ns prod' }`.
 */
function asProgram(line: string, tool: ToolName): readonly string[] {
  const program = programOf(tool)
  return program === undefined || line.trimStart().startsWith(`${program} `) ? [] : [`${program} ${line}`]
}

function programOf({ words }: ToolName): string | undefined {
  return words.map((word) => PROGRAMS.get(word)).find((found) => found !== undefined)
}

/** The same without a command: `kubectl { args: 'delete ns prod' }`, `aws__s3 { subcommand: 'rb', args: [] }`. */
function argumentLines(input: JsonObject, tool: ToolName): readonly string[] {
  const program = programOf(tool)
  const args = argumentsOf(input, false)
  if (program === undefined || args === '') return []
  const verbs = Object.entries(input).flatMap(([key, value]) =>
    VERB_KEYS.has(plainKey(key)) ? textsOf(value) : [],
  )
  const line = `${verbs.map((verb) => ` ${verb}`).join('')}${args}`
  const named = tool.words.slice(tool.words.findIndex((word) => PROGRAMS.has(word)) + 1)
  const rest = named.filter((word) => !PROGRAMS.has(word) && !FILLERS.has(word))
  return [`${program}${line}`, ...(rest.length === 0 ? [] : [`${program} ${rest.join(' ')}${line}`])]
}

const VERB_KEYS = wordSet('subcommand action operation verb')
const FILLERS = wordSet('run execute exec command cmd cli tool call raw')

const PROGRAMS: ReadonlyMap<string, string> = new Map([
  ...[
    ...wordSet(`
      kubectl docker podman git helm terraform tofu aws gcloud az gh glab npm yarn pnpm pip cargo systemctl brew apt
      psql mysql sqlite3 mongosh vault consul nomad ansible heroku flyctl vercel netlify wrangler firebase doctl
    `),
  ].map((name): [string, string] => [name, name]),
  ['redis', 'redis-cli'],
  ['kubernetes', 'kubectl'],
  ['k8s', 'kubectl'],
  ['tf', 'terraform'],
])

/** Return ends a line. Single keys (arrows, Ctrl+C) run nothing. */
function typedLine(text: string): readonly string[] {
  if (/^(?:[\u0000-\u001f\u007f]|\u001b\[[0-9;]*[A-Za-z~])*$/.test(text)) return []
  return [text.replace(/\r\n?/g, '\n')]
}

function textsOf(value: Json): readonly string[] {
  if (typeof value === 'string') return value === '' ? [] : [value]
  return Array.isArray(value) ? value.filter((item) => typeof item !== 'object').map(String) : []
}

const FOLDER_KEYS = wordSet('cwd workdir workingdir workingdirectory')

function folderOf(input: JsonObject): string | undefined {
  for (const [key, value] of Object.entries(input)) {
    if (FOLDER_KEYS.has(plainKey(key)) && typeof value === 'string' && value !== '') return value
  }
  return undefined
}

/** Variables that the call sets are set before its command is read. */
function environmentLines(input: JsonObject): string {
  return Object.entries(input)
    .flatMap(([key, value]) => (ENVIRONMENT_KEYS.has(plainKey(key)) ? variablesIn(value) : []))
    .filter(([name]) => /^[A-Za-z_]\w*$/.test(name))
    .map(([name, text]) => `export ${name}=${quoted(text)}\n`)
    .join('')
}

const ENVIRONMENT_KEYS = wordSet('env envs environment envvars environmentvariables')

/** `{ A: 'x' }`, `['A=x']`, `[{ name: 'A', value: 'x' }]`. */
function variablesIn(value: Json): readonly (readonly [string, string])[] {
  if (isObject(value)) {
    return Object.entries(value).flatMap(([name, text]) => (typeof text === 'string' ? [[name, text]] : []))
  }
  return (Array.isArray(value) ? value : []).flatMap((each: Json): readonly (readonly [string, string])[] => {
    if (typeof each === 'string')
      return each.includes('=') ? [[each.split('=')[0] ?? '', each.slice(each.indexOf('=') + 1)]] : []
    if (!isObject(each)) return []
    const name = each.name ?? each.key
    return typeof name === 'string' && typeof each.value === 'string' ? [[name, each.value]] : []
  })
}
