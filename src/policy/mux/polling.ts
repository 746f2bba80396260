import type { KnownAgent } from '../../core/actor.ts'
import type { Answer } from '../../core/decision.ts'
import { type Event, toolOf } from '../../core/event.ts'
import type { Facts } from '../../core/facts.ts'
import { fingerprint } from '../../core/fingerprint.ts'
import { isObject, type Json, type JsonObject } from '../../core/json.ts'
import { quotedValue } from './messages.ts'
import { reportedSoFar } from './news.ts'
import { plainCommand } from './plain-command.ts'
import { type PollingOptions, pollingOptions } from './polling-options.ts'
import { SHELL_TOOLS } from './shell-call.ts'
import { lookupIn, waitingIn } from './waiting.ts'

/** One command that passed: its hash, its time, and a hash of what had been reported by then. */
interface Past {
  readonly mark: string
  readonly atMs: number
  readonly reported?: string
}

/** More than an orchestration runs. */
const KEPT = 500

interface PollingInput {
  readonly event: Event
  readonly facts: Facts
  readonly options: JsonObject
  readonly memory: JsonObject | undefined
  readonly agents?: readonly KnownAgent[] | undefined
}

/**
 * Whether an orchestrator repeats an earlier command although nothing was reported since. Only commands that passed
 * count: the history is written with a decision that is not a deny. `key` is the key of the history, per agent and
 * session.
 */
export function judgePolling(key: string, input: PollingInput): Answer | null | Promise<Answer | null> {
  const { event, facts, options, memory } = input
  // A notification of the host and a prompt of the person are news.
  if (event.kind !== 'PreToolUse')
    return { effect: 'pass', remember: [{ op: 'count', key: newsKey(key), by: 1 }] }
  const tool = toolOf(event)
  const rules = pollingOptions(options)
  if (tool === undefined || rules === undefined || !SHELL_TOOLS.has(tool.name)) return null
  const text = tool.input.command
  // A call without a command is stopped by the guard for commands.
  if (typeof text !== 'string') return null
  const found = waitsFor(text, rules, facts)
  if (found !== undefined) return polling(tool.name, text, found)
  if (memory === undefined) return event.session === '' ? null : polling(tool.name, text, LOST)
  return judgeRepeat(key, text, { ...input, memory, rules })
}

/** Whether an event of this kind can matter: calls of shell tools, and news. */
export function concernsPolling(event: Event): boolean {
  return event.kind !== 'PreToolUse' || SHELL_TOOLS.has(event.tool.name)
}

interface RepeatInput extends PollingInput {
  readonly memory: JsonObject
  readonly rules: PollingOptions
}

async function judgeRepeat(key: string, text: string, input: RepeatInput): Promise<Answer> {
  const { event, facts, memory, rules, agents = [] } = input
  const tool = toolOf(event)?.name ?? ''
  const nowMs = facts.now().getTime()
  const heard = memory[newsKey(key)]
  const notifications = typeof heard === 'number' ? heard : 0
  const reported = await reportedSoFar({ text, session: event.session, facts, agents, notifications })
  const recent = pastOf(memory[key]).filter(({ atMs }) => nowMs - atMs <= (rules.windowMs ?? nowMs))
  const mark = markOf(text, facts)
  // An entry of an older version does not say what had been reported: it counts as nothing new.
  const same = recent.filter((past) => past.mark === mark && (past.reported ?? reported) === reported)
  if (same.length >= rules.repeats) return polling(tool, text, nothingSince(same))
  if (rules.commandsMax !== undefined && recent.length >= rules.commandsMax) {
    return polling(tool, text, `${recent.length} commands ran within the window`)
  }
  const value = { mark, atMs: nowMs, reported }
  return { effect: 'pass', remember: [{ op: 'push', key, value, keep: KEPT }] }
}

function newsKey(key: string): string {
  return `${key}-news`
}

/** The simplest form: whether this agent has run this command before. Only a shell can poll. */
export function detectPolling(
  tool: string,
  args: JsonObject,
  history: readonly string[],
  facts: Facts,
): boolean {
  const { command } = args
  if (!SHELL_TOOLS.has(tool) || typeof command !== 'string') return false
  const mark = markOf(command, facts)
  return history.some((past) => markOf(past, facts) === mark)
}

const LOST = 'the history of earlier commands cannot be read'

function nothingSince(same: readonly Past[]): string {
  const ran = same.length === 1 ? 'this command ran before' : `this command ran ${same.length} times before`
  const sinceMs = Math.min(...same.map(({ atMs }) => atMs))
  return `${ran} and nothing has changed since ${timeOf(sinceMs)}: no new signal, no agent that ended, no notification`
}

/** A stored time may be damaged. */
function timeOf(atMs: number): string {
  const date = new Date(atMs)
  return Number.isNaN(date.getTime()) ? 'then' : date.toISOString().replace(/\.\d+Z$/, 'Z')
}

function waitsFor(text: string, rules: PollingOptions, facts: Facts): string | undefined {
  const waiting = rules.waiting ? waitingIn(text, facts) : undefined
  return waiting ?? (rules.lookups ? lookupIn(text, facts) : undefined)
}

function polling(tool: string, text: string, why: string): Answer {
  return {
    effect: 'deny',
    reason: `POLLING DETECTED: ${tool} ${quotedValue(text)} is refused because ${why}. Do not ask again before something has changed: background agents report when they are done, and their signals stay. Continue with other work, or end your turn and wait.`,
  }
}

/**
 * Quotes, spaces and the form of a path do not make a different command. Only a hash is stored, because commands may
 * be private.
 */
function markOf(text: string, facts: Facts): string {
  const plain = plainCommand(text, facts)
  const isExact = plain.kind === 'plain' && plain.words.every((word) => word !== undefined)
  const words = isExact ? plain.words.map((word) => tidied(word ?? '', facts)) : text.trim().split(/\s+/)
  return fingerprint(JSON.stringify(words))
}

/** `./x`, `x/` and the absolute path of x are the same as `x`. */
function tidied(word: string, { cwd }: Facts): string {
  const below = word.startsWith(`${cwd}/`) ? word.slice(cwd.length + 1) : word
  return below.replace(/^(?:\.\/+)+(?=.)/, '').replace(/(?<=[^/])\/+$/, '')
}

function pastOf(kept: Json | undefined): readonly Past[] {
  if (!Array.isArray(kept)) return []
  return kept.filter(isObject).flatMap(({ mark, atMs, reported }) => {
    if (typeof mark !== 'string' || typeof atMs !== 'number') return []
    return [{ mark, atMs, ...(typeof reported === 'string' ? { reported } : {}) }]
  })
}
