import { randomBytes } from 'node:crypto'
import { MAIN } from '../core/actor.ts'
import { HoldpointError } from '../core/errors.ts'
import { appendToSpool } from '../storage/journal/spool.ts'
import { createFileState } from '../storage/state/file-state.ts'
import { type Home, homeLayout } from '../system/home.ts'
import { listAgents } from '../tools/mux/agents.ts'
import { findSignals } from '../tools/mux/find-signals.ts'
import { readMarker, removeMarker } from '../tools/mux/marker.ts'
import type { Workspace } from '../tools/mux/place.ts'
import type { Caller } from './caller.ts'
import { callerSession, here, markerFor, muxAgentsOf, print, unwrapResult, warn } from './mux-place.ts'

interface DeactivateOptions {
  readonly session?: string
  readonly home?: string
  readonly json?: boolean
}

/**
 * Ends an orchestration: removes the marker and ends the skill for the main agent. Allowed only when no agent
 * is running; otherwise an orchestrator could remove its own limits in the middle of its work. Ending it
 * twice is the same as ending it once.
 */
export async function deactivate(
  caller: Caller,
  dir: string | undefined,
  options: DeactivateOptions,
): Promise<void> {
  const place = here(caller)
  const home = homeLayout(options.home, caller.env)
  const session = callerSession(caller, options.session)
  const active = markerFor(caller, options.session, place)
  const marked = readMarker(active)
  const folder = dir ?? marked
  // Also the agents of the orchestration that is marked here: naming another folder does not end their work.
  const noted = [...new Set([folder, marked])].flatMap((each) => registered(caller, each, place))
  const running = [...new Set([...noted, ...working(caller, session, options.home)])]
  if (running.length > 0) {
    throw new HoldpointError({
      code: 'STATE_UNWRITABLE',
      message: `${running.length === 1 ? 'An agent is' : `${running.length} agents are`} still running: ${running.slice(0, 10).join(', ')}.`,
      fix: 'Wait until they have signalled and ended, then run this again.',
    })
  }
  const hadMarker = removeMarker(active)
  const hadSkill = session !== undefined && endSkill(home, session)
  if (hadMarker || hadSkill) note(caller, home, place, session ?? '', folder)
  const word = hadMarker || hadSkill ? 'The orchestration has ended.' : 'No orchestration was running.'
  print(caller, [word], { deactivated: hadMarker || hadSkill, skillEnded: hadSkill }, options.json)
}

/** Agents in the session's own list that have neither signalled nor ended. */
function registered(caller: Caller, folder: string | undefined, place: Workspace): readonly string[] {
  if (folder === undefined) return []
  const found = findSignals(folder, place)
  // A session folder that was deleted has no running agents.
  if (!found.ok) return []
  const { agents, complaints } = listAgents(found.value, new Set())
  warn(caller, complaints)
  return agents.filter(({ status }) => status === 'running').map(({ agent_id }) => agent_id)
}

/** Agents that the agent program reported. */
function working(caller: Caller, session: string | undefined, home: string | undefined): readonly string[] {
  return [...muxAgentsOf(caller, session, home)].flatMap(([id, ended]) => (id === MAIN || ended ? [] : [id]))
}

/** False if it was not active. */
function endSkill(home: Home, session: string): boolean {
  const state = createFileState(home.state)
  const before = unwrapResult(state.read(session)).actors.get(MAIN)?.skills ?? []
  if (!before.includes('mux')) return false
  unwrapResult(
    state.commit(session, {
      agent: MAIN,
      changes: [{ kind: 'skill', name: 'mux', active: false }],
      nonce: randomBytes(8).toString('hex'),
      atMs: Date.now(),
    }),
  )
  return true
}

/** Not an event of the agent, but recorded in the journal: from here on the limits no longer apply. */
function note(
  caller: Caller,
  home: Home,
  place: Workspace,
  session: string,
  folder: string | undefined,
): void {
  const now = new Date()
  const kept = appendToSpool(home.journal, {
    id: `${now.getTime().toString(36)}-${randomBytes(6).toString('hex')}`,
    at: now.toISOString(),
    host: 'holdpoint',
    event: 'MuxDeactivate',
    session,
    cwd: caller.cwd,
    project: place.project,
    effect: 'pass',
    because: [],
    notices: [
      `The orchestration ${folder ?? ''} was ended: the skill mux no longer applies to the main agent.`,
    ],
    durationMs: 0,
    revision: '',
  })
  if (!kept.ok) warn(caller, [kept.problem.message])
}
