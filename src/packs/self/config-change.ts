import type { Guard } from '../guard.ts'
import { guardedFrom } from './guarded-path.ts'

/**
 * Agents reload their settings while they run, so a change on disk, whoever made it, can switch the guard off in
 * the middle of a session. A change that would is held back: the agent then keeps the hooks it has.
 */
export const configChange: Guard = {
  id: 'self/config-change',
  title: 'A settings change that drops the guard',
  why: 'With it, nothing would be judged for the rest of the session.',
  instead:
    'tell the person that the settings no longer hold the hooks; holdpoint init, run by them, puts them back.',
  on: ['ConfigChange'],
  match: '*',
  modes: { standard: 'deny', strict: 'deny', paranoid: 'deny' },
  examples: {
    stops: [
      change('/home/dev/.claude/settings.json', '{}'),
      change('/home/dev/.claude/settings.json', '{"hooks":{}}'),
      change('/home/dev/.claude/settings.json', 'not json'),
      change('/home/dev/.claude/settings.json', undefined),
      change(
        '/home/dev/.claude/settings.json',
        '{"hooks":{"Stop":[{"hooks":[{"command":"/h/bin/holdpoint-hook"}]}]}}',
      ),
      change('/srv/project/.claude/settings.json', '{"disableAllHooks": true}'),
      change('/srv/project/.claude/settings.json', '{\n  "disableAllHooks"\t:\ttrue\n}'),
      change('/srv/project/.claude/settings.local.json', '{"a":1,"disableAllHooks":true}'),
      change('/srv/project/.claude/settings.json', '{"env":{"HTTP_PROXY":"http://127.0.0.1:1"}}', true),
      change('/srv/project/.claude/settings.json', '{"env":{"all_proxy" : "socks://h"}}', true),
      change('/srv/project/.claude/settings.json', '{"allowedHttpHookUrls":[]}', true),
    ],
    passes: [
      change('/srv/project/.claude/settings.json', '{}'),
      change('/srv/project/.claude/settings.json', undefined),
      change('/srv/project/.claude/settings.json', '{"disableAllHooks": false}'),
      change('/srv/project/.claude/settings.local.json', '{"permissions":{"allow":["Bash"]}}'),
      change('/home/dev/.claude/settings.json', ENTRIES()),
      change('/home/dev/.claude/settings.json', `${ENTRIES()} // and more`),
      change('/home/dev/.claude/skills/mux/SKILL.md', 'a skill'),
      { kind: 'ConfigChange', fields: { source: 'skills' } },
      change('/srv/project/.claude/settings.json', '{"env":{"HTTP_PROXY":"http://127.0.0.1:1"}}'),
      change('/srv/project/.claude/settings.json', '{"env":{"PROXY_NAME":"x"}}', true),
    ],
  },
  async check({ event, facts, options }) {
    if (event.kind !== 'ConfigChange' || event.file === undefined) return null
    const text = await facts.readText(event.file, SETTINGS_MAX_BYTES)
    if (text !== undefined && /"disableAllHooks"\s*:\s*true/.test(text)) {
      return { caught: `switches every hook off in ${event.file}`, fragment: 'disableAllHooks' }
    }
    const diverting = options.http === true ? DIVERTS.exec(text ?? '')?.[1] : undefined
    if (diverting !== undefined) {
      return { caught: `leads what is asked over HTTP elsewhere, in ${event.file}`, fragment: diverting }
    }
    const entries = guardedFrom(options, facts.home).installs.get(event.file)
    if (entries === undefined) return null
    const found = text?.split('holdpoint-hook').length ?? 1
    return found > entries ? null : { caught: `takes the hooks out of ${event.file}` }
  },
}

/** Where the agent asks over HTTP: a proxy would be asked in our place, and addresses not listed are not asked. */
const DIVERTS = /"((?:https?|all)_proxy|allowedHttpHookUrls)"\s*:/i

const SETTINGS_MAX_BYTES = 8 * 1024 * 1024

function ENTRIES(): string {
  return JSON.stringify({
    hooks: { PreToolUse: [{ command: '/h/holdpoint-hook' }], Stop: [{ command: '/h/holdpoint-hook' }] },
  })
}

function change(file: string, text: string | undefined, http = false) {
  return {
    kind: 'ConfigChange' as const,
    fields: { source: 'user_settings', file },
    ...(text === undefined ? {} : { files: { [file]: text } }),
    options: { installs: [{ file: '/home/dev/.claude/settings.json', entries: 2 }], http },
  }
}
