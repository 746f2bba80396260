import { EVENT_KINDS, type EventKind } from '../../../core/event.ts'
import type { ActorScope } from '../../../core/hook.ts'
import { isObject, type Json } from '../../../core/json.ts'
import type { HookEntry } from '../../../core/layer.ts'
import type { Path } from '../locate.ts'
import { readHook } from './hook.ts'
import type { MassGenReader } from './reading.ts'

/** The entries at one event: its hooks, and whether they replace the global ones. */
export interface EventHooks {
  readonly event: EventKind
  readonly entries: readonly HookEntry[]
  readonly replaces: boolean
}

/** A `hooks` mapping, global or of one agent. `path` leads to it. */
export function readEvents(
  value: Json,
  path: Path,
  scope: ActorScope,
  reading: MassGenReader,
): readonly EventHooks[] {
  if (value === null) return []
  if (!isObject(value)) {
    reading.problems.addWrongValue(path, 'a mapping of events to lists of hooks')
    return []
  }
  const isGlobal = path.length === 1
  return Object.entries(value).flatMap(([name, hooks]) => {
    const event = eventNamed(name, [...path, name], reading)
    if (event === undefined || hooks === null) return []
    const read = readEvent(event, hooks, [...path, name], scope, reading)
    return [isGlobal ? withoutOverride(read, [...path, name], reading) : read]
  })
}

/** Hooks for all agents have no more general hooks that they could replace. */
function withoutOverride(read: EventHooks, path: Path, { problems }: MassGenReader): EventHooks {
  if (!read.replaces) return read
  const message = 'These hooks are for all agents, so `override` has no effect; they run.'
  problems.add('CONFIG_KEY', [...path, 'override'], message, { part: 'key', severity: 'warning' })
  return { ...read, replaces: false }
}

const MASSGEN_EVENTS: readonly EventKind[] = ['PreToolUse', 'PostToolUse']
const EVENTS: readonly EventKind[] = EVENT_KINDS.filter((kind) => kind !== 'Unknown')

/** MassGen runs hooks at two events. Hooks at other events are not run here either, unless the file asks for it. */
function eventNamed(
  name: string,
  path: Path,
  { problems, allowsAllEvents }: MassGenReader,
): EventKind | undefined {
  const event = EVENTS.find((kind) => kind === name)
  if (event === undefined) {
    problems.addUnknownKey(path, 'an event', allowsAllEvents ? EVENTS : MASSGEN_EVENTS)
    return undefined
  }
  if (allowsAllEvents || MASSGEN_EVENTS.includes(event)) return event
  const message = `MassGen has no hooks at ${event}, so these were left out; \`extendedEvents: true\` at the top of the file runs them.`
  problems.add('CONFIG_KEY', path, message, { part: 'key', severity: 'warning' })
  return undefined
}

/** A list extends the global hooks; `{ override, hooks }` may replace them. */
function readEvent(
  event: EventKind,
  value: Json,
  path: Path,
  scope: ActorScope,
  reading: MassGenReader,
): EventHooks {
  if (!isObject(value)) {
    return { event, ...readList(event, value, path, scope, reading), replaces: false }
  }
  const { override = false, hooks = null, ...others } = value
  const { problems } = reading
  for (const key of Object.keys(others)) {
    problems.addUnknownKey([...path, key], 'a key here', ['override', 'hooks'])
  }
  if (typeof override !== 'boolean') problems.addWrongValue([...path, 'override'], 'true or false')
  const list = readList(event, hooks ?? [], [...path, 'hooks'], scope, reading)
  const isWhole = list.isWhole && Object.keys(others).length === 0
  if (override === true && !isWhole) {
    const message = `Not all hooks here could be read, so the global hooks at ${event} stay on for this agent.`
    problems.add('CONFIG_VALUE', [...path, 'override'], message)
  }
  return { event, entries: list.entries, replaces: override === true && isWhole }
}

interface List {
  readonly entries: readonly HookEntry[]
  /** Whether all hooks could be read. */
  readonly isWhole: boolean
}

function readList(
  event: EventKind,
  value: Json,
  path: Path,
  scope: ActorScope,
  reading: MassGenReader,
): List {
  if (!Array.isArray(value)) {
    reading.problems.addWrongValue(path, 'a list of hooks, each with `- ` before it')
    return { entries: [], isWhole: false }
  }
  const read = value.map((item: Json, index) => readHook(event, item, [...path, index], scope, reading))
  const entries = read.filter((entry) => entry !== undefined)
  return { entries, isWhole: entries.length === read.length }
}
