import { homedir } from 'node:os'
import { createInterface } from 'node:readline'
import { buildCheckPlan } from '../check-plan.ts'
import { describeProblem, HoldpointError } from '../errors.ts'
import type { Event } from '../event.ts'
import type { Facts } from '../facts.ts'
import { isObject, type JsonObject, textAt } from '../json.ts'
import type { LoadedPlan } from '../load-plan.ts'
import { rehearse } from '../rehearse.ts'
import { liveFacts, type Where } from '../world/live-facts.ts'
import { decodeCall } from './call.ts'

interface CheckOptions {
  readonly pack?: readonly string[]
  readonly level?: string
  readonly facts: 'frozen' | 'live'
}

/** A row in, a row out, in the same order. A row that cannot be judged is never a pass. */
export async function check(options: CheckOptions): Promise<void> {
  const loaded = await buildCheckPlan(options.pack, options.level)
  const say = lineWriter()
  let wrongRows = 0
  for await (const line of createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line.trim() === '') continue
    const answer = await answerRow(line, loaded, options)
    if ('error' in answer) wrongRows += 1
    await say(JSON.stringify(answer))
  }
  await say.rest()
  if (wrongRows > 0) {
    process.stderr.write(`holdpoint: ${wrongRows} rows could not be read; they are answered with deny.\n`)
    process.exitCode = 65
  }
}

interface LineWriter {
  (line: string): Promise<void> | undefined
  rest(): Promise<void> | undefined
}

/** Lines go out many at a time, but never later than the reader of a pipe would notice. */
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

/** Nothing changes there between two rows, and most rows are of one place. */
function frozenAt(where: Where): Facts {
  const { cwd, home, project } = where
  if (frozen === undefined || frozen.cwd !== cwd || frozen.home !== home || frozen.project !== project) {
    frozen = { ...liveFacts(where), ...DISKLESS }
  }
  return frozen
}

let frozen: Facts | undefined

/** Asked once: the system takes longer to say it than a row to be judged. */
const HERE = process.cwd()
const OWN_HOME = homedir()

const DISKLESS: Partial<Facts> = {
  branch: () => undefined,
  readText: async () => undefined,
  list: async () => [],
  stat: async () => undefined,
  realpath: (path) => path,
  recentCommits: async () => [],
}
