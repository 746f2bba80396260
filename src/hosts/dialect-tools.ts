import type { ToolCall } from '../core/event.ts'
import { type JsonObject, textAt } from '../core/json.ts'

/** A host's own tools: its name of each, our name, and the fields that are called differently (its name, ours). */
export type ToolTable = Readonly<Record<string, KnownTool>>

export interface KnownTool {
  readonly name: string
  readonly fields?: Readonly<Record<string, string>>
  /** Lists that may hold one text (its name), and our name for that text. A longer list stays: each item is read alone. */
  readonly lists?: Readonly<Record<string, string>>
  /** For a tool that starts agents, where the background is not the field `run_in_background`. */
  readonly background?: 'never' | BackgroundOption
  /** There is no tool for skills: an agent loads one by reading its `SKILL.md` with this tool. */
  readonly loadsSkills?: true
}

export interface BackgroundOption {
  readonly option: string
  isOn(input: JsonObject): boolean
}

/** A call in our words. The host's own name stays beside it; a tool that the table does not name is left as it is. */
export function canonicalTool(table: ToolTable, call: ToolCall): ToolCall {
  const known = Object.hasOwn(table, call.name) ? table[call.name] : undefined
  if (known === undefined) return call
  const input = unwrapped(renamed(call.input, known.fields ?? {}), known.lists ?? {})
  const skill = known.loadsSkills === true ? skillIn(textAt(input, 'file_path') ?? '') : undefined
  return {
    ...call,
    name: known.name,
    ...(known.name === call.name ? {} : { hostName: call.name }),
    input,
    ...(skill === undefined ? {} : { loadsSkill: skill }),
    ...backgroundOf(known, call.input),
  }
}

const SKILL_FILE = /(?:^|\/)skills\/(?:[^/]+\/)*([^/]+)\/SKILL\.md$/

function skillIn(path: string): string | undefined {
  return SKILL_FILE.exec(path)?.[1]
}

function backgroundOf({ background }: KnownTool, input: JsonObject): Pick<ToolCall, 'background'> {
  if (background === undefined) return {}
  if (background === 'never') return { background }
  return { background: { isOn: background.isOn(input), option: background.option } }
}

/** A new input for the call, in the host's words again. */
export function hostInput(table: ToolTable, call: ToolCall, input: JsonObject): JsonObject {
  const name = call.hostName ?? call.name
  const { fields = {}, lists = {} } = (Object.hasOwn(table, name) ? table[name] : undefined) ?? {}
  const own = renamed(input, Object.fromEntries(Object.entries(fields).map(([own, ours]) => [ours, own])))
  return wrapped(own, lists)
}

function unwrapped(input: JsonObject, lists: Readonly<Record<string, string>>): JsonObject {
  const pairs = Object.entries(input).map(([key, value]) => {
    const ours = Object.hasOwn(lists, key) ? lists[key] : undefined
    const [only] = Array.isArray(value) && value.length === 1 ? value : []
    const isOne = typeof only === 'string' && ours !== undefined && !Object.hasOwn(input, ours)
    return isOne ? ([ours, only] as const) : ([key, value] as const)
  })
  return Object.fromEntries(pairs)
}

function wrapped(input: JsonObject, lists: Readonly<Record<string, string>>): JsonObject {
  const pairs = Object.entries(input).map(([key, value]) => {
    const own = Object.entries(lists).find(([, ours]) => ours === key)?.[0]
    return own === undefined || Object.hasOwn(input, own)
      ? ([key, value] as const)
      : ([own, [value]] as const)
  })
  return Object.fromEntries(pairs)
}

/** A field that has both names keeps both: no value may get lost before it is judged. */
function renamed(input: JsonObject, names: Readonly<Record<string, string>>): JsonObject {
  const pairs = Object.entries(input).map(([key, value]) => {
    const name = Object.hasOwn(names, key) ? names[key] : undefined
    return [name === undefined || Object.hasOwn(input, name) ? key : name, value] as const
  })
  return Object.fromEntries(pairs)
}
