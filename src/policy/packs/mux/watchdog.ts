import type { Answer } from '../../../core/decision.ts'
import type { ToolCall } from '../../../core/event.ts'
import type { Facts } from '../../../core/facts.ts'
import { isObject, type Json, type JsonObject, textAt } from '../../../core/json.ts'
import { forbid } from '../../mux/messages.ts'
import type { MuxOptions } from './options.ts'

interface WatchedCall {
  readonly tool: ToolCall
  readonly facts: Facts
  readonly memory: JsonObject | undefined
  readonly settings: MuxOptions
}

const LAUNCHED = 'mux/launched'
const PROBES = 'mux/probes'
const PROBES_KEPT = 200

/** An agent is started. The watchdog, if there is one, counts from here. */
export function onLaunch({ facts, memory, settings }: WatchedCall): Answer | null {
  if (settings.watchdog === undefined || memory === undefined) return null
  return { effect: 'pass', remember: [{ op: 'set', key: LAUNCHED, value: facts.now().getTime() }] }
}

/**
 * TaskOutput is refused, because results come as signals. If a watchdog is configured, one check of an agent that has
 * not reported for a long time passes: the check may not wait, and each agent may be checked once in every window.
 */
export function watchdogProbe({ tool, facts, memory, settings }: WatchedCall): Answer | null {
  const { watchdog } = settings
  if (watchdog === undefined) return forbid(tool.name, USE_SIGNALS)
  const task = textAt(tool.input, 'task_id')
  const since = memory?.[LAUNCHED]
  const nowMs = facts.now().getTime()
  if (task === undefined || tool.input.block !== false || memory === undefined || typeof since !== 'number') {
    return forbid(
      tool.name,
      `${USE_SIGNALS} The watchdog may only check, with block: false, an agent that was started here.`,
    )
  }
  if (nowMs - since < watchdog.afterMs)
    return forbid(tool.name, `${USE_SIGNALS} It is too early to check the agent.`)
  const isAgain = probesOf(memory[PROBES]).some(
    (past) => past.task === task && nowMs - past.atMs < watchdog.everyMs,
  )
  if (isAgain) return forbid(tool.name, `${USE_SIGNALS} This agent was checked a short time ago.`)
  const value = { task, atMs: nowMs }
  return { effect: 'pass', remember: [{ op: 'push', key: PROBES, value, keep: PROBES_KEPT }] }
}

const USE_SIGNALS = 'Use signals: agents report with signal files, and `holdpoint mux verify` reads them.'

function probesOf(kept: Json | undefined): readonly { readonly task: string; readonly atMs: number }[] {
  if (!Array.isArray(kept)) return []
  return kept.filter(isObject).flatMap(({ task, atMs }) => {
    return typeof task === 'string' && typeof atMs === 'number' ? [{ task, atMs }] : []
  })
}
