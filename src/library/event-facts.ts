import type { Facts } from '../core/facts.ts'
import { type FactsScope, liveFacts } from '../system/live-facts.ts'

/**
 * The facts for one event: what is the same for all events is created once; resolved paths belong to the
 * event.
 */
export function factsMaker(where: FactsScope): (cwd: string) => Facts {
  const shared = usual(where)
  return (cwd) => (cwd === where.cwd ? forOneEvent(shared, where) : usual({ ...where, cwd }))
}

/** All hooks share the environment, so it is frozen. */
function usual(where: FactsScope): Facts {
  const facts = liveFacts(where)
  return { ...facts, env: Object.freeze(facts.env) }
}

function forOneEvent(shared: Facts, where: FactsScope): Facts {
  let own: Facts | undefined
  return {
    cwd: shared.cwd,
    home: shared.home,
    project: shared.project,
    platform: shared.platform,
    env: shared.env,
    now: shared.now,
    branch: shared.branch,
    readText: shared.readText,
    readNow: shared.readNow,
    list: shared.list,
    stat: shared.stat,
    recentCommits: shared.recentCommits,
    // The target of a link may change between two events.
    realpath: (path) => {
      own ??= liveFacts(where)
      return own.realpath(path)
    },
  }
}
