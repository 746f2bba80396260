import type { ToolCall } from '../../core/event.ts'
import { isObject, type Json, type JsonObject, textAt } from '../../core/json.ts'
import { diffFiles, isPatch, PATCH_START, patchFiles } from '../../core/patch.ts'
import { plainKey, wordsOfName } from '../../core/tool-words.ts'
import { wordSet } from '../../core/word-list.ts'
import type { Access } from './touched-paths.ts'

/** A path or a pattern in a call of a file tool. */
export interface ToolPath {
  readonly text: string
  readonly access: Access
  readonly isPattern: boolean
}

/**
 * The paths among a tool's inputs. Fields of known tools come first; every other field of any tool counts where its name
 * says that it is a path, because no list of file tools is complete.
 */
export function toolPaths(tool: ToolCall): readonly ToolPath[] {
  const fields = FILE_TOOLS.get(tool.name) ?? []
  const changed = changedFiles(tool).map((text): ToolPath => ({ text, access: 'write', isPattern: false }))
  const named = fields.flatMap((field) => namedIn(tool, field))
  if (tool.name === PATCH) return changed
  const isKnown = fields.length > 0 && !hasOtherTexts(tool, fields)
  if (PATHLESS_TOOLS.has(tool.name) || isKnown) return [...named, ...changed]
  return [...named, ...changed, ...guessedPaths(tool, new Set(fields.map(([name]) => name)))]
}

/**
 * Numbers and switches are no paths: most calls of known tools have nothing else. Of other tools, names of fields may be
 * paths too.
 */
function hasOtherTexts({ input }: ToolCall, fields: readonly Field[]): boolean {
  return Object.keys(input).some((key) => {
    const value = input[key]
    const mayBeText = typeof value === 'string' || (typeof value === 'object' && value !== null)
    return mayBeText && !fields.some(([name]) => name === key)
  })
}

/** Their fields with the name of a path hold something else. */
const PATHLESS_TOOLS = wordSet(
  'Bash PowerShell Agent Task Skill WebSearch TodoWrite AskUserQuestion ToolSearch',
)

type Field = readonly [name: string, access: Access]

/** Which input field of which tool is a path, and how the tool uses it. */
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

/** Files are also read from the patch itself, because a hook may have replaced the patch after they were listed. */
function changedFiles(tool: ToolCall): readonly string[] {
  const patch = tool.name === PATCH ? (textAt(tool.input, 'command') ?? '') : ''
  const files = [...(tool.files ?? []), ...patchFiles(patch), ...otherPatches(tool).flatMap(patchFiles)]
  return [...new Set([...files.map((file) => file.path), ...(tool.name === PATCH ? [] : patchedFiles(tool))])]
}

/** A server may have a tool of its own for patches: the paths stand in the text. */
function patchedFiles(tool: ToolCall): readonly string[] {
  if (FILE_TOOLS.has(tool.name) || PATHLESS_TOOLS.has(tool.name)) return []
  const isPatcher = /patch|diff|edit|hunk/i.test(tool.name.slice(tool.name.lastIndexOf('__') + 1))
  return patchTexts(tool.input, isPatcher, 0).flatMap((text) => [
    ...patchFiles(text).map((file) => file.path),
    ...diffFiles(text),
  ])
}

const PATCH_FIELD = /patch|diff|hunk|^(?:edits?|changes?|changeset|delta)$/i

