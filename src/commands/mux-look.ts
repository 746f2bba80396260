import { HoldpointError } from '../core/errors.ts'
import { listAgents } from '../tools/mux/agents.ts'
import { findSignals } from '../tools/mux/find-signals.ts'
import { resolveInProject, shownPath } from '../tools/mux/place.ts'
import { readFile } from '../tools/mux/read-file.ts'
import {
  evidenceOf,
  type ReportSummary,
  SUMMARY_MAX_BYTES,
  summaryJson,
  summaryText,
} from '../tools/mux/summary.ts'
import { ACTIONS, type Action, checkSignals, verify } from '../tools/mux/verify.ts'
import type { Caller } from './caller.ts'
import {
  callerSession,
  countIn,
  here,
  muxAgentsOf,
  print,
  sessionDir,
  unwrapResult,
  warn,
} from './mux-place.ts'

/** The tools that only read. Each answers once and does not wait. */

interface VerifyOptions {
  readonly action?: Action
  readonly expected?: string
  readonly json?: boolean
}

export async function verifySession(
  caller: Caller,
  dir: string | undefined,
  word: string | undefined,
  options: VerifyOptions,
): Promise<void> {
  const place = here(caller)
  const action = actionOf(word, options.action)
  const expected = countIn(options.expected, '--expected')
  if (action === 'missing' && expected === undefined) {
    const message = '`missing` needs the number of agents that were started.'
    throw new HoldpointError({ code: 'OPTION_INVALID', message, fix: 'Add --expected N.' })
  }
  const found = unwrapResult(findSignals(sessionDir(caller, dir, place), place))
  const { lines, data, ok } = verify(action, found, expected, place)
  if (action !== 'gate') warn(caller, found.complaints)
  print(caller, lines, options.json === true ? { ...data, complaints: found.complaints } : data, options.json)
  if (!ok) caller.exitCode = 1
}

function actionOf(word: string | undefined, option: Action | undefined): Action {
  const named = word ?? option ?? 'summary'
  const action = ACTIONS.find((each) => each === named)
  if (action !== undefined) return action
  const message = `Unknown action "${named}". Actions: ${ACTIONS.join(', ')}.`
  throw new HoldpointError({ code: 'OPTION_INVALID', message })
}

export async function muxCheck(
  caller: Caller,
  dir: string | undefined,
  options: { expected: string },
): Promise<void> {
  const place = here(caller)
  const expected = countIn(options.expected, '--expected') ?? 0
  const found = unwrapResult(findSignals(sessionDir(caller, dir, place), place))
  const { lines, data, ok } = checkSignals(found, expected, new Date())
  warn(caller, found.complaints)
  print(caller, lines, data, false)
  if (!ok) caller.exitCode = 1
}

interface AgentsOptions {
  readonly session?: string
  readonly home?: string
  readonly json?: boolean
}

export async function agents(
  caller: Caller,
  dir: string | undefined,
  id: string | undefined,
  options: AgentsOptions,
): Promise<void> {
  const place = here(caller)
  const found = unwrapResult(findSignals(sessionDir(caller, dir, place), place))
  const known = muxAgentsOf(caller, callerSession(caller, options.session), options.home)
  const ended = new Set([...known].flatMap(([agent, isEnded]) => (isEnded ? [agent] : [])))
  const list = listAgents(found, ended)
  warn(caller, list.complaints)
  if (id === undefined) {
    const lines = list.agents.map(
      ({ agent_id, status, output_file }) => `${agent_id} ${status} ${output_file}`,
    )
    return print(caller, lines, { agents: list.agents.map((agent) => ({ ...agent })) }, options.json)
  }
  const agent = list.agents.find(({ agent_id }) => agent_id === id)
  if (agent !== undefined) return print(caller, [], { ...agent }, true)
  throw new HoldpointError({
    code: 'RECORD_UNKNOWN',
    message: `No agent "${id}" is registered in this session.`,
    fix: 'To list them, run `holdpoint mux agents list`.',
  })
}

interface SummaryOptions {
  readonly evidence?: boolean
  readonly maxBytes?: string
  readonly json?: boolean
}

export async function summary(caller: Caller, text: string, options: SummaryOptions): Promise<void> {
  const place = here(caller)
  const path = unwrapResult(resolveInProject(text, place))
  const shown = shownPath(path, place)
  const asked = countIn(options.maxBytes, '--max-bytes') ?? SUMMARY_MAX_BYTES
  const maxBytes = Math.min(Math.max(asked, SUMMARY_MIN_BYTES), SUMMARY_MAX_BYTES)
  const read = readReport(path, shown)
  if (options.evidence === true) {
    print(caller, [], evidenceOf(shown, read?.report, read?.modified, new Date()), true)
    if (read === undefined) caller.exitCode = 1
    return
  }
  if (read === undefined) {
    const message = `The report ${text} does not exist.`
    const fix = 'Use the path from the signal: `holdpoint mux verify SESSION --action paths`.'
    throw new HoldpointError({ code: 'STATE_UNREADABLE', message, fix })
  }
  const write = options.json === true ? summaryJson : summaryText
  caller.stdout.write(write(read.report, maxBytes))
}

const SUMMARY_MIN_BYTES = 64
/** A file larger than this is not a report. */
const READ_MAX_BYTES = 8 * 1024 * 1024

function readReport(path: string, shown: string): { report: ReportSummary; modified: Date } | undefined {
  const read = readFile(path, READ_MAX_BYTES)
  if (read === undefined) return undefined
  const { modified, ...rest } = read
  return { report: { path: shown, ...rest }, modified }
}
