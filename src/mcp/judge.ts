import { NO_OPINION } from '../combine.ts'
import type { Decision, Effect } from '../decision.ts'
import type { Event } from '../event.ts'
import { recordOf } from '../record.ts'
import type { Responder } from '../responder.ts'
import { actorOf } from '../state/actors.ts'
import { appendAllToSpool } from '../stores/spool.ts'
import type { JournalRecord } from '../stores/store.ts'
import type { Home } from '../world/home.ts'
import type { GateOptions, Who } from './conversation.ts'

export interface JudgeOptions {
  readonly responder: Responder
  readonly home: Home
  readonly project: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly skills: readonly string[]
  /** For the person. */
  say(text: string): void
  newId(): string
}

export interface Judge extends Pick<GateOptions, 'judge' | 'refused'> {
  /** Has something recorded that no event told. */
  noted(who: Who, text: string): void
  /** Writes what is not written yet, also what still waits for the plan: nothing is kept after it. */
  settle(): Promise<void>
}

/**
 * The hooks that hold here, and the journal. Records are written once the message is on its way; those of calls that
 * nobody objected to wait for each other a little, because a write costs as much as the judgement.
 */
export function createJudge(options: JudgeOptions): Judge {
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
    later(() => recordOf(event, actorOf(event, undefined), decision, about), decision.effect)
  }
  return {
    async judge(event, can) {
      const { decision, record } = await responder.judge({ event, can, project, env, skills })
      later(record, decision.effect)
      for (const notice of decision.notices) say(notice)
      // Nothing could be decided, and this event goes on then.
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
