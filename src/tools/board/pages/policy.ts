import { unsignedEntries } from '../../../config/unsigned-entries.ts'
import { readExceptions } from '../../../system/exceptions.ts'
import type { Home } from '../../../system/home.ts'
import { currentPause } from '../../status/open-pause.ts'
import { readPolicy } from '../../status/status-facts.ts'
import type { PolicyPage } from '../api.ts'

/** The policy that applies in a project, and every exception to it. */
export async function describePolicy(home: Home, project: string, nowMs: number): Promise<PolicyPage> {
  const { policy, broken } = await readPolicy(home, project)
  const pause = currentPause(home, nowMs)
  const exceptions = readExceptions(home).exceptions.filter(
    (each) => each.project === project && (each.untilMs === undefined || each.untilMs > nowMs),
  )
  return {
    project,
    policy,
    broken: broken.filter(({ code }) => code !== 'UNSIGNED_ENTRY'),
    unsigned: unsignedEntries({ home, project }),
    exceptions: exceptions.map(({ code, guard, what, cwd, untilMs, once }) => ({
      code,
      guard,
      what,
      cwd,
      ...(untilMs === undefined ? {} : { until: new Date(untilMs).toISOString() }),
      ...(once === undefined ? {} : { session: once.session }),
    })),
    ...(pause === undefined ? {} : { pause }),
  }
}
