import { homedir } from 'node:os'
import { HoldpointError, type Result } from '../errors.ts'
import type { JsonObject } from '../json.ts'
import { markerOf, readMarker } from '../mux/marker.ts'
import type { Place } from '../mux/place.ts'
import { createFileState } from '../state/file-state.ts'
import { homeLayout } from '../world/home.ts'
import { liveFacts } from '../world/live-facts.ts'
import { findProject } from '../world/project.ts'

/** What the tools of `holdpoint mux` have in common: where they stand, who calls, and how they answer. */

export function here(): Place {
  const cwd = process.cwd()
  const project = findProject(cwd)
  const { realpath } = liveFacts({ cwd, home: homedir(), project, env: process.env })
  return { project, realpath }
}

/** One marker for each agent program, as far as the caller says which. */
export function marker(place: Place): string {
  return markerOf(place, process.env.CLAUDE_PID ?? '')
}

/** The session folder that was named, else that of the orchestration that runs here. */
export function sessionDir(given: string | undefined, place: Place): string {
  const dir = given ?? readMarker(marker(place))
  if (dir !== undefined && dir !== '') return dir
  throw new HoldpointError({
    code: 'OPTION_INVALID',
    message: 'Which session? No orchestration is marked as running here.',
    fix: 'Name the folder that `holdpoint mux session` printed.',
  })
}

/** The session of the agent program that runs this command, where it says so. */
export function callerSession(given: string | undefined): string | undefined {
  return given ?? (process.env.CLAUDE_CODE_SESSION_ID || undefined)
}

/** Agents of that session by id, and whether they have ended. Unknown is an empty answer. */
export function agentsOf(
  session: string | undefined,
  home: string | undefined,
): ReadonlyMap<string, boolean> {
  if (session === undefined) return new Map()
  const state = createFileState(homeLayout(home, process.env).state).read(session)
  if (!state.ok) return new Map()
  return new Map([...state.value.actors].map(([id, { ended }]) => [id, ended]))
}

export function must<T>(result: Result<T>): T {
  if (!result.ok) throw new HoldpointError(result.problem)
  return result.value
}

/** A count in digits, or a clear word. */
export function countIn(text: string | undefined, option: string): number | undefined {
  if (text === undefined) return undefined
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new HoldpointError({
    code: 'OPTION_INVALID',
    key: option,
    message: `"${text}" is no number.`,
    fix: 'Give a whole number, such as 3.',
  })
}

/** More, and longer, lines would only fill the orchestrator's memory. */
const LINES_MAX = 200
const LINE_MAX_CHARACTERS = 400

export function print(lines: readonly string[], data: JsonObject, json: boolean | undefined): void {
  if (json === true) process.stdout.write(`${JSON.stringify(data)}\n`)
  else for (const line of bounded(lines)) process.stdout.write(`${line}\n`)
}

export function warn(complaints: readonly string[]): void {
  for (const complaint of bounded(complaints)) process.stderr.write(`warning: ${complaint}\n`)
}

function bounded(lines: readonly string[]): readonly string[] {
  const rest = lines.length - LINES_MAX
  const shown = lines.slice(0, LINES_MAX).map((line) => {
    return line.length > LINE_MAX_CHARACTERS ? `${line.slice(0, LINE_MAX_CHARACTERS)}…` : line
  })
  return rest > 0 ? [...shown, `… and ${rest} more`] : shown
}
