import { isObject, type Json } from '../../core/json.ts'
import { importsOfText } from './instruction-imports.ts'

/**
 * Files of an agent that are text for a model and yet run commands, without a call of a tool: skills, slash commands,
 * agents, the list of servers, scripts that hooks start. What they would run is judged like a call of the shell. Every
 * other Markdown file may be imported by one that the agent program reads, and may import others.
 */
export type InstructionKind = 'markdown' | 'braces' | 'servers' | 'script' | 'code' | 'imports'

/** What kind of such a file lies at this path; undefined: none. `config` is the agent's own folder, where it is known. */
export function instructionKind(path: string, config?: string): InstructionKind | undefined {
  const lower = path.toLowerCase()
  const isOwn = config !== undefined && lower.startsWith(`${config.toLowerCase()}/`)
  const inside = isOwn ? `/.claude/${lower.slice(config.length + 1)}` : lower
  if (SERVERS.test(inside)) return 'servers'
  if (/\/\.(?:gemini|qwen)\/commands\/.+\.(?:toml|md)$/.test(inside)) return 'braces'
  if (SCRIPT.test(inside)) return 'script'
  if (CODE.test(inside)) return 'code'
  if (MARKDOWN.test(inside)) return 'markdown'
  return /\.(?:md|mdc|markdown)$/.test(inside) ? 'imports' : undefined
}

/** Lists of servers, and manifests and hooks of plugins and extensions: what they name is started unasked. */
const SERVERS =
  /\/(?:\.?mcp|\.lsp|mcp-config|lsp-config|gemini-extension|qwen-extension)\.json$|\/\.github\/lsp\.json$|\/\.[a-z]+-plugin\/plugin\.json$|\/hooks\/hooks\.json$|\/monitors\/monitors\.json$|\/opencode\.jsonc?$|\/\.claude\/launch\.json$/

/** What hooks, the status line and other settings of Claude Code usually start. */
const SCRIPT =
  /\/\.claude\/(?:(?:plugins\/.+\/)?(?:hooks|hooks-handlers|bin|scripts)\/(?:.+\/)?[^/.]+(?:\.(?:sh|bash|zsh))?|[^/.]+\.(?:sh|bash|zsh))$/
const CODE = /\/\.claude\/(?:(?:hooks|bin|scripts)\/.+|[^/]+)\.(?:py|rb|pl|[cm]?js)$/

const MARKDOWN =
  /\/skill\.md$|\/\.(?:claude|opencode)\/(?:skills?|commands?|agents?|modes?)\/.+\.(?:md|markdown)$|\/\.config\/opencode\/(?:commands?|agents?)\/.+\.md$|\/\.claude\/plugins\/.+\/(?:skills|commands|agents)\/.+\.md$/

/** One thing such a file would run. */
export interface InstructionCommand {
  readonly command: string
  readonly shell: 'Bash' | 'PowerShell'
}

/** More than any file of instructions has; the rest would cost time, and is said to be too much. */
export const INSTRUCTION_COMMANDS_MAX = 64

