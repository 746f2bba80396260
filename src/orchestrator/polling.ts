import type { Answer } from '../decision.ts'
import { type Event, toolOf } from '../event.ts'
import type { Facts } from '../facts.ts'
import { isObject, type Json, type JsonObject } from '../json.ts'
import { fingerprint } from '../plan.ts'
import { shown } from './messages.ts'
import { plainCommand } from './plain-command.ts'
import { type PollingOptions, pollingOptions } from './polling-options.ts'
import { SHELLS } from './shell-call.ts'
import { lookupIn, waitingIn } from './waiting.ts'

/** One command that was let through: what it was, as a hash, and when. */
interface Past {
  readonly mark: string
  readonly atMs: number
}

/** More than an orchestration runs. */
const KEPT = 500

interface PollingInput {
  readonly event: Event
  readonly facts: Facts
  readonly options: JsonObject
  readonly memory: JsonObject | undefined
}

/**
 * Whether an orchestrator asks again what it asked before. Only what was let through counts: the history is written
 * with a decision that is no deny. `key` is what the history is kept under, for each agent of each session.
 */
export function judgePolling(key: string, { event, facts, options, memory }: PollingInput): Answer | null {
  const tool = toolOf(event)
  const rules = pollingOptions(options)
  if (tool === undefined || rules === undefined || !SHELLS.has(tool.name)) return null
  const text = tool.input.command
  // What has no command is for the guard of commands to stop.
  if (typeof text !== 'string') return null
  const found = waitsFor(text, rules, facts)
  if (found !== undefined) return polling(tool.name, text, found)
  if (memory === undefined) return event.session === '' ? null : polling(tool.name, text, LOST)
  const nowMs = facts.now().getTime()
  const recent = pastOf(memory[key]).filter(({ atMs }) => nowMs - atMs <= (rules.windowMs ?? nowMs))
  const mark = markOf(text, facts)
  const sameCount = recent.filter((past) => past.mark === mark).length
  if (sameCount >= rules.repeats) return polling(tool.name, text, ranBefore(sameCount))
  if (rules.commandsMax !== undefined && recent.length >= rules.commandsMax) {
    return polling(tool.name, text, `${recent.length} commands ran within the window`)
  }
  return { effect: 'pass', remember: [{ op: 'push', key, value: { mark, atMs: nowMs }, keep: KEPT }] }
}

/** The same question in its plainest form: has this agent run this command before? Only a shell can poll. */
export function detectPolling(
  tool: string,
  args: JsonObject,
  history: readonly string[],
  facts: Facts,
): boolean {
  const { command } = args
  if (!SHELLS.has(tool) || typeof command !== 'string') return false
  const mark = markOf(command, facts)
  return history.some((past) => markOf(past, facts) === mark)
}

const LOST = 'what ran before cannot be read'

function ranBefore(count: number): string {
  return count === 1 ? 'this command ran before' : `this command ran ${count} times before`
}

function waitsFor(text: string, rules: PollingOptions, facts: Facts): string | undefined {
  const waiting = rules.waiting ? waitingIn(text, facts) : undefined
  return waiting ?? (rules.lookups ? lookupIn(text, facts) : undefined)
}

function polling(tool: string, text: string, why: string): Answer {
  return {
    effect: 'deny',
    reason: `POLLING DETECTED: ${tool} ${shown(text)} is refused because ${why}. Do not ask again: background agents report by themselves, and their signals stay. Go on with other work, or end your turn and wait.`,
  }
}

/** Quotes, blanks and how a path is written do not make another command. A hash: what agents type is nobody's business. */
function markOf(text: string, facts: Facts): string {
  const plain = plainCommand(text, facts)
  const isExact = plain.is === 'plain' && plain.words.every((word) => word !== undefined)
  const words = isExact ? plain.words.map((word) => tidied(word ?? '', facts)) : text.trim().split(/\s+/)
  return fingerprint(JSON.stringify(words))
}

/** `./x`, `x/` and the whole path of it are `x`. */
function tidied(word: string, { cwd }: Facts): string {
  const below = word.startsWith(`${cwd}/`) ? word.slice(cwd.length + 1) : word
  return below.replace(/^(?:\.\/+)+(?=.)/, '').replace(/(?<=[^/])\/+$/, '')
}

function pastOf(kept: Json | undefined): readonly Past[] {
  if (!Array.isArray(kept)) return []
  return kept.filter(isObject).flatMap(({ mark, atMs }) => {
    return typeof mark === 'string' && typeof atMs === 'number' ? [{ mark, atMs }] : []
  })
}
