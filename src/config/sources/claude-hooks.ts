import { EVENT_KINDS, type EventKind } from '../../core/event.ts'
import type { Matcher } from '../../core/hook.ts'
import { isObject, type Json, type JsonObject } from '../../core/json.ts'
import type { HookEntry } from '../../core/layer.ts'
import { asksHoldpoint } from '../../handlers/own-call.ts'
import { isHookAddress, startsHookProgram } from '../../hosts/hook-entry.ts'
import { conditionOf } from './claude-condition.ts'
import { claudeFailurePolicies, runOf, timeoutMsOf } from './claude-handler.ts'
import { matchOf } from './claude-matcher.ts'
import { type ClaudeHooksOptions, type ClaudeReader, readingOf } from './claude-reading.ts'
import type { Path } from './locate.ts'
import { didYouMean, nameValue } from './problems.ts'

/** More than any real file has. */
const HOOKS_MAX = 10_000
/**
 * The `hooks` object that Claude Code's settings, plugins, skills and agents share: event → groups → handlers, and
 * the flat form in which a group is its own handler. Hooks behave as in Claude Code. If that is not possible exactly,
 * the hook is left out and reported. Pure: nothing in the file is executed.
 */
export function readClaudeHooks(hooks: Json | undefined, options: ClaudeHooksOptions): readonly HookEntry[] {
  const reading = readingOf(options)
  const base = options.path ?? ['hooks']
  if (hooks === undefined) return []
  if (!isObject(hooks)) {
    reading.report(base, 'Expected an object of events, each with a list of hooks.')
    return []
  }
  const entries = new Map<string, HookEntry>()
  for (const [event, groups] of Object.entries(hooks)) {
    for (const entry of readEvent(event, groups, [...base, event], reading)) {
      if (entries.size >= HOOKS_MAX) {
        reading.report(base, `Only the first ${HOOKS_MAX} hooks of this file are read.`)
        return [...entries.values()]
      }
      // Claude Code runs identical handlers once.
      const { origin: _origin, ...what } = entry
      const key = JSON.stringify(what)
      if (!entries.has(key)) entries.set(key, entry)
    }
  }
  return [...entries.values()]
}

function readEvent(name: string, groups: Json, path: Path, reading: ClaudeReader): readonly HookEntry[] {
  const event = EVENT_KINDS.find((kind) => kind === name && kind !== 'Unknown')
  if (event === undefined) {
    const hint = didYouMean(name, EVENT_KINDS)
    reading.report(path, `There is no event \`${name.slice(0, 60)}\`; its hooks never run.${hint}`, {
      code: 'CONFIG_KEY',
      fix: 'Use the event name of Claude Code.',
    })
    return []
  }
  if (!Array.isArray(groups)) {
    reading.report(path, `Expected a list of groups, not ${nameValue(groups)}.`)
    return []
  }
  const on = reading.eventOf?.(event) ?? event
  return groups.flatMap((group: Json, index) => readGroup(on, group, [...path, index], reading))
}

/** `{ matcher, hooks: [...] }`, or a handler without a group. */
function readGroup(event: EventKind, group: Json, path: Path, reading: ClaudeReader): readonly HookEntry[] {
  if (!isObject(group)) {
    reading.report(path, `Expected an object with \`hooks\`, not ${nameValue(group)}.`)
    return []
  }
  const { matcher, hooks } = group
  const match = matchOf(event, matcher, [...path, 'matcher'], reading)
  if (match === undefined) return []
  if (hooks === undefined) return readHandler(event, flatHandler(group), match, path, reading)
  if (!Array.isArray(hooks)) {
    reading.report([...path, 'hooks'], `Expected a list of handlers, not ${nameValue(hooks)}.`)
    return []
  }
  return hooks.flatMap((handler: Json, index) =>
    readHandler(event, handler, match, [...path, 'hooks', index], reading),
  )
}

/** `script` and `handler` are synonyms of `command`. */
function flatHandler({ matcher: _matcher, script, handler, ...rest }: JsonObject): JsonObject {
  const command = rest.command ?? script ?? handler
  return { ...(command === undefined ? {} : { command }), ...rest }
}

function readHandler(
  event: EventKind,
  handler: Json,
  match: Matcher,
  path: Path,
  reading: ClaudeReader,
): readonly HookEntry[] {
  if (!isObject(handler)) {
    reading.report(path, `Expected an object with \`command\`, not ${nameValue(handler)}.`)
    return []
  }
  if (isOwn(handler)) return []
  const run = runOf(event, handler, path, reading)
  if (run === undefined) return []
  const condition = conditionOf(event, handler.if, [...path, 'if'], reading)
  const timeoutMs = timeoutMsOf(event, handler.timeout, [...path, 'timeout'], reading)
  const onFailure = claudeFailurePolicies(event, handler, [...path, 'onFailure'], reading)
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

/** Holdpoint's own entry, added by `init` or by hand: it must not start itself. */
function isOwn({ type, command, args, url }: JsonObject): boolean {
  if (type === 'http') return typeof url === 'string' && isHookAddress(url)
  if (typeof command !== 'string') return false
  const run = { type: 'command', command, ...(args === undefined ? {} : { args }) }
  return startsHookProgram(command, args) || asksHoldpoint({ run })
}