/** Everything the text would run, in its order. */
export function commandsOfText(
  text: string,
  kind: InstructionKind,
  path: string,
): readonly InstructionCommand[] {
  if (kind === 'imports') return importsOfText(text, path)
  if (kind === 'servers') return serverCommands(text)
  if (kind === 'script') return scriptCommands(text)
  if (kind === 'code') return text.startsWith('#!') ? scriptCommands(text) : []
  const front = frontMatter(text)
  const shell = /^\s*shell\s*:\s*["']?(?:powershell|pwsh)/im.test(front) ? 'PowerShell' : 'Bash'
  const found = [...text.matchAll(BLOCK), ...text.matchAll(INLINE)].map(([, command = '']) => command.trim())
  const braces = [...text.matchAll(BRACES)].map(([, command = '']) => command.trim())
  const hooks = bringsHooks(front) ? hookCommands(front) : []
  const own = kind === 'braces' ? braces : found
  const all = [
    ...own.map((command) => ({ command, shell }) as const),
    ...hooks.map(asBash),
    ...importsOfText(text, path),
  ]
  return all.filter(({ command }) => command !== '')
}

/** As Claude Code 2.1.325 finds them. */
const BLOCK = /```!\s*\n?([\s\S]*?)\n?```/g
const INLINE = /(?<=^|\s)!`([^`]+)`/gm
/** As Gemini CLI and Qwen Code do. */
const BRACES = /!\{([^}]*)\}/g

function asBash(command: string): InstructionCommand {
  return { command, shell: 'Bash' }
}

/** What stands between the lines `---` at the start; one that nothing closes counts too. */
export function frontMatter(text: string): string {
  const [opening] = /^\uFEFF?---[ \t]*\r?\n/.exec(text) ?? []
  if (opening === undefined) return ''
  const rest = text.slice(opening.length)
  const closing = /(?:^|\r?\n)---/.exec(rest)
  return closing === null ? rest : rest.slice(0, closing.index)
}

/** The names that a key of the front matter lists: `skills: a, b`, `skills: [a, b]`, or a list below it. */
export function listedIn(text: string, key: string): readonly string[] {
  const lines = frontMatter(text).split(/\r?\n/)
  const at = lines.findIndex((line) => new RegExp(`^[{\\s"']*${key}["']?\\s*:`, 'i').test(line))
  if (at < 0) return []
  const end = lines.findIndex((line, index) => index > at && /^[^\s-]/.test(line))
  const own = lines.slice(at, end < 0 ? undefined : end).join('\n')
  return own.slice(own.indexOf(':') + 1).match(/[\w.:@/-]*\w[\w.:@/-]*/g) ?? []
}

/**
 * Whether front matter brings hooks or servers. YAML can spell a key in many ways, so a key that is written with an
 * escape, a tag or an anchor counts as one.
 */
export function bringsHooks(front: string): boolean {
  return (
    /(?:^|[{,?])[ \t]*(?:[{?][ \t]*)*['"]?(?:hooks|mcpServers)['"]?[ \t]*:/m.test(front) ||
    /^\s*\?\s*['"]?(?:hooks|mcpServers)\b/m.test(front) ||
    /^[ \t]*"(?:[^"\\\n]|\\.)*\\(?:[^"\\\n]|\\.)*"[ \t]*:/m.test(front) ||
    /^[ \t]*(?:!\S*|&\S+)[ \t]+['"]?(?:hooks|mcpServers)['"]?[ \t]*:/m.test(front) ||
    /^[ \t]*<<[ \t]*:/m.test(front)
  )
}

/** The values of `command`, as far as lines tell: plain, quoted, or a block below it; with the `args` that follow. */
function hookCommands(front: string): readonly string[] {
  const lines = front.split(/\r?\n/)
  const found = lines.flatMap((line, at) =>
    [...line.matchAll(COMMAND_KEY)].map((match) => {
      const value = (match[1] ?? '').trim()
      const command = /^[|>][-+\d]*\s*$/.test(value) ? blockBelow(lines, at) : unquoted(value)
      const rest = [line.slice((match.index ?? 0) + match[0].length), ...lines.slice(at + 1)].join('\n')
      return [command, ...argsIn(rest).map(quoted)].join(' ')
    }),
  )
  return found.filter((command) => !OWN_HOOK.test(command))
}

const COMMAND_KEY = /["']?\bcommand["']?\s*:\s*("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^,}\n]+)/g

/** Of the same entry: up to the next command. */
function argsIn(rest: string): readonly string[] {
  const own = rest.slice(0, /["']?\bcommand["']?\s*:/.exec(rest)?.index ?? rest.length)
  const [, listed = ''] = /\bargs["']?\s*:\s*\[([\s\S]*?)\]/.exec(own) ?? []
  const [, below = ''] = /\bargs["']?\s*:\s*((?:\n\s*-[^\n]*)+)/.exec(own) ?? []
  const words = listed === '' ? below.split(/\n\s*-/) : [...listed.matchAll(LISTED)].map(([word]) => word)
  return words.map((word) => unquoted(word.trim())).filter((word) => word !== '')
}

const LISTED = /"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s,][^,]*/g

/**
 * The hooks of Holdpoint's own skills start Holdpoint, which nobody but an agent program may. Whatever is called
 * `bin/holdpoint-hook` is guarded against changes, and nothing else may stand in the line. `holdpoint hook` without a path is
 * the program that the person installed.
 */
const OWN_HOOK =
  /^(?:holdpoint hook|'[^']*\/bin\/holdpoint-hook'|(?:"\$CLAUDE_PROJECT_DIR"|\$\{CLAUDE_PLUGIN_ROOT\}|[\w./-]*)\/(?:[\w.-]+\/)*bin\/holdpoint-hook)(?: (?:'[^']*'|[\w./:=@+-]+))*(?: \|\| \{ echo '[^']*' >&2; exit 2; \})?$/

function blockBelow(lines: readonly string[], at: number): string {
  const indent = /^\s*/.exec(lines[at] ?? '')?.[0].length ?? 0
  const rest = lines.slice(at + 1)
  const end = rest.findIndex((line) => line.trim() !== '' && (/^\s*/.exec(line)?.[0].length ?? 0) <= indent)
  return (end < 0 ? rest : rest.slice(0, end)).map((line) => line.trim()).join('\n')
}

function unquoted(value: string): string {
  if (value.startsWith("'")) return value.slice(1, -1).replaceAll("''", "'")
  if (!value.startsWith('"')) return value
  try {
    return String(JSON.parse(value))
  } catch {
    return value.slice(1, -1)
  }
}

/** The programs such a list starts, wherever in it they stand. What is not JSON is read line by line. */
function serverCommands(text: string): readonly InstructionCommand[] {
  const value = jsonIn(text)
  return (value === undefined ? hookCommands(text) : startsIn(value, 0)).map(asBash)
}

/** `{"command": "x", "args": […]}`, `{"command": ["x", …]}`, `{"headersHelper": "x"}`. */
function startsIn(value: Json, depth: number): readonly string[] {
  if (depth > DEPTH_MAX) return []
  if (Array.isArray(value)) return value.flatMap((each: Json) => startsIn(each, depth + 1))
  if (!isObject(value)) return []
  const { command, runtimeExecutable, args, runtimeArgs, headersHelper } = value
  const program = command ?? runtimeExecutable
  const more = [args ?? runtimeArgs].flat().filter((each) => typeof each === 'string')
  const listed = Array.isArray(program) ? program.map(String) : undefined
  const line = listed?.map(quoted).join(' ') ?? (typeof program === 'string' ? startOf(program, more) : '')
  const own = [line, typeof headersHelper === 'string' ? headersHelper : '']
  const found = own.filter((each) => each !== '' && !OWN_HOOK.test(each))
  return [...found, ...Object.values(value).flatMap((each) => startsIn(each, depth + 1))]
}

/** Without arguments it may be a line for the shell, as hooks and monitors have. */
function startOf(program: string, args: readonly string[]): string {
  return args.length === 0 ? program : [program, ...args].map(quoted).join(' ')
}

const DEPTH_MAX = 12

function jsonIn(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

function quoted(word: string): string {
  return /^[\w./:=@+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}

/** A script that a hook starts. Its language is what its first line says; without one, the shell's. */
function scriptCommands(text: string): readonly InstructionCommand[] {
  const [, program = ''] = /^#!\s*(?:\S*\/env\s+(?:-\S+\s+)*)?(\S+)/.exec(text) ?? []
  const name = program.split('/').at(-1) ?? ''
  if (name === '' || /^(?:ba|z|da|k|a)?sh$/.test(name)) return text.trim() === '' ? [] : [asBash(text)]
  if (/^(?:python[\d.]*|perl|ruby)$/.test(name))
    return [asBash(`${name} - <<'END OF SCRIPT'\n${text}\nEND OF SCRIPT\n`)]
  if (/^(?:node|bun|deno)$/.test(name)) return [asBash(`node - <<'END OF SCRIPT'\n${text}\nEND OF SCRIPT\n`)]
  return []
}
