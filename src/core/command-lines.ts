import { codeLines, quoted, sqlLines } from './code-lines.ts'
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
  if (DATA_TOOLS.has(name)) return undefined
  if (name === 'Bash' && typeof input.command === 'string') {
    return input.command === '' ? undefined : { lines: [input.command] }
  }
  const words = wordsOfName(name)
  const tools = { words, isTerminal: words.some((word) => TERMINALS.has(word)) }
  const lines = [...linesUnder(input, tools, 0), ...namedActs(name, input)]
  if (lines.length === 0) return undefined
  const cwd = folderOf(input)
  const settings = environmentLines(input.env ?? input.environment)
  const all = settings === '' ? lines : lines.map((line) => `${settings}${line}`)
  return { lines: [...new Set(all)], ...(cwd === undefined ? {} : { cwd }) }
}

const TERMINALS = wordSet('terminal shell console stdin pty tty tmux screen process repl bash zsh ssh')
const TYPED_KEYS = wordSet('input text data keys chars keystrokes stdin line lines')
const COMMAND_KEY = /(?:command|cmd|commands|cmds|commandline|commandlines|argv)$/
const COMMAND_KEYS = wordSet('exec execute run bash sh shellscript bashscript shellcode')
const SCRIPT_KEYS = wordSet('script scripts')
const DEPTH_MAX = 16
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
    if (tool.isTerminal && TYPED_KEYS.has(plain)) return textsOf(value).flatMap(typedLine)
    const code = codeLines(plain, textsOf(value), input, tool)
    if (code !== undefined) return [...code, ...guessedLines(plain, textsOf(value), tool.words)]
    if (SCRIPT_KEYS.has(plain)) return textsOf(value)
    return [
      ...sqlLines(plain, textsOf(value), tool),
      ...guessedLines(plain, textsOf(value), tool.words),
      ...nested(value, tool, depth),
    ]
  })
  return [...found, ...programLines(input)]
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
  const line = isList ? texts.map(quoted).join(' ') : withArguments(texts[0] ?? '', input)
  return [powerShellLine(line, tool), ...asProgram(line, tool)]
}

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
function asProgram(line: string, { words }: ToolName): readonly string[] {
  const program = words.map((word) => PROGRAMS.get(word)).find((found) => found !== undefined)
  return program === undefined || line.trimStart().startsWith(`${program} `) ? [] : [`${program} ${line}`]
}

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
function environmentLines(value: Json | undefined): string {
  if (value === undefined || !isObject(value)) return ''
  return Object.entries(value)
    .filter(([name, text]) => /^[A-Za-z_]\w*$/.test(name) && typeof text === 'string')
    .map(([name, text]) => `export ${name}=${quoted(String(text))}\n`)
    .join('')
}
