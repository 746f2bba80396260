import { homedir } from 'node:os'
import { createInterface } from 'node:readline'
import { buildCheckPlan } from '../app/check-plan.ts'
import type { LoadedPlan } from '../app/load-plan.ts'
import { rehearse } from '../app/rehearse.ts'
import { describeProblem, HoldpointError } from '../core/errors.ts'
import type { Event } from '../core/event.ts'
import type { Facts } from '../core/facts.ts'
import { isObject, type JsonObject, textAt } from '../core/json.ts'
import { frozenFacts } from '../system/frozen-facts.ts'
import { type FactsScope, liveFacts } from '../system/live-facts.ts'
import { findProject } from '../system/project.ts'
import { decodeCall, planFor } from '../tools/explain/call.ts'
import { hasErrors } from './problem-line.ts'
import { visibleJson } from './visible.ts'

interface CheckOptions {
  readonly pack?: readonly string[]
  readonly level?: string
  readonly facts: 'frozen' | 'live'
  /** Use the policies of this folder instead of packs alone. */
  readonly project?: boolean
  readonly config?: string
  readonly home?: string
}

/**
 * Reads rows and prints one result for each, in the same order. A row that cannot be evaluated is never a
 * pass.
 */
export async function check(options: CheckOptions): Promise<void> {
  const loaded = await planOf(options)
  const say = lineWriter()
  let wrongRows = 0
  for await (const line of createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line.trim() === '') continue
    const answer = await answerRow(line, loaded, options)
    if ('error' in answer) wrongRows += 1
    await say(visibleJson(JSON.stringify(answer)))
  }
  await say.rest()
  if (wrongRows > 0) {
    process.stderr.write(`holdpoint: ${wrongRows} rows could not be read; their result is deny.\n`)
    process.exitCode = 65
  }
}

/** Packs alone, the same everywhere; or the policies of this folder, or of one file, as hooks would use them. */
async function planOf(options: CheckOptions): Promise<LoadedPlan> {
  const { project = false, config, level } = options
  if (!project && config === undefined) return buildCheckPlan(options.pack, level)
  if (level !== undefined) {
    const message =
      'The level comes from the configuration, so --level cannot be used with --project or --config.'
    throw new HoldpointError({ code: 'OPTION_INVALID', key: '--level', message })
  }
  const loaded = await planFor(findProject(HERE), options)
  const problems = [...loaded.broken, ...loaded.plan.problems]
  for (const problem of problems) process.stderr.write(`holdpoint: ${describeProblem(problem)}\n`)
  if (hasErrors(problems)) process.exitCode = 78
  return loaded
}

interface LineWriter {
  (line: string): Promise<void> | undefined
  rest(): Promise<void> | undefined
}

/** Output is written in batches for speed, but early enough that a program reading the pipe does not wait. */
function lineWriter(): LineWriter {
  let waiting = ''
  let isTold = false
  const flush = (): Promise<void> | undefined => {
    const lines = waiting
    waiting = ''
    if (lines === '' || process.stdout.write(lines)) return undefined
    return new Promise((resolve) => process.stdout.once('drain', resolve))
  }
  const write = (line: string) => {
    waiting += `${line}\n`
    if (waiting.length >= WAITING_MAX) return flush()
    if (!isTold) {
      isTold = true
      setImmediate(() => {
        isTold = false
        void flush()
      })
    }
    return undefined
  }
  return Object.assign(write, { rest: flush })
}

const WAITING_MAX = 32 * 1024

async function answerRow(line: string, loaded: LoadedPlan, options: CheckOptions): Promise<JsonObject> {
  let id: JsonObject = {}
  try {
    const row = parseRow(line)
    id = row.id === undefined ? {} : { id: row.id }
    const facts = factsFor(row, options)
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

function factsFor(row: JsonObject, options: CheckOptions): Facts {
  const inner = isObject(row.event) ? textAt(row.event, 'cwd') : undefined
  const cwd = textAt(row, 'cwd') ?? inner ?? HERE
  const where = {
    cwd,
    home: textAt(row, 'home') ?? OWN_HOME,
    project: textAt(row, 'project') ?? cwd,
    env: {},
  }
  return options.facts === 'live' ? liveFacts(where) : frozenAt(where)
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

/** Read once: asking the system takes longer than evaluating a row. */
const HERE = process.cwd()
const OWN_HOME = homedir()
