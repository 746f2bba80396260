import type { ToolCall } from '../event.ts'
import { isObject, type Json, textAt } from '../json.ts'
import { patchFiles } from '../patch.ts'
import type { Access } from './touched-paths.ts'

/** A path or a pattern as a call of a file tool names it. */
export interface ToolPath {
  readonly text: string
  readonly access: Access
  readonly isPattern: boolean
}

/** The paths among a tool's inputs; undefined for a tool that has nothing to do with files. */
export function toolPaths(tool: ToolCall): readonly ToolPath[] | undefined {
  const fields = FILE_TOOLS.get(tool.name)
  const changed = changedFiles(tool).map((text): ToolPath => ({ text, access: 'write', isPattern: false }))
  if (fields !== undefined) return [...fields.flatMap((field) => namedIn(tool, field)), ...changed]
  if (changed.length > 0 || tool.name === PATCH || tool.files !== undefined) return changed
  return OTHER_FILE_TOOLS.test(tool.name) ? guessedPaths(tool) : undefined
}

type Field = readonly [name: string, access: Access]

/** Which input of which tool is a path, and what the tool does with it. */
const FILE_TOOLS: ReadonlyMap<string, readonly Field[]> = new Map<string, readonly Field[]>([
  ['Read', [['file_path', 'read']]],
  ['NotebookRead', [['notebook_path', 'read']]],
  ['Write', [['file_path', 'write']]],
  ['Edit', [['file_path', 'write']]],
  ['MultiEdit', [['file_path', 'write']]],
  ['NotebookEdit', [['notebook_path', 'write']]],
  [
    'Grep',
    [
      ['path', 'read'],
      ['glob', 'read'],
    ],
  ],
  [
    'Glob',
    [
      ['path', 'metadata'],
      ['pattern', 'list'],
    ],
  ],
])

const PATCH = 'apply_patch'

function namedIn(tool: ToolCall, [field, access]: Field): readonly ToolPath[] {
  const isPattern = field === 'glob' || field === 'pattern'
  return textsIn(tool.input[field]).map((text) => ({ text, access, isPattern }))
}

/** Files are also read from the patch itself: a hook may have put another in its place since they were listed. */
function changedFiles(tool: ToolCall): readonly string[] {
  const patch = tool.name === PATCH ? (textAt(tool.input, 'command') ?? '') : ''
  const files = [...(tool.files ?? []), ...patchFiles(patch)]
  return [...new Set(files.map((file) => file.path))]
}

/** Also a list of paths, which no host documents but a tool may take. */
function textsIn(value: Json | undefined): readonly string[] {
  if (typeof value === 'string') return [value]
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}

/** File tools of MCP servers and of other agents are known by their words: `mcp__fs__read_text_file`, `write_file`. */
const OTHER_FILE_TOOLS =
  /^mcp__|^(?:read|view|open|write|edit|create|append|replace|insert|delete|move|copy|str_replace)_[a-z_]*$/

const PATH_FIELD =
  /^(?:(?:file|notebook|absolute|relative|target|source|old|new|from|to|input|output|image)[_-]?)?(?:path|paths|file|files|filename|uri|uris|source|destination|dest|target)$/i
const DEPTH_MAX = 3
const PATH_LENGTH_MAX = 4096

function guessedPaths(tool: ToolCall): readonly ToolPath[] {
  const verb = tool.name
    .slice(tool.name.lastIndexOf('__') + 1)
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
  return pathsUnder(tool.input, '', 0).flatMap(({ field, text }): ToolPath[] => {
    const path = pathOf(text)
    return path === undefined ? [] : [{ text: path, access: accessBy(verb, field), isPattern: false }]
  })
}

interface Found {
  readonly field: string
  readonly text: string
}

/** Every text under a field that is called a path, also in lists and in objects of lists. */
function pathsUnder(value: Json, field: string, depth: number): readonly Found[] {
  if (typeof value === 'string') return PATH_FIELD.test(field) ? [{ field, text: value }] : []
  if (depth >= DEPTH_MAX) return []
  if (Array.isArray(value)) return value.flatMap((item) => pathsUnder(item, field, depth + 1))
  return isObject(value)
    ? Object.entries(value).flatMap(([name, item]) => pathsUnder(item, name, depth + 1))
    : []
}

function pathOf(text: string): string | undefined {
  if (text.length > PATH_LENGTH_MAX || text.includes('\n')) return undefined
  const file = /^file:\/\/(?:localhost)?(\/.*)$/i.exec(text)?.[1]
  if (file !== undefined) return decoded(file)
  return /^[a-z][a-z0-9+.-]+:\/\//i.test(text) ? undefined : text
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

const LISTS = /(?:^|_)(?:list|tree|stat|info|exists|metadata|glob|find)(?:_|$)/
const WRITES =
  /(?:^|_)(?:write|create|edit|update|append|replace|insert|patch|apply|save|put|delete|remove|rename|modify|overwrite|upload|push)(?:_|$)/

/** A tool whose words say nothing may read. What is moved is gone from where it was. */
function accessBy(verb: string, field: string): Access {
  if (/(?:^|_)(?:move|rename)(?:_|$)/.test(verb)) return 'write'
  if (/(?:^|_)copy(?:_|$)/.test(verb)) return /dest|target|^to|new|output/i.test(field) ? 'write' : 'read'
  if (WRITES.test(verb)) return 'write'
  return LISTS.test(verb) && !/read|content|grep|search/.test(verb) ? 'metadata' : 'read'
}
