import { wordSet } from '../../core/word-list.ts'
import type { Check, LintMatch, Replacement } from './check.ts'
import type { ClaudeFile, ClaudeHandler } from './claude-file.ts'

/** Checks of how a handler is run. */
export const HANDLER_CHECKS: readonly Check[] = [
  {
    id: 'timeout-milliseconds',
    severity: 'error',
    title: 'A timeout in milliseconds',
    why: 'A timeout is in seconds. If the hook hangs, the agent waits for a quarter of an hour or longer.',
    instead: 'Write seconds: `"timeout": 10`.',
    bad: example('PreToolUse', { timeout: 5000 }),
    good: example('PreToolUse', { timeout: 5 }),
    find: eachHandler(({ value: { timeout } }) =>
      typeof timeout === 'number' && timeout >= 1000
        ? [
            'timeout',
            `\`${timeout}\` is ${Math.round(timeout / 60)} minutes.`,
            { old: String(timeout), with: String(Math.max(1, Math.round(timeout / 1000))) },
          ]
        : undefined,
    ),
  },
  {
    id: 'timeout-too-short',
    severity: 'error',
    title: 'A timeout that is too short to start a program',
    why: 'A timeout is in seconds. If the hook is stopped before it answers, the call continues.',
    instead: 'Write at least one second.',
    bad: example('PreToolUse', { timeout: 0.01 }),
    good: example('PreToolUse', { timeout: 1 }),
    find: eachHandler(({ value: { timeout } }) =>
      typeof timeout === 'number' && timeout < 0.5
        ? ['timeout', `\`${timeout}\` is ${Math.max(0, Math.round(timeout * 1000))} milliseconds.`]
        : undefined,
    ),
  },
  {
    id: 'no-timeout',
    severity: 'warning',
    title: 'No timeout at an event that waits for the hook',
    why: 'If the hook hangs, Claude Code waits ten minutes for it (30 seconds at UserPromptSubmit).',
    instead: 'Write `"timeout": 10`.',
    bad: example('PreToolUse', { onFailure: 'block' }),
    good: example('PreToolUse', { timeout: 10 }),
    find: eachHandler(({ event, value }) =>
      HOLDS.has(event) && isRun(value.type) && value.timeout === undefined
        ? ['', 'There is no timeout.']
        : undefined,
    ),
  },
  {
    id: 'fails-open',
    severity: 'warning',
    title: 'A guard that allows everything when it fails',
    why: 'If the hook crashes, is missing, times out or prints invalid output, the tool runs. Claude Code 2.1.295 and newer can block the call instead.',
    instead:
      'Write `"onFailure": "block"` if all your installations of Claude Code are new enough, or let Holdpoint run the hook: `holdpoint adopt --closed`.',
    bad: example('PreToolUse', { timeout: 10 }),
    good: example('PreToolUse', { timeout: 10, onFailure: 'block' }),
    find: eachHandler(({ event, value }) =>
      ACTS.has(event) && isRun(value.type) && value.onFailure === undefined
        ? ['', 'There is no `onFailure`.']
        : undefined,
    ),
  },
  {
    id: 'on-failure-ignored',
    severity: 'warning',
    title: '`onFailure` that has no effect',
    why: 'At Stop, SubagentStop, TaskCompleted and TeammateIdle, and for background hooks, Claude Code ignores `onFailure` and continues.',
    instead: 'Remove `onFailure`.',
    bad: example('Stop', { timeout: 10, onFailure: 'block' }),
    good: example('Stop', { timeout: 10 }),
    find: eachHandler(({ event, value }) =>
      value.onFailure === 'block' && (NEVER_BLOCKED.has(event) || value.async === true)
        ? ['onFailure', '`onFailure` is ignored here.']
        : undefined,
    ),
  },
  {
    id: 'if-never-fires',
    severity: 'error',
    title: '`if` at an event without a tool',
    why: 'Claude Code evaluates `if` only at events with a tool call. At other events, a hook with `if` never runs.',
    instead: 'Remove `if`, and check the condition in the script.',
    bad: example('Stop', { timeout: 10, if: 'Bash(git *)' }),
    good: example('Stop', { timeout: 10 }),
    find: eachHandler(({ event, value }) =>
      value.if !== undefined && !TOOLED.has(event)
        ? ['if', `A hook with \`if\` never runs at ${event.slice(0, 60)}.`]
        : undefined,
    ),
  },
  {
    id: 'background-guard',
    severity: 'error',
    title: 'A guard that runs in the background',
    why: 'The answer of a hook with `async` is ignored. The call runs before the hook has read it.',
    instead: 'Remove `async`.',
    bad: example('PreToolUse', { timeout: 10, async: true }),
    good: example('PostToolUse', { timeout: 10, async: true }),
    find: eachHandler(({ event, value }) =>
      ACTS.has(event) && (value.async === true || value.asyncRewake === true)
        ? [value.async === true ? 'async' : 'asyncRewake', 'The answer of this hook is ignored.']
        : undefined,
    ),
  },
  {
    id: 'http-never-asked',
    severity: 'error',
    title: 'An HTTP hook at SessionStart or Setup',
    why: 'Claude Code runs no HTTP hooks at these events.',
    instead: 'Use a command hook.',
    bad: example('SessionStart', { type: 'http', url: 'http://127.0.0.1:8080/hook' }),
    good: example('PostToolUse', { type: 'http', url: 'http://127.0.0.1:8080/hook' }),
    find: eachHandler(({ event, value }) =>
      value.type === 'http' && (event === 'SessionStart' || event === 'Setup')
        ? ['type', `HTTP hooks do not run at ${event}.`]
        : undefined,
    ),
  },
  {
    id: 'once-ignored',
    severity: 'warning',
    title: '`once` outside a skill',
    why: '`once` works only in skills. In settings, the hook runs every time.',
    instead: 'Remove `once`, and let the script remember that it has run.',
    bad: example('SessionStart', { once: true }),
    good: example('SessionStart', {}),
    find: eachHandler(({ value: { once } }) =>
      once === true ? ['once', '`once` is ignored here.'] : undefined,
    ),
  },
]

const ACTS: ReadonlySet<string> = new Set([
  'PreToolUse',
  'PermissionRequest',
  'UserPromptSubmit',
  'ConfigChange',
])
const NEVER_BLOCKED: ReadonlySet<string> = new Set(['Stop', 'SubagentStop', 'TaskCompleted', 'TeammateIdle'])
const HOLDS: ReadonlySet<string> = new Set([...ACTS, ...NEVER_BLOCKED])
const TOOLED = wordSet('PreToolUse PermissionRequest PermissionDenied PostToolUse PostToolUseFailure')

function isRun(type: unknown): boolean {
  return type === undefined || type === 'command' || type === 'http'
}

function example(event: string, more: object): { readonly settings: string } {
  const handler = { type: 'command', command: 'true', ...more }
  const { command: _command, ...address } = handler
  return {
    settings: JSON.stringify({ hooks: { [event]: [{ hooks: ['url' in more ? address : handler] }] } }),
  }
}

/** The key of the wrong handler, or the handler itself, and what is wrong. */
type Fault = readonly [key: string, what: string, replace?: Replacement]

function eachHandler(
  say: (handler: ClaudeHandler) => Fault | undefined,
): (file: ClaudeFile) => readonly LintMatch[] {
  return ({ handlers }) =>
    handlers.flatMap((handler) => {
      const fault = say(handler)
      if (fault === undefined) return []
      const [key, what, replace] = fault
      const path = key === '' ? handler.path : [...handler.path, key]
      return [{ path, what, ...(replace === undefined ? {} : { replace }) }]
    })
}