function patchTexts(value: Json, counts: boolean, depth: number): readonly string[] {
  if (typeof value === 'string')
    return counts && /^[ \t]*(?:\*\*\* |\+\+\+ |rename to )/m.test(value) ? [value] : []
  if (depth >= DEPTH_MAX || typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.flatMap((each: Json) => patchTexts(each, counts, depth + 1))
  return Object.entries(value).flatMap(([field, each]) =>
    patchTexts(each, counts || PATCH_FIELD.test(field), depth + 1),
  )
}

/** Agents have the same patch under other names of the tool and of the field: `ApplyPatch{input}`, `patch{patchText}`. */
function otherPatches({ input }: ToolCall): readonly string[] {
  return Object.entries(input).flatMap(([key, value]) =>
    typeof value === 'string' &&
    value.includes(PATCH_START) &&
    PATCH_KEYS.has(plainKey(key)) &&
    isPatch(value)
      ? [value]
      : [],
  )
}

const PATCH_KEYS = wordSet('input patch patchtext diff')

/** Also accepts a list of paths. No host documents it, but a tool may accept it. */
function textsIn(value: Json | undefined): readonly string[] {
  if (typeof value === 'string') return [value]
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}

const PATH_FIELD =
  /^(?:(?:file|notebook|absolute|relative|target|source|old|new|from|to|input|output|image|local|remote|log|data|config|key|cert|env|attachment|document|artifact|upload|media|asset)[_-]?)*(?:path|paths|file|files|filename|filenames|filepath|filepaths|uri|uris|source|destination|dest|target|attachment|attachments)$/i
/** Of these only addresses of files count. */
const ADDRESS_FIELD = /^(?:[a-z]+[_-]?)?(?:url|urls|href|link|address)$/i
/** A call that nests deeper cannot be checked, and says so. */
const DEPTH_MAX = 64
const PATH_LENGTH_MAX = 4096

function guessedPaths(tool: ToolCall, known: ReadonlySet<string>): readonly ToolPath[] {
  const verb = wordsOfName(tool.name.slice(tool.name.lastIndexOf('__') + 1)).join('_')
  const others = Object.entries(tool.input).filter(([name]) => !known.has(name))
  return pathsUnder(Object.fromEntries(others), '', 0).flatMap(({ field, text }): ToolPath[] => {
    const path = ADDRESS_FIELD.test(field) ? fileOfAddress(text) : pathOf(text)
    const isPattern = GLOB_FIELD.test(field)
    return path === undefined ? [] : [{ text: path, access: accessBy(verb, field), isPattern }]
  })
}

/** Which files a search looks into. */
const GLOB_FIELD = /^(?:glob|globs|include|includes|file[_-]?pattern|include[_-]?pattern)$/i
/** Fields whose texts people read. A path in them is only mentioned. */
const PROSE_FIELD =
  /^(?:description|prompt|title|reason|explanation|summary|subject|notes?|comments?|label|caption|text|message|body|contents?|data|value|query|q|question|answer|old_?(?:str|string|text)|new_?(?:str|string|text|source)|pattern|regex|selector|element|class|ext|extensions?|route|.*(?:exclude|ignore|skip).*)$/i
const FOLDER_FIELD = /^(?:dir|directory|folder|base|base[_-]?(?:path|dir)|root|parent|cwd|path)$/i
const NAME_FIELD = /^(?:name|file|file[_-]?(?:name|path)|path|rel|relative|rel(?:ative)?[_-]?path)$/i
/** A path from the root or the home folder, or the name of a hidden file. */
const PATH_VALUE = /^(?:~?\/|[a-z]:[\\/]|\\\\[?.]\\|\.{1,2}\/|file:|\.[a-z])\S*$/i

function isPathField(field: string, text: string): boolean {
  if (PATH_FIELD.test(field) || ADDRESS_FIELD.test(field) || GLOB_FIELD.test(field)) return true
  return !PROSE_FIELD.test(field) && PATH_VALUE.test(text)
}

/** A folder and a name in it, under two fields: `{ dir: '/home/dev/.ssh', name: 'id_rsa' }`. */
function joinedPaths(value: JsonObject): readonly Found[] {
  const texts = Object.entries(value).flatMap(([field, text]) =>
    typeof text === 'string' && text !== '' && !text.includes('\n') ? [{ field, text }] : [],
  )
  const folders = texts.filter(({ field }) => FOLDER_FIELD.test(field))
  const names = texts.filter(({ field }) => NAME_FIELD.test(field))
  return folders.flatMap((folder) =>
    names
      .filter(({ field, text }) => field !== folder.field && !/^(?:[/~]|[a-z]+:)/i.test(text))
      .map(({ text }) => ({ field: 'path', text: `${folder.text.replace(/\/+$/, '')}/${text}` })),
  )
}

/** The same, and files that are the keys of an object: `{ files: { '/home/dev/.bashrc': 'x' } }`. */
export function impliedPaths(value: JsonObject): readonly Found[] {
  const keys = Object.keys(value).filter((key) => /^(?:~?\/|\.{1,2}\/|file:|\.[a-z])\S*$/i.test(key))
  return [...joinedPaths(value), ...keys.map((text) => ({ field: 'path', text }))]
}

interface Found {
  readonly field: string
  readonly text: string
}

/** Every string under a field that is named like a path, also in lists and in objects in lists. */
function pathsUnder(value: Json, field: string, depth: number): readonly Found[] {
  if (typeof value === 'string') {
    return isPathField(field, value) ? [{ field, text: value }] : []
  }
  if (depth >= DEPTH_MAX) return []
  if (Array.isArray(value)) return value.flatMap((item) => pathsUnder(item, field, depth + 1))
  if (!isObject(value)) return []
  const found = Object.entries(value).flatMap(([name, item]) => pathsUnder(item, name, depth + 1))
  return [...found, ...impliedPaths(value)]
}

function pathOf(text: string): string | undefined {
  if (text.length > PATH_LENGTH_MAX) return undefined
  const file = fileOfAddress(text)
  if (file !== undefined || text.includes('\n')) return file
  if (/^%2f/i.test(text)) return decoded(text)
  return /^[a-z][a-z0-9+.-]+:\/\//i.test(text) ? undefined : text
}

/** `file:///a`, `file:/a`, `FILE://localhost/a` and `view-source:file:///a` are one file. */
function fileOfAddress(written: string): string | undefined {
  // As browsers read it: they drop line ends and tabs, and take a backslash for a slash.
  const text = written.replace(/[\t\r\n]/g, '').replace(/^[\u0000-\u0020]+/, '')
  const [, file] = FILE_ADDRESS.exec(text.replaceAll('\\', '/')) ?? OTHER_ADDRESS.exec(text) ?? []
  return file === undefined ? undefined : decoded(file.replace(/[?#].*$|!\/.*$/, ''))
}

const FILE_ADDRESS =
  /^(?:(?:view-source|jar|blob|filesystem):)*file:(?:\/\/(?:localhost|127\.0\.0\.1)?)?([/~].*)$/i
/** Other programs have addresses of their own for files: `vscode://file/a`, `fs:///a`. Those of networks are none. */
const OTHER_ADDRESS =
  /^(?!(?:https?|wss?|ftps?|sftp|ssh|git|svn|s3|gs|az|abfss?|data|mailto|docker|oci|npm|jdbc|postgres(?:ql)?|mysql|mongodb|redis|amqp|chrome|about)s?(?:\+\w+)?:)[a-z][a-z0-9+.-]*:\/\/[^/]*(\/.*)$/i

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

/** A tool whose name says nothing may read. A moved file is removed from its old place. */
function accessBy(verb: string, field: string): Access {
  if (/(?:^|_)(?:move|rename)(?:_|$)/.test(verb)) return 'write'
  if (/(?:^|_)copy(?:_|$)/.test(verb)) return /dest|target|^to|new|output/i.test(field) ? 'write' : 'read'
  if (WRITES.test(verb)) return 'write'
  return LISTS.test(verb) && !/read|content|grep|search/.test(verb) ? 'metadata' : 'read'
}
