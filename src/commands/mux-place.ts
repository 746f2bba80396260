import { HoldpointError, type Result } from '../core/errors.ts'
import type { JsonObject } from '../core/json.ts'
import { createFileState } from '../storage/state/file-state.ts'
import { homeLayout } from '../system/home.ts'
import { liveFacts } from '../system/live-facts.ts'
import { findProject } from '../system/project.ts'
import { markerOf, readMarker } from '../tools/mux/marker.ts'
import type { Workspace } from '../tools/mux/place.ts'
import type { Caller } from './caller.ts'

/** What the tools of `holdpoint mux` have in common: the project, the caller, and the form of the answer. */

export function here(caller: Caller): Workspace {
  const cwd = caller.cwd
  const project = findProject(cwd)
  const { realpath } = liveFacts({ cwd, home: caller.userHome, project, env: caller.env })
  return { project, realpath }
}

/** One marker for each session of an agent, if the agent says which session it is. */
export function marker(caller: Caller, place: Workspace): string {
  return markerOf(place, callerSession(caller, undefined) ?? '')
}

/** The marker of the caller, unless another session is named that has one of its own. */
export function markerFor(caller: Caller, session: string | undefined, place: Workspace): string {
  const named = session === undefined ? undefined : markerOf(place, session)
  return named !== undefined && readMarker(named) !== undefined ? named : marker(caller, place)
}

/** The named session folder, or the one of the orchestration that is running here. */
export function sessionDir(caller: Caller, given: string | undefined, place: Workspace): string {
  const dir = given ?? readMarker(marker(caller, place))
  if (dir !== undefined && dir !== '') return dir
  throw new HoldpointError({
    code: 'OPTION_INVALID',
    message: 'No session folder was named, and no orchestration is running here.',
    fix: 'Name the folder that `holdpoint mux session` printed.',
  })
}

/** The session of the agent program that runs this command, if the program reports it. */
export function callerSession(caller: Caller, given: string | undefined): string | undefined {
  return given ?? (caller.env.CLAUDE_CODE_SESSION_ID || undefined)
}

/** The agents of that session by id, and whether they have ended. Empty if nothing is known. */
export function muxAgentsOf(
  caller: Caller,
  session: string | undefined,
  home: string | undefined,
): ReadonlyMap<string, boolean> {
  if (session === undefined) return new Map()
  const state = createFileState(homeLayout(home, caller.env).state).read(session)
  if (!state.ok) return new Map()
  return new Map([...state.value.actors].map(([id, { ended }]) => [id, ended]))
}

export function unwrapResult<T>(result: Result<T>): T {
  if (!result.ok) throw new HoldpointError(result.problem)
  return result.value
}

/** Reads a count in digits; anything else is an error. */
export function countIn(text: string | undefined, option: string): number | undefined {
  if (text === undefined) return undefined
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new HoldpointError({
    code: 'OPTION_INVALID',
    key: option,
    message: `"${text}" is not a number.`,
    fix: 'Use a whole number, such as 3.',
  })
}

/** More or longer lines would only fill the context of the orchestrator. */
const LINES_MAX = 200
const LINE_MAX_CHARACTERS = 400

export function print(
  caller: Caller,
  lines: readonly string[],
  data: JsonObject,
  json: boolean | undefined,
): void {
  if (json === true) caller.stdout.write(`${JSON.stringify(data)}\n`)
  else for (const line of bounded(lines)) caller.stdout.write(`${line}\n`)
}

export function warn(caller: Caller, complaints: readonly string[]): void {
  for (const complaint of bounded(complaints)) caller.stderr.write(`warning: ${complaint}\n`)
}

function bounded(lines: readonly string[]): readonly string[] {
  const rest = lines.length - LINES_MAX
  const shown = lines.slice(0, LINES_MAX).map((line) => {
    return line.length > LINE_MAX_CHARACTERS ? `${line.slice(0, LINE_MAX_CHARACTERS)}…` : line
  })
  return rest > 0 ? [...shown, `… and ${rest} more`] : shown
}
