import type { Facts } from '../facts.ts'
import { liveFacts, type Where } from '../world/live-facts.ts'

/** The world as one event sees it: what is the same for all events is made once, resolved paths are its own. */
export function factsMaker(where: Where): (cwd: string) => Facts {
  const shared = usual(where)
  return (cwd) => (cwd === where.cwd ? forOneEvent(shared, where) : usual({ ...where, cwd }))
}

/** The environment is looked at by every hook that looks at it, so nobody may change it. */
function usual(where: Where): Facts {
  const facts = liveFacts(where)
  return { ...facts, env: Object.freeze(facts.env) }
}

function forOneEvent(shared: Facts, where: Where): Facts {
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
    list: shared.list,
    stat: shared.stat,
    recentCommits: shared.recentCommits,
    // Where a link leads may change between two events.
    realpath: (path) => {
      own ??= liveFacts(where)
      return own.realpath(path)
    },
  }
}
