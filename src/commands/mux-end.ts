import { randomBytes } from 'node:crypto'
import { MAIN } from '../actor.ts'
import { HoldpointError } from '../errors.ts'
import { listAgents } from '../mux/agents.ts'
import { findSignals } from '../mux/find-signals.ts'
import { readMarker, removeMarker } from '../mux/marker.ts'
import type { Place } from '../mux/place.ts'
import { createFileState } from '../state/file-state.ts'
import { appendToSpool } from '../stores/spool.ts'
import { type Home, homeLayout } from '../world/home.ts'
import { agentsOf, callerSession, here, marker, must, print, warn } from './mux-place.ts'

interface DeactivateOptions {
  readonly session?: string
  readonly home?: string
  readonly json?: boolean
}

/**
 * The end of an orchestration: no marker, and the skill no longer binds the main agent. Only when nobody works any
 * more, or an orchestrator could put its limits off in the middle of its work. To end twice is to end once.
 */
export async function deactivate(dir: string | undefined, options: DeactivateOptions): Promise<void> {
  const place = here()
  const home = homeLayout(options.home, process.env)
  const session = callerSession(options.session)
  const marked = readMarker(marker(place))
  const folder = dir ?? marked
  // Also those of the orchestration that is marked here: naming another folder does not end their work.
  const noted = [...new Set([folder, marked])].flatMap((each) => registered(each, place))
  const running = [...new Set([...noted, ...working(session, options.home)])]
  if (running.length > 0) {
    throw new HoldpointError({
      code: 'STATE_UNWRITABLE',
      message: `${running.length === 1 ? 'An agent is' : `${running.length} agents are`} still at work: ${running.slice(0, 10).join(', ')}.`,
      fix: 'Wait until they have signalled and ended, then try again.',
    })
  }
  const hadMarker = removeMarker(marker(place))
  const hadSkill = session !== undefined && endSkill(home, session)
  if (hadMarker || hadSkill) note(home, place, session ?? '', folder)
  const word = hadMarker || hadSkill ? 'The orchestration has ended.' : 'No orchestration was active.'
  print([word], { deactivated: hadMarker || hadSkill, skillEnded: hadSkill }, options.json)
}

/** Those of the session's own list that have neither signalled nor ended. */
function registered(folder: string | undefined, place: Place): readonly string[] {
  if (folder === undefined) return []
  const found = findSignals(folder, place)
  // A session folder that vanished keeps nobody.
  if (!found.ok) return []
  const { agents, complaints } = listAgents(found.value, new Set())
  warn(complaints)
  return agents.filter(({ status }) => status === 'running').map(({ agent_id }) => agent_id)
}

/** Those the agent program told us of. */
function working(session: string | undefined, home: string | undefined): readonly string[] {
  return [...agentsOf(session, home)].flatMap(([id, ended]) => (id === MAIN || ended ? [] : [id]))
}

/** False when it was not active. */
function endSkill(home: Home, session: string): boolean {
  const state = createFileState(home.state)
  const before = must(state.read(session)).actors.get(MAIN)?.skills ?? []
  if (!before.includes('mux')) return false
  must(
    state.commit(session, {
      agent: MAIN,
      changes: [{ do: 'skill', name: 'mux', active: false }],
      nonce: randomBytes(8).toString('hex'),
      atMs: Date.now(),
    }),
  )
  return true
}

/** No event of the agent, and in the journal all the same: from here on it is held no more. */
function note(home: Home, place: Place, session: string, folder: string | undefined): void {
  const now = new Date()
  const kept = appendToSpool(home.journal, {
    id: `${now.getTime().toString(36)}-${randomBytes(6).toString('hex')}`,
    at: now.toISOString(),
    host: 'holdpoint',
    event: 'MuxDeactivate',
    session,
    cwd: process.cwd(),
    project: place.project,
    effect: 'pass',
    because: [],
    notices: [`The orchestration ${folder ?? ''} was ended: the skill mux no longer binds the main agent.`],
    durationMs: 0,
    revision: '',
  })
  if (!kept.ok) warn([kept.problem.message])
}
