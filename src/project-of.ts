import { sessionProject } from './commit-for.ts'
import type { Event } from './event.ts'
import type { Host } from './hosts/host.ts'
import type { HookRequest } from './responder.ts'
import type { StateStore } from './state/state.ts'
import { findProject } from './world/project.ts'

/**
 * The project whose rules hold: the one the host names, else the one the session began in. Only where neither is
 * known does the folder of this event decide; the main agent's folder is then remembered. One that is named when a
 * turn begins is remembered too: an event of that turn that comes over HTTP names none.
 */
export function projectOf(
  host: Host,
  event: Event,
  request: Pick<HookRequest, 'env'>,
  state: StateStore,
): { readonly project: string; readonly pinProject?: string } {
  const named = host.projectVariable === undefined ? undefined : request.env[host.projectVariable]
  const beginsTurn = event.kind === 'SessionStart' || event.kind === 'UserPromptSubmit'
  if (named && !beginsTurn) return { project: findProject(named) }
  const session = event.session === '' ? undefined : state.read(event.session)
  const begun = session?.ok ? sessionProject(session.value) : undefined
  if (!named && begun !== undefined && event.kind !== 'SessionStart') return { project: begun }
  const project = findProject(named || event.cwd)
  const remember = event.session !== '' && event.agentId === undefined && project !== begun
  return remember ? { project, pinProject: project } : { project }
}
