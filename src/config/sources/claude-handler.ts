import type { EventKind } from '../../core/event.ts'
import { FAILURE_KINDS, type HandlerSpec, type OnFailure } from '../../core/hook.ts'
import { addressFault } from '../../core/http-address.ts'
import { isObject, type Json, type JsonObject } from '../../core/json.ts'
import type { ClaudeReader } from './claude-reading.ts'
import type { Path } from './locate.ts'
import { nameValue } from './problems.ts'

/** How a handler is run. Undefined if it cannot be run here, which is reported. */
export function runOf(
  event: EventKind,
  handler: JsonObject,
  path: Path,
  reading: ClaudeReader,
): HandlerSpec | undefined {
  const type = handler.type ?? 'command'
  if (handler.async === true || handler.asyncRewake === true) {
    const message =
      'Claude Code runs this hook in the background and ignores its answer. Holdpoint waits for it and uses its answer.'
    reading.report([...path, 'async'], message, { code: 'CONFIG_VALUE', severity: 'warning' })
  }
  if (handler.once === true && reading.honoursOnce === true) {
    const message = 'Claude Code runs this hook once in a session. Holdpoint runs it every time.'
    reading.report([...path, 'once'], message, { code: 'CONFIG_VALUE', severity: 'warning' })
  }
  if (type === 'command') return commandRun(handler, path, reading)
  if (type === 'http') return httpRun(event, handler, path, reading)
  if (typeof type === 'string' && NEEDS_AGENT.has(type)) {
    const message = `A hook of type \`${type}\` needs the model or the servers of the agent, so Holdpoint does not run it.`
    reading.report([...path, 'type'], message, { code: 'CONFIG_VALUE', severity: 'warning' })
  } else {
    reading.report(
      [...path, 'type'],
      `The hook type must be one of the known types, not ${nameValue(type)}.`,
      {
        code: 'CONFIG_VALUE',
        fix: 'Write `"type": "command"` or `"type": "http"`.',
      },
    )
  }
  return undefined
}

const NEEDS_AGENT: ReadonlySet<string> = new Set(['prompt', 'agent', 'mcp_tool'])

function commandRun(handler: JsonObject, path: Path, reading: ClaudeReader): HandlerSpec | undefined {
  const { command, args, shell } = handler
  if (typeof command !== 'string' || command.trim() === '' || command.includes('\0')) {
    reading.report([...path, 'command'], `Expected a command, not ${nameValue(command)}.`)
    return undefined
  }
  if (args !== undefined && !isTexts(args)) {
    reading.report([...path, 'args'], `Expected a list of texts, not ${nameValue(args)}.`)
    return undefined
  }
  if (shell !== undefined && shell !== 'bash') {
    reading.report(
      [...path, 'shell'],
      `Holdpoint does not support ${nameValue(shell)} as a shell, so the hook was left out.`,
    )
    return undefined
  }
  return {
    type: 'command',
    command: args === undefined ? shellLine(command) : command,
    ...(args === undefined ? {} : { args }),
    protocol: 'claude',
    root: reading.root,
  }
}

/** Claude Code passes every command to a shell. A single word with shell syntax must not be read as a path. */
function shellLine(command: string): string {
  if (!/^\S*\/\S*$/.test(command) || /^[\w./@%+=:,-]+$/.test(command)) return command
  // After an operator there is a second command, which `exec` would never run.
  return /^[\w./@%+=:,"'${}~-]+$/.test(command) ? `exec ${command}` : `: ; ${command}`
}

/** Events at which Claude Code runs no HTTP hooks. */
const WITHOUT_HTTP: ReadonlySet<EventKind> = new Set<EventKind>(['SessionStart', 'Setup'])

function httpRun(
  event: EventKind,
  handler: JsonObject,
  path: Path,
  reading: ClaudeReader,
): HandlerSpec | undefined {
  const { url, headers, allowedEnvVars } = handler
  const fault = typeof url === 'string' ? addressFault(url, true) : 'no text'
  if (typeof url !== 'string' || fault !== undefined) {
    reading.report([...path, 'url'], `${nameValue(url)} is ${fault}.`)
    return undefined
  }
  if (headers !== undefined && !(isObject(headers) && isTexts(Object.values(headers)))) {
    reading.report([...path, 'headers'], `Expected an object of texts, not ${nameValue(headers)}.`)
    return undefined
  }
  if (allowedEnvVars !== undefined && !isTexts(allowedEnvVars)) {
    reading.report([...path, 'allowedEnvVars'], 'Expected a list of variable names.')
    return undefined
  }
  if (WITHOUT_HTTP.has(event)) {
    const message = `Claude Code runs no HTTP hooks at ${event}, so this hook was left out.`
    reading.report(path, message, { code: 'CONFIG_VALUE', severity: 'warning' })
    return undefined
  }
  const danger = addressFault(url, false)
  if (danger !== undefined) {
    const message = `This hook runs as in Claude Code, but its address is ${danger}.`
    reading.report([...path, 'url'], message, {
      code: 'CONFIG_VALUE',
      severity: 'warning',
      fix: 'Use https.',
    })
  }
  return {
    type: 'http',
    url,
    ...(danger === undefined ? {} : { insecure: true }),
    ...(headers === undefined ? {} : { headers }),
    ...(allowedEnvVars === undefined ? {} : { allowedEnvVars }),
  }
}

function isTexts(value: Json): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string' && !item.includes('\0'))
}

/** Claude Code's default timeouts. The time that all hooks of an event share limits them further. */
const TIMEOUT_MS: Readonly<Partial<Record<EventKind, number>>> = {
  UserPromptSubmit: 30_000,
  PreModelSwitch: 30_000,
  MessageDisplay: 10_000,
  SessionEnd: 1_500,
}
const LONGEST_TIMEOUT_MS = 600_000

/** In seconds. Undefined: it is not a duration, which is reported. */
export function timeoutMsOf(
  event: EventKind,
  timeout: Json | undefined,
  path: Path,
  reading: ClaudeReader,
): number | undefined {
  if (timeout === undefined) return TIMEOUT_MS[event] ?? LONGEST_TIMEOUT_MS
  if (typeof timeout !== 'number' || !(timeout > 0)) {
    reading.report(path, `The timeout must be a number of seconds, not ${nameValue(timeout)}.`)
    return undefined
  }
  return Math.min(Math.ceil(timeout * 1_000), LONGEST_TIMEOUT_MS)
}

/** Events at which the host continues even with `onFailure: "block"`. */
const NEVER_BLOCKED: ReadonlySet<EventKind> = new Set<EventKind>([
  'Stop',
  'SubagentStop',
  'TaskCompleted',
  'TeammateIdle',
])

/**
 * What the host does if the hook cannot answer: it continues, unless the handler says `onFailure: "block"`. Set for
 * every kind of failure, because our own default is stricter. Untrusted code never blocks the work by itself.
 */
export function claudeFailurePolicies(
  event: EventKind,
  handler: JsonObject,
  path: Path,
  reading: ClaudeReader,
): OnFailure | undefined {
  const { onFailure } = handler
  if (onFailure !== undefined && onFailure !== 'block' && onFailure !== 'continue') {
    reading.report(path, `Expected \`block\` or \`continue\`, not ${nameValue(onFailure)}.`)
    return undefined
  }
  const isBackground = handler.async === true || handler.asyncRewake === true
  const blocks = onFailure === 'block' && !NEVER_BLOCKED.has(event) && !isBackground
  const all = Object.fromEntries(FAILURE_KINDS.map((kind) => [kind, blocks ? 'deny' : 'pass']))
  return { ...(all as OnFailure), untrusted: 'pass' }
}
