import { didYouMean } from '../../config/sources/problems.ts'
import { EVENT_KINDS } from '../../core/event.ts'
import { isObject } from '../../core/json.ts'
import { type HookShape, wrongKeys } from '../../hosts/hook-shape.ts'
import { notStrict } from '../../hosts/json-text.ts'
import type { Check } from './check.ts'

/** Mistakes that keep Claude Code from loading a file or an entry. Observed with 2.1.325. */
export const LOADING_CHECKS: readonly Check[] = [
  {
    id: 'strict-json',
    severity: 'error',
    title: 'Comments or trailing commas',
    why: 'Claude Code reads strict JSON. It does not load this file, and none of its hooks runs.',
    instead: 'Remove the comment or the comma.',
    bad: { settings: '{\n  // block rm\n  "hooks": {}\n}' },
    good: { settings: '{\n  "hooks": {}\n}' },
    find({ text, root }) {
      const loose = root === undefined ? undefined : notStrict(text)
      return loose === undefined
        ? []
        : [{ path: [], line: loose.line, what: `Not strict JSON: ${loose.why}.` }]
    },
  },
  {
    id: 'too-large',
    severity: 'error',
    title: 'A settings file over 2 MiB',
    why: 'Claude Code does not load a settings file over 2 MiB. None of its hooks runs.',
    instead: 'Move everything that is not a setting into other files.',
    bad: { settings: `{${' '.repeat(2 * 1024 * 1024)}}` },
    good: { settings: '{}' },
    find({ text }) {
      const bytes = new TextEncoder().encode(text).length
      return bytes > SETTINGS_MAX_BYTES ? [{ path: [], what: `The file has ${bytes} bytes.` }] : []
    },
  },
  {
    id: 'object-matcher',
    severity: 'error',
    title: 'A matcher that is an object',
    why: 'A matcher must be a text. At PreToolUse and PermissionRequest, Claude Code ignores the whole file, with all its other hooks and permissions. At other events it ignores the entry.',
    instead: 'Write the pattern itself: `"matcher": "Bash"`.',
    bad: {
      settings:
        '{"hooks": {"PreToolUse": [{"matcher": {"toolName": "Bash"}, "hooks": [{"type": "command", "command": "true"}]}]}}',
    },
    good: {
      settings:
        '{"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "true"}]}]}}',
    },
    find({ handlers }) {
      const wrong = handlers.filter(({ matcher }) => matcher !== undefined && typeof matcher !== 'string')
      const first = new Map(wrong.map((handler) => [handler.matcherPath.join('.'), handler]))
      return [...first.values()].map(({ matcherPath, matcher }) => ({
        path: matcherPath,
        what: `The matcher is ${isObject(matcher) ? 'an object' : 'not a text'}.`,
      }))
    },
  },
  {
    id: 'wrong-shape',
    severity: 'error',
    title: 'An invalid entry at PreToolUse or PermissionRequest',
    why: 'Because of one invalid entry, Claude Code ignores the whole settings file.',
    instead: 'Write `{"matcher": "…", "hooks": [{"type": "command", "command": "…", "timeout": 10}]}`.',
    bad: { settings: '{"hooks": {"PreToolUse": [{"matcher": "Bash", "command": "./guard.sh"}]}}' },
    good: {
      settings:
        '{"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "true"}]}]}}',
    },
    find({ root }) {
      return wrongKeys(root, SHAPE)
        .filter((key) => !key.endsWith('.matcher'))
        .map((key) => ({ path: pathOf(key), what: `\`${key}\` is missing or has the wrong type.` }))
    },
  },
  {
    id: 'unknown-event',
    severity: 'error',
    title: 'An event that does not exist',
    why: 'Claude Code ignores events it does not know, so these hooks never run.',
    instead: 'Write the name of an event: `PreToolUse`, `PostToolUse`, `Stop`, …',
    bad: { settings: '{"hooks": {"preToolUse": []}}' },
    good: { settings: '{"hooks": {"PreToolUse": []}}' },
    find({ json: { hooks } }) {
      return Object.keys(isObject(hooks) ? hooks : {})
        .filter((event) => event === 'Unknown' || !EVENT_KINDS.some((kind) => kind === event))
        .map((event) => ({
          path: ['hooks', event],
          what: `There is no event \`${event.slice(0, 60)}\`.${didYouMean(event, EVENT_KINDS)}`,
        }))
    },
  },
  {
    id: 'skill-hook',
    severity: 'warning',
    title: 'The key `preToolUseHook`',
    why: 'Claude Code does not know this key and never runs the hook. Holdpoint runs it if the file is imported.',
    instead:
      'Import the file with `imports: [claude-settings]`, or move the hook into the front matter of its skill.',
    bad: { settings: '{"preToolUseHook": {"enabled": true, "script": "./guard.py", "skillScope": ["mux"]}}' },
    good: { settings: '{"hooks": {}}' },
    find({ json }) {
      return json.preToolUseHook === undefined
        ? []
        : [{ path: ['preToolUseHook'], what: '`preToolUseHook` is not a key of Claude Code.' }]
    },
  },
  {
    id: 'hooks-off',
    severity: 'error',
    title: 'All hooks switched off',
    why: '`disableAllHooks` switches off every hook, including those in other settings files and in plugins.',
    instead: 'Remove it.',
    bad: { settings: '{"disableAllHooks": true}' },
    good: { settings: '{"disableAllHooks": false}' },
    find({ json: { disableAllHooks } }) {
      return disableAllHooks === undefined || disableAllHooks === false
        ? []
        : [{ path: ['disableAllHooks'], what: 'All hooks are switched off.' }]
    },
  },
]

const SETTINGS_MAX_BYTES = 2 * 1024 * 1024

const SHAPE: HookShape = {
  events: new Set(['PreToolUse', 'PermissionRequest']),
  types: new Set(['command', 'prompt', 'agent', 'http', 'mcp_tool']),
  groupNeedsHooks: true,
  matcherMayBeNull: false,
}

function pathOf(key: string): readonly (string | number)[] {
  return key.split('.').map((step) => (/^\d+$/.test(step) ? Number(step) : step))
}
