import { sessionProject } from '../core/engine/build-commit.ts'
import type { Event } from '../core/event.ts'
import type { Host } from '../core/host.ts'
import type { StateStore } from '../core/state/state.ts'
import { findProject } from '../system/project.ts'
import type { HookRequest } from './responder.ts'

/**
 * The project whose rules apply: the one the host names, or the one the session started in. If neither is
 * known, the folder of this event is used, and the main agent's folder is stored. A project named at the
 * start of a turn is stored too, because later events of that turn that come over HTTP do not name one.
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
