import { type Abilities, type Host, NO_ABILITIES } from '../core/host.ts'
import { abilitiesOf, type Dialect, eventNamed } from './dialect.ts'
import { decodeDialect, kindNamed } from './dialect-decode.ts'
import { encodeDialect, refuseDialect } from './dialect-encode.ts'

/** A host out of its table. */
export function dialectHost(dialect: Dialect): Host {
  const { id, title, limits, projectVariable, notProved, deliversTwice = false } = dialect
  return {
    id,
    title,
    events: eventsOf(dialect),
    limits,
    deliversTwice,
    ...(projectVariable === undefined ? {} : { projectVariable }),
    ...(dialect.stopsUnmarked === undefined ? {} : { stopsUnmarked: dialect.stopsUnmarked }),
    ...(notProved === undefined ? {} : { notProved }),
    ...(dialect.answersAs === undefined ? {} : { answersAs: dialect.answersAs }),
    abilitiesAt(event) {
      const known = eventNamed(dialect, event.name)
      if (known === undefined) return event.kind === 'Unknown' ? NO_ABILITIES : EXIT_ONLY
      const can = abilitiesOf(known)
      return dialect.weakened?.(event, can) ?? can
    },
    decode: (request) => decodeDialect(dialect, request),
    eventNamed: (payload) => kindNamed(dialect, payload),
    encode: (decision, event) => encodeDialect(dialect, decision, event),
    refuse: (problem, lastResort) => refuseDialect(dialect, problem, lastResort),
  }
}

/** An event by a name nobody knows is answered by exit code alone. */
const EXIT_ONLY: Abilities = { ...NO_ABILITIES, deny: true }

/** Of two events that are one kind of ours, the first is the one a policy is written for. */
function eventsOf(dialect: Dialect): Host['events'] {
  const known = Object.values(dialect.events).filter(({ kind }) => kind !== 'Unknown')
  const pairs = known.map((event) => [event.kind, abilitiesOf(event)] as const)
  return Object.fromEntries(pairs.toReversed())
}
