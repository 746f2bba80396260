import type { Patch } from '../../core/decision.ts'
import { type Event, toolOf } from '../../core/event.ts'
import { isObject, type Json, type JsonObject } from '../../core/json.ts'
import { patchFiles } from '../../core/patch.ts'
import { redact } from '../../core/redact/redact.ts'
import { commandText, isShellCall } from '../analysis/shell-of.ts'
import { impliedRun } from './implied-runs.ts'
import { isNamed } from './written-files.ts'

/**
 * A command that waits may run a file that is written only afterwards: `sleep 9; sh x.sh` in the background, then `x.sh`.
 * Such commands are remembered, and a file that one of them would run is judged when it is written.
 */
const KEY = 'holdpoint/note/waiting'
const KEPT = 16
const LENGTH_MAX = 2000

/** What lets a command end later than the call that started it, or wait for something. */
export const WAITS =
  /\b(?:sleep|wait|until|while|watch|inotifywait|entr|watchexec|nodemon|fswatch|flock|nohup|setsid|disown|timeout|coproc|at|batch|parallel)\b|&\s*(?:$|[\n;)])|\btail\s+-\w*f/

/** To be remembered of this call; nothing for most. */
export function waitingPatch(event: Event, memory: JsonObject): readonly Patch[] {
  const text = isShellCall(event) ? commandText(event) : undefined
  if (text === undefined || text.length > LENGTH_MAX) return []
  const input = toolOf(event)?.input ?? {}
  const isLong =
    input.run_in_background === true || input.background === true || toolOf(event)?.name === 'Monitor'
  if (!isLong && !WAITS.test(text)) return []
  const kept = redact(text)
  return waitingIn(memory).includes(kept) ? [] : [{ op: 'push', key: KEY, value: kept, keep: KEPT }]
}

function waitingIn(memory: JsonObject): readonly string[] {
  const list = memory[KEY]
  return Array.isArray(list) ? list.filter((each) => typeof each === 'string') : []
}

/** The commands that may run one of these files, the latest first. */
export function waitingFor(written: () => readonly string[], memory: JsonObject): readonly string[] {
  const commands = [...waitingIn(memory)].reverse()
  if (commands.length === 0) return commands
  const paths = written()
  return commands.filter((command) =>
    paths.some((path) => isNamed(command, path) || impliedRun(path, command) !== undefined),
  )
}

/** What a file tool writes: the whole text, or the parts that are new. */
export function writtenText({ input }: { readonly input: JsonObject }): string {
  const patches = textsUnder(input, /^(?:command|input|patch|patch_?text|diff)$/i).flatMap(patchFiles)
  const added = patches.length === 0 ? [] : textsUnder(input, /./).flatMap(addedLines)
  return [...textsUnder(input, TEXT_FIELDS), ...added].join('\n')
}

const TEXT_FIELDS =
  /^(?:content|contents|text|data|body|file_?text|new_?(?:string|str|text|source)|insert_?text|source)$/i

function addedLines(text: string): readonly string[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('+'))
    .map((line) => line.slice(1))
}

function textsUnder(value: Json, field: RegExp): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((each: Json) => textsUnder(each, field))
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([name, each]) =>
    typeof each === 'string' ? (field.test(name) ? [each] : []) : textsUnder(each, field),
  )
}

/** A call of the shell with this command, by the same agent. */
export function shellCall(event: Event, command: string): Event {
  return { ...event, tool: { name: 'Bash', input: { command } } } as Event
}
