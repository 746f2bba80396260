import { expect, it } from 'vitest'
import { buildCheckPlan } from '../../src/app/check-plan.ts'
import { decideEvent } from '../../src/app/decide-event.ts'
import { createKnownAnswers } from '../../src/core/engine/known-answers.ts'
import type { Engine } from '../../src/core/engine/run-hooks.ts'
import type { Event } from '../../src/core/event.ts'
import { frozenFacts } from '../../src/library/testing/events.ts'
import { createMemoryState } from '../../src/storage/state/memory-state.ts'
import { decodeCall } from '../../src/tools/explain/call.ts'
import { PACKS } from '../corpus/judge.ts'
import { GROUND, readFamilies } from '../corpus/rows.ts'

/** A session of a few calls, each of them several times, so that some answers are known and some are outdated. */
const CALLS = 12
const ORDER = [0, 0, 1, 0, 1, 2, 2, 3, 0, 3]

it('what is known about a call decides it as the guards do, for every row of the corpus', async () => {
  const { engine } = await buildCheckPlan(PACKS, undefined)
  const rows = readFamilies().flatMap((family) => family.rows)
  const different: string[] = []
  for (let at = 0; at < rows.length; at += CALLS) {
    const events = await Promise.all(rows.slice(at, at + CALLS).map(eventOf))
    const session = events.flatMap((_, i) => ORDER.flatMap((next) => events[i + next] ?? []))
    const asked = await play(session, engine)
    const known = await play(session, { ...engine, knownAnswers: createKnownAnswers() })
    if (JSON.stringify(known) !== JSON.stringify(asked)) different.push(rows[at]?.id ?? '')
  }
  expect(different).toEqual([])
})

async function eventOf({ command, event, cwd = GROUND.cwd }: ReturnType<typeof readFamilies>[0]['rows'][0]) {
  const call = event ?? {
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command: command ?? '' },
  }
  return decodeCall({ session_id: 'corpus', ...call, cwd }, cwd)
}

async function play(events: readonly Event[], engine: Engine) {
  const state = createMemoryState()
  const decisions = []
  for (const event of events) {
    const { decision } = await decideEvent(event, {
      ...{ engine, state, facts: frozenFacts({ ...GROUND, cwd: event.cwd }), maskers: [] },
      ...{ stopBlocksMax: 3, now: () => 0, keeps: 'state' },
    })
    decisions.push(decision)
  }
  return decisions
}
