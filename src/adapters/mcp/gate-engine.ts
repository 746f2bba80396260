import { recordOf } from '../../app/record.ts'
import type { Responder } from '../../app/responder.ts'
import type { Decision, Effect } from '../../core/decision.ts'
import { NO_OPINION } from '../../core/engine/combine.ts'
import type { Event } from '../../core/event.ts'
import { resolveActor } from '../../core/state/actors.ts'
import { appendAllToSpool } from '../../storage/journal/spool.ts'
import type { JournalRecord } from '../../storage/journal/store.ts'
import type { Home } from '../../system/home.ts'
import type { GateOptions, Who } from './conversation.ts'

export interface GateEngineOptions {
  readonly responder: Responder
  readonly home: Home
  readonly project: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly skills: readonly string[]
  /** For the user. */
  say(text: string): void
  newId(): string
}

export interface GateEngine extends Pick<GateOptions, 'decide' | 'refused'> {
  /** Records something that was not an event. */
  noted(who: Who, text: string): void
  /** Writes all waiting records, also those that wait for the plan: later ones are dropped. */
  settle(): Promise<void>
}

/**
 * The hooks for this folder, and the journal. Records are written after the message was sent. Those of calls
 * without an objection are collected for a short time, because a write costs as much as the decision.
 */
export function createGateEngine(options: GateEngineOptions): GateEngine {
  const { responder, home, project, env, skills, say } = options
  const unwritten: (() => JournalRecord | undefined)[] = []
  const keeping = new Set<Promise<void>>()
  let timer: NodeJS.Timeout | undefined
  const write = () => {
    clearTimeout(timer)
    timer = undefined
    const records = unwritten.splice(0).flatMap((make) => make() ?? [])
    const kept = records.length === 0 ? undefined : appendAllToSpool(home.journal, records)
    if (kept?.ok === false) say(kept.problem.message)
  }
  const later = (make: () => JournalRecord | undefined, effect: Effect) => {
    unwritten.push(make)
    if (effect !== 'pass') setImmediate(write)
    else timer ??= setTimeout(write, GATHERED_MS)
  }
  const keep = (event: Event, decision: Decision) => {
    const kept = recorded(event, decision)
      .catch((error) => say(`A record was lost: ${error instanceof Error ? error.message : String(error)}`))
      .finally(() => keeping.delete(kept))
    keeping.add(kept)
  }
  const recorded = async (event: Event, decision: Decision) => {
    const plan = await responder.plan(project)
    if (plan.ok && !plan.value.plan.settings.journal.enabled) return
    const [maskers, revision] = plan.ok ? [plan.value.maskers, plan.value.plan.revision] : [[], '']
    const about = {
      id: options.newId(),
      at: new Date(),
      project,
      revision,
      durationMs: 0,
      repeated: false,
      maskers,
    }
    later(() => recordOf(event, resolveActor(event, undefined), decision, about), decision.effect)
  }
  return {
    async decide(event, can) {
      const { decision, record } = await responder.decide({ event, can, project, env, skills })
      later(record, decision.effect)
      for (const notice of decision.notices) say(notice)
      // Nothing could be decided, and this event continues in that case.
      if (decision.effect === 'pass') for (const { text } of decision.reasons) say(text)
      return decision
    },
    refused(event, why) {
      keep(event, {
        ...NO_OPINION,
        effect: 'deny',
        because: [GATE],
        reasons: [{ hook: GATE, text: why }],
      })
    },
    noted(who, text) {
      const event: Event = { ...who, host: 'mcp', name: KIND, kind: KIND, source: 'mcp_tools', raw: {} }
      keep(event, { ...NO_OPINION, notices: [text] })
    },
    async settle() {
      await Promise.all(keeping)
      write()
    },
  }
}

const GATHERED_MS = 10
const GATE = 'holdpoint/mcp'
const KIND = 'ConfigChange'
