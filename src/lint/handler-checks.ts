import type { Check, Found } from './check.ts'
import type { ClaudeFile, ClaudeHandler } from './claude-file.ts'

/** What a handler says about how it is run. */
export const HANDLER_CHECKS: readonly Check[] = [
  {
    id: 'timeout-milliseconds',
    severity: 'error',
    title: 'A timeout in milliseconds',
    why: 'Timeouts are seconds. A hook that hangs holds the agent for a quarter of an hour and more.',
    instead: 'Write seconds: `"timeout": 10`.',
    bad: example('PreToolUse', { timeout: 5000 }),
    good: example('PreToolUse', { timeout: 5 }),
    find: eachHandler(({ value: { timeout } }) =>
      typeof timeout === 'number' && timeout >= 1000
        ? ['timeout', `\`${timeout}\` is ${Math.round(timeout / 60)} minutes.`]
        : undefined,
    ),
  },
  {
    id: 'timeout-too-short',
    severity: 'error',
    title: 'A timeout in which no program can start',
    why: 'Timeouts are seconds, and a hook that is stopped before it answers lets the call go on.',
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
    title: 'No timeout where something waits',
    why: 'Without one Claude Code waits ten minutes for a hook that hangs (half a minute at UserPromptSubmit).',
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
    title: 'A guard that lets everything go when it fails',
    why: 'A hook that crashes, is missing, is late or prints nonsense lets the tool run. Claude Code 2.1.295 and newer can stop it instead.',
    instead:
      'Write `"onFailure": "block"` where all your Claude Code are that new, or let Holdpoint run it: `holdpoint adopt --closed`.',
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
    title: '`onFailure` where it does nothing',
    why: 'At Stop, SubagentStop, TaskCompleted and TeammateIdle, and for hooks in the background, Claude Code goes on whatever `onFailure` says.',
    instead: 'Remove it, so that nobody relies on it.',
    bad: example('Stop', { timeout: 10, onFailure: 'block' }),
    good: example('Stop', { timeout: 10 }),
    find: eachHandler(({ event, value }) =>
      value.onFailure === 'block' && (NEVER_BLOCKED.has(event) || value.async === true)
        ? ['onFailure', 'It is not looked at here.']
        : undefined,
    ),
  },
  {
    id: 'if-never-fires',
    severity: 'error',
    title: '`if` at an event without a tool',
    why: 'Claude Code looks at `if` only where there is a tool call; elsewhere a hook with `if` never runs.',
    instead: 'Remove `if`, and let the script decide.',
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
    title: 'A guard in the background',
    why: 'The answer of a hook with `async` is ignored: the call goes on before the hook has even read it.',
    instead: 'Remove `async`.',
    bad: example('PreToolUse', { timeout: 10, async: true }),
    good: example('PostToolUse', { timeout: 10, async: true }),
    find: eachHandler(({ event, value }) =>
      ACTS.has(event) && (value.async === true || value.asyncRewake === true)
        ? [value.async === true ? 'async' : 'asyncRewake', 'Its answer is ignored.']
        : undefined,
    ),
  },
  {
    id: 'http-never-asked',
    severity: 'error',
    title: 'An address at SessionStart or Setup',
    why: 'Claude Code asks nobody over HTTP there.',
    instead: 'Use a command.',
    bad: example('SessionStart', { type: 'http', url: 'http://127.0.0.1:8080/hook' }),
    good: example('PostToolUse', { type: 'http', url: 'http://127.0.0.1:8080/hook' }),
    find: eachHandler(({ event, value }) =>
      value.type === 'http' && (event === 'SessionStart' || event === 'Setup')
        ? ['type', `No address is asked at ${event}.`]
        : undefined,
    ),
  },
  {
    id: 'once-ignored',
    severity: 'warning',
    title: '`once` outside of a skill',
    why: 'Only skills have hooks that run once; in settings the hook runs every time.',
    instead: 'Remove `once`, and let the script remember.',
    bad: example('SessionStart', { once: true }),
    good: example('SessionStart', {}),
    find: eachHandler(({ value: { once } }) =>
      once === true ? ['once', '`once` is not looked at here.'] : undefined,
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
const TOOLED: ReadonlySet<string> = new Set([
  'PreToolUse',
  'PermissionRequest',
  'PermissionDenied',
  'PostToolUse',
  'PostToolUseFailure',
])

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

/** The key of the handler at fault, or the handler itself, and what is wrong. */
type Fault = readonly [key: string, what: string]

function eachHandler(
  say: (handler: ClaudeHandler) => Fault | undefined,
): (file: ClaudeFile) => readonly Found[] {
  return ({ handlers }) =>
    handlers.flatMap((handler) => {
      const fault = say(handler)
      if (fault === undefined) return []
      const [key, what] = fault
      return [{ path: key === '' ? handler.path : [...handler.path, key], what }]
    })
}
