import { type Event, type ToolCall, toolOf } from '../../core/event.ts'
import type { Facts } from '../../core/facts.ts'
import { isObject, type Json, type JsonObject } from '../../core/json.ts'
import { wordSet } from '../../core/word-list.ts'
import { resolvePath } from '../../shell/words/paths.ts'
import { exactText } from '../../shell/words/words.ts'
import { changedPaths } from './changed-paths.ts'
import { type InstructionKind, instructionKind } from './instructions.ts'
import { mentionsInstructions } from './may-imply-calls.ts'
import { isShellCall, shellOf } from './shell-of.ts'

/** A file of instructions that an event would write. */
export interface InstructionWrite {
  readonly path: string
  readonly kind: InstructionKind
  /** What would stand there, or, where that is not known, every text that may become part of it. */
  readonly text: string
  /** What stands there now. */
  readonly before: string
  /** Whether `text` is the whole file. */
  readonly isWhole: boolean
}

/** The agent's own folder: its transcripts lie in it. */
export function agentConfigFolder({ transcriptPath }: Event): string | undefined {
  return /^(\/.+?)\/(?:projects|sessions)\//.exec(transcriptPath ?? '')?.[1]
}

/** Sync, and cheap for the many events that write no such file. */
export function writtenInstructions(
  event: Event,
  facts: Facts,
): readonly { readonly path: string; readonly kind: InstructionKind }[] {
  if (event.kind !== 'PreToolUse' && event.kind !== 'PermissionRequest') return []
  if (!mentionsInstructions(event.tool)) return []
  const found = new Map<string, InstructionKind>()
  for (const { path, does } of changedPaths(event, facts)) {
    const kind =
      path.text === undefined || does === 'deletes'
        ? undefined
        : instructionKind(path.text, agentConfigFolder(event))
    if (kind !== undefined && path.text !== undefined && path.anchored) found.set(path.text, kind)
  }
  return [...found].map(([path, kind]) => ({ path, kind }))
}

export async function instructionWrites(event: Event, facts: Facts): Promise<readonly InstructionWrite[]> {
  const tool = toolOf(event)
  if (tool === undefined) return []
  const writes: InstructionWrite[] = []
  for (const { path, kind } of writtenInstructions(event, facts)) {
    const before = (await facts.readText(path)) ?? ''
    writes.push({ path, kind, before, ...(await textAfter(tool, path, before, event, facts)) })
  }
  return writes
}

async function textAfter(
  tool: ToolCall,
  path: string,
  before: string,
  event: Event,
  facts: Facts,
): Promise<Pick<InstructionWrite, 'text' | 'isWhole'>> {
  const { input } = tool
  if (isShellCall(event)) return { text: await shellText(event, path, facts), isWhole: false }
  if (tool.name === 'Write' && typeof input.content === 'string')
    return { text: input.content, isWhole: true }
  if (tool.name === 'Edit') return { text: edited(before, [input]), isWhole: true }
  if (tool.name === 'MultiEdit' && Array.isArray(input.edits))
    return { text: edited(before, input.edits.filter(isObject)), isWhole: true }
  if (tool.name === 'apply_patch') {
    const added = String(input.command ?? input.input ?? '')
      .split('\n')
      .filter((line) => /^[+ ]/.test(line))
    return { text: added.map((line) => line.slice(1)).join('\n'), isWhole: false }
  }
  return { text: textsIn(input, 0).join('\n'), isWhole: false }
}

function edited(before: string, edits: readonly JsonObject[]): string {
  let text = before
  for (const { old_string: old, new_string: by, replace_all: all } of edits) {
    if (typeof old !== 'string' || typeof by !== 'string') continue
    if (old === '') text = `${text}${by}`
    else if (all === true) text = text.replaceAll(old, () => by)
    // What does not fit is not written; but somebody may make it fit before it is.
    else text = text.includes(old) ? text.replace(old, () => by) : `${text}\n${by}`
  }
  return text
}

/**
 * A command line that writes the file mostly holds what it writes, in quotes or in a here-document. What it copies is
 * read. The rest is judged when the instructions start.
 */
async function shellText(event: Event, path: string, facts: Facts): Promise<string> {
  const tool = toolOf(event)
  const line = String(tool?.input.command ?? tool?.input.cmd ?? '')
  const analysis = shellOf(event, facts)
  const sources = (analysis.judged ? analysis.commands : [])
    .filter(({ name }) => COPIERS.has(name ?? ''))
    .flatMap(({ args, cwd }) =>
      args.flatMap((word) => {
        const text = exactText(word)
        const source =
          text === undefined || text.startsWith('-')
            ? undefined
            : resolvePath(text, { cwd, home: facts.home })
        return source === undefined || source === path ? [] : [source]
      }),
    )
  const copied = await Promise.all(sources.slice(0, SOURCES_MAX).map((source) => facts.readText(source)))
  const plain = line
    .replaceAll('\\`', '`')
    .replaceAll('\\n', '\n')
    .replaceAll('\\x21', '!')
    .replaceAll('\\041', '!')
    // In a patch, the lines that are added.
    .replace(/^\+(?!\+\+ )/gm, '')
  // A quotation mark before the sign would hide it: what is in quotes begins there.
  return [plain.replace(/(["'])(?=!`|!\{|```!|@)/g, '$1\n').replace(/(["'])(?=---\n)/g, '$1\n'), ...copied]
    .filter((each) => each !== undefined)
    .join('\n')
}

const COPIERS = wordSet('cp mv install ln rsync cat dd')
const SOURCES_MAX = 16
const DEPTH_MAX = 4

function textsIn(value: Json, depth: number): readonly string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null || depth > DEPTH_MAX) return []
  return Object.values(value).flatMap((each) => textsIn(each, depth + 1))
}
