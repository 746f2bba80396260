import type { EventKind } from '../event.ts'
import { addressFault } from '../handlers/http-address.ts'
import { FAILURE_KINDS, type OnFailure, type Run } from '../hook.ts'
import { isObject, type Json, type JsonObject } from '../json.ts'
import type { Reading } from './claude-reading.ts'
import type { Path } from './locate.ts'
import { nameValue } from './problems.ts'

/** How a handler is run; undefined when it cannot be run here, which is said. */
export function runOf(event: EventKind, handler: JsonObject, path: Path, reading: Reading): Run | undefined {
  const type = handler.type ?? 'command'
  if (handler.async === true || handler.asyncRewake === true) {
    const message =
      'The agent runs this in the background and ignores its answer; Holdpoint waits for it, and its answer counts.'
    reading.report([...path, 'async'], message, { code: 'CONFIG_VALUE', severity: 'warning' })
  }
  if (handler.once === true && reading.honoursOnce === true) {
    const message = 'The agent runs this once a session; Holdpoint runs it every time.'
    reading.report([...path, 'once'], message, { code: 'CONFIG_VALUE', severity: 'warning' })
  }
  if (type === 'command') return commandRun(handler, path, reading)
  if (type === 'http') return httpRun(event, handler, path, reading)
  if (typeof type === 'string' && NEEDS_AGENT.has(type)) {
    const message = `A hook of type \`${type}\` needs the agent's own model or servers; Holdpoint does not run it.`
    reading.report([...path, 'type'], message, { code: 'CONFIG_VALUE', severity: 'warning' })
  } else {
    reading.report([...path, 'type'], `There is no type of hook ${nameValue(type)}.`, {
      code: 'CONFIG_VALUE',
      fix: 'Write `"type": "command"` or `"type": "http"`.',
    })
  }
  return undefined
}

const NEEDS_AGENT: ReadonlySet<string> = new Set(['prompt', 'agent', 'mcp_tool'])

function commandRun(handler: JsonObject, path: Path, reading: Reading): Run | undefined {
  const { command, args, shell } = handler
  if (typeof command !== 'string' || command.trim() === '' || command.includes('\0')) {
    reading.report([...path, 'command'], `Here must be a command; there is ${nameValue(command)}.`)
    return undefined
  }
  if (args !== undefined && !isTexts(args)) {
    reading.report([...path, 'args'], `Here must be a list of texts; there is ${nameValue(args)}.`)
    return undefined
  }
  if (shell !== undefined && shell !== 'bash') {
    reading.report(
      [...path, 'shell'],
      `Holdpoint starts no ${nameValue(shell)} for a hook, so it was left out.`,
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

/** Claude Code hands every command to a shell; one word that only a shell can read must not be taken for a path. */
function shellLine(command: string): string {
  if (!/^\S*\/\S*$/.test(command) || /^[\w./@%+=:,-]+$/.test(command)) return command
  // Behind an operator there is a second command, which `exec` would never come to.
  return /^[\w./@%+=:,"'${}~-]+$/.test(command) ? `exec ${command}` : `: ; ${command}`
}

/** Where Claude Code asks nobody over HTTP. */
const WITHOUT_HTTP: ReadonlySet<EventKind> = new Set<EventKind>(['SessionStart', 'Setup'])

function httpRun(event: EventKind, handler: JsonObject, path: Path, reading: Reading): Run | undefined {
  const { url, headers, allowedEnvVars } = handler
  const fault = typeof url === 'string' ? addressFault(url, true) : 'no text'
  if (typeof url !== 'string' || fault !== undefined) {
    reading.report([...path, 'url'], `${nameValue(url)} is ${fault}.`)
    return undefined
  }
  if (headers !== undefined && !(isObject(headers) && isTexts(Object.values(headers)))) {
    reading.report([...path, 'headers'], `Here must be an object of texts; there is ${nameValue(headers)}.`)
    return undefined
  }
  if (allowedEnvVars !== undefined && !isTexts(allowedEnvVars)) {
    reading.report([...path, 'allowedEnvVars'], 'Here must be a list of names of variables.')
    return undefined
  }
  if (WITHOUT_HTTP.has(event)) {
    const message = `Claude Code asks nobody over HTTP at ${event}, so it was left out.`
    reading.report(path, message, { code: 'CONFIG_VALUE', severity: 'warning' })
    return undefined
  }
  const danger = addressFault(url, false)
  if (danger !== undefined) {
    const message = `Claude Code asks this address, and so does Holdpoint; but it is ${danger}.`
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

/** How long Claude Code waits where the handler does not say; what all hooks of an event share cuts it further. */
const TIMEOUT_MS: Readonly<Partial<Record<EventKind, number>>> = {
  UserPromptSubmit: 30_000,
  PreModelSwitch: 30_000,
  MessageDisplay: 10_000,
  SessionEnd: 1_500,
}
const LONGEST_TIMEOUT_MS = 600_000

/** Written in seconds. Undefined: it is not a length of time, which is said. */
export function timeoutMsOf(
  event: EventKind,
  timeout: Json | undefined,
  path: Path,
  reading: Reading,
): number | undefined {
  if (timeout === undefined) return TIMEOUT_MS[event] ?? LONGEST_TIMEOUT_MS
  if (typeof timeout !== 'number' || !(timeout > 0)) {
    reading.report(path, `A timeout is a number of seconds; there is ${nameValue(timeout)}.`)
    return undefined
  }
  return Math.min(Math.ceil(timeout * 1_000), LONGEST_TIMEOUT_MS)
}

/** Events at which the host lets things go on even with `onFailure: "block"`. */
const NEVER_BLOCKED: ReadonlySet<EventKind> = new Set<EventKind>([
  'Stop',
  'SubagentStop',
  'TaskCompleted',
  'TeammateIdle',
])

/**
 * What the host does when the hook cannot answer: it goes on, unless the handler says `onFailure: "block"`. Said for
 * every kind, because our own default is stricter. Code nobody vouched for never stops the work by itself.
 */
export function failurePolicies(
  event: EventKind,
  handler: JsonObject,
  path: Path,
  reading: Reading,
): OnFailure | undefined {
  const { onFailure } = handler
  if (onFailure !== undefined && onFailure !== 'block' && onFailure !== 'continue') {
    reading.report(path, `Accepted are \`block\` and \`continue\`; there is ${nameValue(onFailure)}.`)
    return undefined
  }
  const isBackground = handler.async === true || handler.asyncRewake === true
  const blocks = onFailure === 'block' && !NEVER_BLOCKED.has(event) && !isBackground
  const all = Object.fromEntries(FAILURE_KINDS.map((kind) => [kind, blocks ? 'deny' : 'pass']))
  return { ...(all as OnFailure), untrusted: 'pass' }
}
