import { join } from 'node:path'
import { deadlinesOf } from '../core/deadlines.ts'
import type { Event } from '../core/event.ts'
import { fingerprint } from '../core/fingerprint.ts'
import type { Host } from '../core/host.ts'
import type { MaybePromise } from '../core/maybe-async.ts'
import * as answering from '../system/answering.ts'
import type { Home } from '../system/home.ts'
import { type Install, readInstalls } from '../system/installs.ts'
import type { HookRequest } from './responder.ts'

/**
 * Two hooks can report the same event: the one that `init` wrote into a settings file, and the plugin's. The
 * hook of the settings always decides, and writes a note about the call first. The plugin's hook skips a call
 * only if it finds the note about exactly this call; otherwise it decides too. So if the settings lost their
 * hook, or the session was started without them, the only cost is a short wait. The plugin uses notes only if
 * this user's `init` wrote hooks, because a repository could start Holdpoint from its own hook and ignore the
 * answer.
 */
export function isLeftToSettings(
  host: Host,
  event: Event,
  request: Pick<HookRequest, 'payload' | 'env' | 'via' | 'deadlineMs'>,
  home: Home,
): MaybePromise<boolean> {
  if (host.pluginList === undefined) return false
  const { env, payload, via } = request
  const project = (host.projectVariable && env[host.projectVariable]) || event.cwd
  const call = () => fingerprint(payload.trim())
  if (via === undefined) {
    if (event.kind === 'SessionStart')
      keepFolder(home.answering, host.pluginList({ env, home: home.user, project }))
    if (answering.hasFolder(home.answering)) answering.note(home.answering, call())
    return false
  }
  answering.makeFolder(home.answering)
  const installs = readInstalls(home.installs).filter(
    (each) => each.host === host.id && covers(each, project),
  )
  if (!installs.some(({ file }) => answering.fileContains(file, ENTRY))) return false
  const deadlineMs = request.deadlineMs ?? deadlinesOf(event.kind).clientMs
  const waitMaxMs = Math.min(WAIT_MAX_MS, deadlineMs / 3)
  return isAnswered(home.answering, call(), fingerprint(event.session), waitMaxMs)
}

/** A string that marks Holdpoint's hooks in a settings file. */
const ENTRY = 'holdpoint-hook'
const PLUGIN = '"holdpoint@'

function covers({ scope, file }: Install, project: string): boolean {
  return scope === 'user' || file.startsWith(`${project}/`)
}

/**
 * How much later than the plugin's hook a hook of the settings may start: on a busy machine that is seconds.
 */
const WAIT_MAX_MS = 5_000

/** A session that does not read its settings, whatever the file says, waits only once. */
async function isAnswered(
  folder: string,
  call: string,
  session: string,
  waitMaxMs: number,
): Promise<boolean> {
  const alone = `alone-${session}`
  const waitMs = answering.isFresh(join(folder, alone)) ? 0 : waitMaxMs
  const answered = await answering.take(folder, call, waitMs)
  if (answered) answering.forget(folder, alone)
  else answering.note(folder, alone)
  return answered
}

/**
 * If there is a plugin, notes are written from the first call on. If the plugin is gone, its folder is
 * deleted.
 */
function keepFolder(folder: string, plugins: string): void {
  if (answering.fileContains(plugins, PLUGIN)) {
    answering.makeFolder(folder)
    answering.removeStaleNotes(folder)
  } else if (answering.hasFolder(folder)) answering.removeFolder(folder)
}
