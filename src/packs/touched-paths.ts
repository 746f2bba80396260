import { type Event, type ToolCall, toolOf } from '../event.ts'
import type { Facts } from '../facts.ts'
import { type Json, textAt } from '../json.ts'
import { patchFiles } from '../patch.ts'
import { expandBraces } from '../shell/braces.ts'
import { type PathForm, resolveForm, resolvePath } from '../shell/paths.ts'
import { exactForm, type Form, patternForm } from '../shell/words.ts'
import { commandTouches } from './command-touches.ts'
import { patchTouches, withoutPatches } from './patch-touches.ts'
import { shellOf } from './shell-of.ts'

/** A path that an event would touch, and how. */
export interface Touch {
  readonly path: PathForm
  /** As it was written. */
  readonly source: string
  /** `list`: only names are seen. `metadata`: whether it is there, its size and rights. */
  readonly access: Access
  /** The part of the input that does it. */
  readonly fragment: string
  /** Set when it is not certain that the contents become visible. */
  readonly unsure?: string
  /** The pattern of a search tool, which also matches leading dots. */
  readonly pattern?: Form
}

export type Access = 'read' | 'write' | 'metadata' | 'list'

const remembered = new WeakMap<Event, readonly Touch[]>()

/** Every path the event names, through a file tool or in a shell command. An unreadable command names none. */
export function touchedPaths(event: Event, facts: Facts): readonly Touch[] {
  const known = remembered.get(event)
  if (known !== undefined) return known
  const touches = isFileTool(event) ? toolTouches(event, facts) : shellTouches(event, facts)
  remembered.set(event, touches)
  return touches
}

/** Which input of which tool is a path, and what the tool does with it. */
const FILE_TOOLS: ReadonlyMap<string, readonly (readonly [string, Access])[]> = new Map([
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
] satisfies [string, [string, Access][]][])

function isFileTool(event: Event): boolean {
  const tool = toolOf(event)
  return tool !== undefined && (FILE_TOOLS.has(tool.name) || tool.name === PATCH || tool.files !== undefined)
}

const PATCH = 'apply_patch'

function toolTouches(event: Event, facts: Facts): readonly Touch[] {
  const tool = toolOf(event)
  if (tool === undefined) return []
  const fields = FILE_TOOLS.get(tool.name) ?? []
  const named = fields.flatMap(([field, access]) => {
    const isPattern = field === 'glob' || field === 'pattern'
    return textsIn(tool.input[field]).flatMap((text) =>
      isPattern ? patternTouches(text, access, facts) : fileTouches(text, access, facts),
    )
  })
  return [...named, ...changedFiles(tool).flatMap((path) => fileTouches(path, 'write', facts))]
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

/** The path as written, and where it leads when it is a link. */
function fileTouches(text: string, access: Access, facts: Facts): readonly Touch[] {
  const place = { cwd: facts.cwd, home: facts.home }
  const touch = (path: string): Touch => ({
    path: resolveForm([{ kind: 'text', text: path }], place),
    source: text,
    access,
    fragment: text,
  })
  const path = resolvePath(text, place)
  const real = path === undefined ? undefined : facts.realpath(path)
  return real === undefined || real === path ? [touch(text)] : [touch(text), touch(real)]
}

function patternTouches(text: string, access: Access, facts: Facts): readonly Touch[] {
  if (text.startsWith('!')) return []
  return (expandBraces(text) ?? [text]).map((each) => {
    const path = resolveForm(patternForm(each), { cwd: facts.cwd, home: facts.home })
    return { path, source: text, access, fragment: text, pattern: path.parts.at(-1) ?? [] }
  })
}

function shellTouches(event: Event, facts: Facts): readonly Touch[] {
  const analysis = shellOf(event, facts)
  if (!analysis.judged) return []
  const line = textAt(toolOf(event)?.input ?? {}, 'command') ?? ''
  return analysis.commands.flatMap((command) => {
    const patched = patchTouches(command, line)
    const plain = patched.length === 0 ? command : withoutPatches(command)
    return [...commandTouches(plain, facts.home), ...patched].flatMap((named) => {
      const path = resolveForm(named.form, { cwd: named.cwd, home: facts.home })
      const { access, unsure } = named
      const touch: Touch = {
        path,
        source: named.source,
        access,
        fragment: command.fragment,
        ...(unsure === undefined ? {} : { unsure }),
      }
      const real = access === 'read' ? linkTarget(path, facts) : undefined
      return real === undefined ? [touch] : [touch, { ...touch, path: real }]
    })
  })
}

/** Where the path leads, when it is a link. */
function linkTarget(path: PathForm, facts: Facts): PathForm | undefined {
  const names = path.parts.map(exactForm)
  if (!path.anchored || names.includes(undefined)) return undefined
  const written = `/${names.join('/')}`
  const real = facts.realpath(written)
  return real === written
    ? undefined
    : resolveForm([{ kind: 'text', text: real }], { cwd: '/', home: facts.home })
}
