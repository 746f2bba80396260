import type { Answer } from '../../decision.ts'
import type { ToolCall } from '../../event.ts'
import type { Facts } from '../../facts.ts'
import { isObject, type Json, type JsonObject, textAt } from '../../json.ts'
import { forbid } from '../../orchestrator/messages.ts'
import type { MuxOptions } from './options.ts'

interface Post {
  readonly tool: ToolCall
  readonly facts: Facts
  readonly memory: JsonObject | undefined
  readonly settings: MuxOptions
}

const LAUNCHED = 'mux/launched'
const PROBES = 'mux/probes'
const PROBES_KEPT = 200

/** An agent is started: the watchdog, where there is one, counts from here. */
export function launched({ facts, memory, settings }: Post): Answer | null {
  if (settings.watchdog === undefined || memory === undefined) return null
  return { effect: 'pass', remember: [{ op: 'set', key: LAUNCHED, value: facts.now().getTime() }] }
}

/**
 * TaskOutput is refused, because results come as signals. Where a watchdog is wanted, one look at an agent that has
 * been silent for long is let through: it may not wait, and for one agent there is one in every window.
 */
export function probe({ tool, facts, memory, settings }: Post): Answer | null {
  const { watchdog } = settings
  if (watchdog === undefined) return forbid(tool.name, USE_SIGNALS)
  const task = textAt(tool.input, 'task_id')
  const since = memory?.[LAUNCHED]
  const nowMs = facts.now().getTime()
  if (task === undefined || tool.input.block !== false || memory === undefined || typeof since !== 'number') {
    return forbid(
      tool.name,
      `${USE_SIGNALS} The watchdog may only look, with block: false, at an agent started here.`,
    )
  }
  if (nowMs - since < watchdog.afterMs)
    return forbid(tool.name, `${USE_SIGNALS} It is too early to look after an agent.`)
  const isAgain = probesOf(memory[PROBES]).some(
    (past) => past.task === task && nowMs - past.atMs < watchdog.everyMs,
  )
  if (isAgain) return forbid(tool.name, `${USE_SIGNALS} This agent was looked after a moment ago.`)
  const value = { task, atMs: nowMs }
  return { effect: 'pass', remember: [{ op: 'push', key: PROBES, value, keep: PROBES_KEPT }] }
}

const USE_SIGNALS = 'Use signals: agents report by signal files, and `holdpoint mux verify` reads them.'

function probesOf(kept: Json | undefined): readonly { readonly task: string; readonly atMs: number }[] {
  if (!Array.isArray(kept)) return []
  return kept.filter(isObject).flatMap(({ task, atMs }) => {
    return typeof task === 'string' && typeof atMs === 'number' ? [{ task, atMs }] : []
  })
}
