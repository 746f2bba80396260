import type { EventExample, Guard, GuardMatch } from '../../../core/guard.ts'
import { isObject, type JsonObject } from '../../../core/json.ts'
import { changedHooks } from './installed.ts'

/**
 * Agents reload their settings while they run, so a change on disk can disable the guards in the middle of a session,
 * no matter who made it. Such a change is blocked, and the agent keeps the hooks it has. All installed files are checked,
 * not only the one that changed: a change that was blocked before would otherwise apply with the next harmless change.
 */
export const configChange: Guard = {
  id: 'self/config-change',
  title: 'Settings change that disables the guards',
  why: 'After this change, no call would be checked for the rest of the session.',
  instead:
    'report that the settings no longer contain the hooks. The user can restore them by running holdpoint init.',
  on: ['ConfigChange'],
  match: '*',
  modes: { standard: 'deny', strict: 'deny', paranoid: 'deny' },
  examples: {
    stops: [
      change('/home/dev/.claude/settings.json', '{}', { wrong: 'lacks hooks that were installed' }),
      change('/home/dev/.claude/settings.json', undefined, { wrong: 'is gone' }),
      // Another file is the one that changed now.
      change('/srv/project/.claude/settings.local.json', '{"model":"opus"}', { wrong: 'is gone' }),
      change(undefined, undefined, { wrong: 'is gone' }),
      change('/srv/project/.claude/settings.json', '{"model":"opus"}', { off: 'has `disableAllHooks`' }),
      change('/srv/project/.claude/settings.json', '{"disableAllHooks": true}'),
      change('/srv/project/.claude/settings.json', '{"disable\\u0041llHooks": true}'),
      change('/srv/project/.claude/settings.json', '{"a":1,"disableAllHooks"\t:\n"yes"}'),
      change('/srv/project/.claude/settings.json', '{"disableAllHooks":false,"disableAllHooks":true}'),
      change('/srv/elsewhere/.claude/settings.local.json', '\uFEFF{"disableAllHooks":true}'),
      change('/srv/project/.claude/settings.json', '{"enabledPlugins":{"holdpoint@holdpoint": false}}'),
      change('/srv/project/.claude/settings.json', '{"enabledPlugins":{"hold\\u0070oint@team":false}}'),
      change('/srv/project/.claude/settings.json', '{"env":{"HTTP_PROXY":"http://127.0.0.1:1"}}', {
        http: true,
      }),
      change('/srv/project/.claude/settings.json', '{"env":{"all_proxy" : "socks://h"}}', { http: true }),
      change('/srv/project/.claude/settings.json', '{"allowedHttpHookUrls":[]}', { http: true }),
    ],
    passes: [
      change('/srv/project/.claude/settings.json', '{}'),
      change('/srv/project/.claude/settings.json', undefined),
      change('/srv/project/.claude/settings.json', '{"disableAllHooks": false}'),
      change('/srv/project/.claude/settings.json', '{"note":"\\"disableAllHooks\\": true"}'),
      change('/srv/project/.claude/settings.json', '{"disableAllHooks": true, "and more'),
      change(
        '/srv/project/.claude/settings.json',
        '{"enabledPlugins":{"holdpoint@holdpoint":true,"x@y":false}}',
      ),
      change('/srv/project/.claude/settings.local.json', '{"permissions":{"allow":["Bash"]}}'),
      change('/home/dev/.claude/settings.json', '{"model":"opus"}'),
      change('/home/dev/.claude/skills/mux/SKILL.md', 'a skill'),
      { kind: 'ConfigChange', fields: { source: 'skills' } },
      change('/srv/project/.claude/settings.json', '{"env":{"HTTP_PROXY":"http://127.0.0.1:1"}}'),
      change('/srv/project/.claude/settings.json', '{"env":{"PROXY_NAME":"x"}}', { http: true }),
    ],
  },
  async check({ event, facts, options }) {
    if (event.kind !== 'ConfigChange') return null
    const changed = changedHooks(event, facts, options)
    if (changed.length > 0) return { caught: `comes while ${changed.join(', and ')}` }
    const text = event.file === undefined ? undefined : await facts.readText(event.file, SETTINGS_MAX_BYTES)
    return text === undefined ? null : switchIn(settingsOf(text), event.file ?? '', options.http === true)
  },
}

const SETTINGS_MAX_BYTES = 8 * 1024 * 1024

/** As the agent reads it: a text that is not JSON has no settings, and the agent keeps those it has. */
function settingsOf(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''))
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}

function switchIn(settings: JsonObject, file: string, http: boolean): GuardMatch | null {
  const { disableAllHooks, enabledPlugins, env } = settings
  if (disableAllHooks !== undefined && disableAllHooks !== false) {
    return { caught: `switches every hook off in ${file}`, fragment: 'disableAllHooks' }
  }
  // Claude Code keeps the hooks of a plugin until the session ends; the next one would have none.
  const plugin = keysOf(enabledPlugins).find(([name, on]) => /^holdpoint@/.test(name) && on === false)
  if (plugin !== undefined)
    return { caught: `switches the Holdpoint plugin off in ${file}`, fragment: plugin[0] }
  if (!http) return null
  // Where the agent asks over HTTP, a proxy would be asked in our place, and addresses not listed are not asked.
  const proxy = keysOf(env).find(([name]) => /^(?:https?|all)_proxy$/i.test(name))?.[0]
  const diverting = settings.allowedHttpHookUrls === undefined ? proxy : 'allowedHttpHookUrls'
  return diverting === undefined
    ? null
    : { caught: `leads what is asked over HTTP elsewhere, in ${file}`, fragment: diverting }
}

function keysOf(value: JsonObject[string] | undefined): readonly (readonly [string, unknown])[] {
  return isObject(value) ? Object.entries(value) : []
}

function change(
  file: string | undefined,
  text: string | undefined,
  { wrong, off, http = false }: { wrong?: string; off?: string; http?: boolean } = {},
): EventExample {
  const install = { host: 'claude-code', scope: 'user', file: '/home/dev/.claude/settings.json', entries: 2 }
  const settings = { host: 'claude-code', file: '/srv/project/.claude/settings.json' }
  return {
    kind: 'ConfigChange',
    fields: { host: 'claude-code', source: 'user_settings', ...(file === undefined ? {} : { file }) },
    ...(text === undefined || file === undefined ? {} : { files: { [file]: text } }),
    options: {
      installs: [wrong === undefined ? install : { ...install, wrong }],
      switchedOff: off === undefined ? [] : [{ ...settings, wrong: off }],
      http,
    },
  }
}
