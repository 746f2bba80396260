import type { HookEntry } from '../config.ts'
import { EVENT_KINDS, type EventKind } from '../event.ts'
import type { Match } from '../hook.ts'
import { isHookAddress, startsHookProgram } from '../hosts/hook-entry.ts'
import { isObject, type Json, type JsonObject } from '../json.ts'
import { conditionOf } from './claude-condition.ts'
import { failurePolicies, runOf, timeoutMsOf } from './claude-handler.ts'
import { matchOf } from './claude-matcher.ts'
import { type ClaudeHooksOptions, type Reading, readingOf } from './claude-reading.ts'
import type { Path } from './locate.ts'
import { asksHoldpoint } from './own-call.ts'
import { didYouMean, nameValue } from './problems.ts'

/** More than anybody has. */
const HOOKS_MAX = 10_000
/**
 * The `hooks` object that Claude Code's settings, plugins, skills and agents share: event → groups → handlers, and
 * the flat form in which a group is its own handler. What a hook does there it does here, no more and no less; what
 * cannot be had exactly is left out and said. Pure; nothing in it is executed.
 */
export function readClaudeHooks(hooks: Json | undefined, options: ClaudeHooksOptions): readonly HookEntry[] {
  const reading = readingOf(options)
  const base = options.path ?? ['hooks']
  if (hooks === undefined) return []
  if (!isObject(hooks)) {
    reading.report(base, 'Here must be an object of events, each with its list of hooks.')
    return []
  }
  const entries = new Map<string, HookEntry>()
  for (const [event, groups] of Object.entries(hooks)) {
    for (const entry of readEvent(event, groups, [...base, event], reading)) {
      if (entries.size >= HOOKS_MAX) {
        reading.report(base, `Only the first ${HOOKS_MAX} hooks of this file are read.`)
        return [...entries.values()]
      }
      // Claude Code starts equal handlers once.
      const { origin: _origin, ...what } = entry
      const key = JSON.stringify(what)
      if (!entries.has(key)) entries.set(key, entry)
    }
  }
  return [...entries.values()]
}

function readEvent(name: string, groups: Json, path: Path, reading: Reading): readonly HookEntry[] {
  const event = EVENT_KINDS.find((kind) => kind === name && kind !== 'Unknown')
  if (event === undefined) {
    const hint = didYouMean(name, EVENT_KINDS)
    reading.report(path, `There is no event \`${name.slice(0, 60)}\`; its hooks never run.${hint}`, {
      code: 'CONFIG_KEY',
      fix: 'Write the event as the agent calls it.',
    })
    return []
  }
  if (!Array.isArray(groups)) {
    reading.report(path, `Here must be a list of groups; there is ${nameValue(groups)}.`)
    return []
  }
  const on = reading.eventOf?.(event) ?? event
  return groups.flatMap((group: Json, index) => readGroup(on, group, [...path, index], reading))
}

/** `{ matcher, hooks: [...] }`, or a handler that stands for its group. */
function readGroup(event: EventKind, group: Json, path: Path, reading: Reading): readonly HookEntry[] {
  if (!isObject(group)) {
    reading.report(path, `Here must be an object with \`hooks\`; there is ${nameValue(group)}.`)
    return []
  }
  const { matcher, hooks } = group
  const match = matchOf(event, matcher, [...path, 'matcher'], reading)
  if (match === undefined) return []
  if (hooks === undefined) return readHandler(event, flatHandler(group), match, path, reading)
  if (!Array.isArray(hooks)) {
    reading.report([...path, 'hooks'], `Here must be a list of handlers; there is ${nameValue(hooks)}.`)
    return []
  }
  return hooks.flatMap((handler: Json, index) =>
    readHandler(event, handler, match, [...path, 'hooks', index], reading),
  )
}

/** `script` and `handler` are other words for `command`. */
function flatHandler({ matcher: _matcher, script, handler, ...rest }: JsonObject): JsonObject {
  const command = rest.command ?? script ?? handler
  return { ...(command === undefined ? {} : { command }), ...rest }
}

function readHandler(
  event: EventKind,
  handler: Json,
  match: Match,
  path: Path,
  reading: Reading,
): readonly HookEntry[] {
  if (!isObject(handler)) {
    reading.report(path, `Here must be an object with \`command\`; there is ${nameValue(handler)}.`)
    return []
  }
  if (isOwn(handler)) return []
  const run = runOf(event, handler, path, reading)
  if (run === undefined) return []
  const condition = conditionOf(event, handler.if, [...path, 'if'], reading)
  const timeoutMs = timeoutMsOf(event, handler.timeout, [...path, 'timeout'], reading)
  const onFailure = failurePolicies(event, handler, [...path, 'onFailure'], reading)
  if (condition === undefined || timeoutMs === undefined || onFailure === undefined) return []
  return [
    {
      on: [event],
      match: { ...match, ...condition },
      actor: reading.scope,
      run: reading.startOf?.(run) ?? run,
      timeoutMs,
      onFailure,
      grants: true,
      origin: reading.place(path),
    },
  ]
}

/** Our own entry, put there by `init` or by hand: it must not start itself. */
function isOwn({ type, command, args, url }: JsonObject): boolean {
  if (type === 'http') return typeof url === 'string' && isHookAddress(url)
  if (typeof command !== 'string') return false
  const run = { type: 'command', command, ...(args === undefined ? {} : { args }) }
  return startsHookProgram(command, args) || asksHoldpoint({ run })
}
