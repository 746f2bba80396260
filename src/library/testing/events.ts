import type { Actor } from '../../core/actor.ts'
import type { Event, EventKind, EventOf } from '../../core/event.ts'
import type { Facts } from '../../core/facts.ts'
import type { JsonObject } from '../../core/json.ts'

/** Builders for tests: complete default values; pass only what the test is about. */

type Overrides = Readonly<Record<string, unknown>>

/** A PreToolUse event for a call of `tool`. */
export function toolCall(tool: string, input: JsonObject, more: Overrides = {}): EventOf<'PreToolUse'> {
  return eventOf('PreToolUse', { tool: { name: tool, input, useId: 'call-1' }, ...more })
}

/** A PreToolUse event for a shell command. */
export function bash(command: string, more: Overrides = {}): EventOf<'PreToolUse'> {
  return toolCall('Bash', { command }, more)
}

/** An event of any kind; `fields` must contain what the kind needs. */
export function eventOf<K extends EventKind>(kind: K, fields: Overrides = {}): EventOf<K> {
  const base = { host: 'test', name: kind, session: 'session-1', cwd: '/srv/project', raw: {} }
  return { ...base, ...fields, kind } as unknown as EventOf<K>
}

export function actorOf(event: Event, more: Partial<Actor> = {}): Actor {
  return {
    session: event.session,
    role: event.agentId === undefined ? 'main' : 'subagent',
    skills: [],
    scopeKnown: true,
    ...(event.agentId === undefined ? {} : { agentId: event.agentId, parent: 'unknown' }),
    ...(event.agentType === undefined ? {} : { agentType: event.agentType }),
    ...more,
  }
}

/** Facts that never change and read nothing. `files` are what `readText`, `list` and `realpath` see. */
export function frozenFacts(
  more: Partial<Facts> & { readonly files?: Readonly<Record<string, string>> } = {},
): Facts {
  const { files = {}, ...rest } = more
  return {
    cwd: '/srv/project',
    home: '/home/dev',
    project: '/srv/project',
    platform: 'linux',
    // Dates are local, so tests use a fixed zone.
    env: { TZ: 'UTC' },
    now: () => new Date('2026-01-15T12:00:00Z'),
    branch: () => 'main',
    readText: async (path) => files[path],
    readNow: (path) => files[path],
    list: async (path) => [
      ...new Set(
        Object.keys(files)
          .filter((file) => file.startsWith(`${path}/`))
          .map((file) => file.slice(path.length + 1).split('/')[0] ?? ''),
      ),
    ],
    stat: async (path) => {
      const text = files[path]
      if (text !== undefined) return { kind: 'file', sizeBytes: text.length, modifiedMs: 0 }
      const isFolder = Object.keys(files).some((file) => file.startsWith(`${path}/`))
      return isFolder ? { kind: 'folder', sizeBytes: 0, modifiedMs: 0 } : undefined
    },
    realpath: (path) => path,
    recentCommits: async () => [],
    ...rest,
  }
}
