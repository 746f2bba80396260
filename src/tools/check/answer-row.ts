import type { LoadedPlan } from '../../app/load-plan.ts'
import { rehearse } from '../../app/rehearse.ts'
import { describeProblem, HoldpointError } from '../../core/errors.ts'
import type { Event } from '../../core/event.ts'
import type { Facts } from '../../core/facts.ts'
import { isObject, type JsonObject, textAt } from '../../core/json.ts'
import { frozenFacts } from '../../system/frozen-facts.ts'
import { type FactsScope, liveFacts } from '../../system/live-facts.ts'
import { decodeCall } from '../explain/call.ts'

export type FactsChoice = 'frozen' | 'live'

/** Where the call of a row is made, unless the row says more. */
export interface RowPlace {
  readonly facts: FactsChoice
  readonly cwd: string
  /** The user's home folder. */
  readonly home: string
}

/** The result of one row. A row that cannot be evaluated is never a pass. */
export async function answerRow(line: string, loaded: LoadedPlan, place: RowPlace): Promise<JsonObject> {
  let id: JsonObject = {}
  try {
    const row = parseRow(line)
    id = row.id === undefined ? {} : { id: row.id }
    const facts = factsFor(row, place)
    const event = await eventFor(row, facts.cwd)
    const { decision } = await rehearse(loaded, event, { facts, skills: [], untraced: true })
    const [first] = decision.reasons
    return {
      ...id,
      effect: decision.effect,
      guard: first?.guard ?? first?.hook ?? null,
      reason: first?.text ?? null,
    }
  } catch (error) {
    const problem = error instanceof HoldpointError ? error.problem : undefined
    const reason = problem === undefined ? String(error) : describeProblem(problem)
    return { ...id, effect: 'deny', guard: null, reason, error: problem?.code ?? 'INTERNAL' }
  }
}

function parseRow(line: string): JsonObject {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    throw new HoldpointError({ code: 'ROW_INVALID', message: `This line is not JSON: ${line.slice(0, 80)}` })
  }
  if (!isObject(value))
    throw new HoldpointError({ code: 'ROW_INVALID', message: 'This line is not a JSON object.' })
  return value
}

function eventFor(row: JsonObject, cwd: string): Promise<Event> {
  if (typeof row.command === 'string') {
    const call = { tool_name: 'Bash', tool_input: { command: row.command } }
    return decodeCall({ session_id: 'check', cwd, hook_event_name: 'PreToolUse', ...call }, cwd)
  }
  if (isObject(row.event)) return decodeCall({ session_id: 'check', ...row.event, cwd }, cwd)
  throw new HoldpointError({ code: 'ROW_INVALID', message: 'The row has neither `command` nor `event`.' })
}

function factsFor(row: JsonObject, place: RowPlace): Facts {
  const inner = isObject(row.event) ? textAt(row.event, 'cwd') : undefined
  const cwd = textAt(row, 'cwd') ?? inner ?? place.cwd
  const where = {
    cwd,
    home: textAt(row, 'home') ?? place.home,
    project: textAt(row, 'project') ?? cwd,
    env: {},
  }
  const facts = place.facts === 'live' ? liveFacts(where) : frozenAt(where)
  const platform = textAt(row, 'platform')
  return platform === undefined ? facts : { ...facts, platform }
}

/** Nothing changes on disk between two rows, and most rows have the same folder. */
function frozenAt(where: FactsScope): Facts {
  const { cwd, home, project } = where
  if (frozen === undefined || frozen.cwd !== cwd || frozen.home !== home || frozen.project !== project) {
    frozen = frozenFacts(where)
  }
  return frozen
}

let frozen: Facts | undefined
