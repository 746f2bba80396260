import type { Guard } from '../../core/guard.ts'

/** What is known of a guard before its file is run: all that a plan says of it. */
type KnownGuard = Pick<
  Guard,
  'id' | 'on' | 'match' | 'topics' | 'modes' | 'skill' | 'grants' | 'undoable' | 'onFailure' | 'timeoutMs'
>

/**
 * A guard whose file is run when it is first asked about an event, or described. The build puts these in the place of
 * guards that name topics (scripts/lazy-guards.mjs): most events have none of them. A class, because a hundred are made
 * whenever a process starts.
 */
class LazyGuard {
  readonly id: string
  readonly on: Guard['on']
  readonly match: string
  readonly topics: Guard['topics']
  readonly modes: Guard['modes']
  readonly skill: Guard['skill']
  readonly grants: Guard['grants']
  readonly undoable: Guard['undoable']
  readonly onFailure: Guard['onFailure']
  readonly timeoutMs: Guard['timeoutMs']
  readonly concerns: Guard['concerns']
  readonly check: Guard['check']
  readonly #load: () => Guard

  constructor(known: KnownGuard, hasConcerns: boolean, load: () => Guard) {
    this.id = known.id
    this.on = known.on
    this.match = known.match
    this.topics = known.topics
    this.modes = known.modes
    this.skill = known.skill
    this.grants = known.grants
    this.undoable = known.undoable
    this.onFailure = known.onFailure
    this.timeoutMs = known.timeoutMs
    this.concerns = hasConcerns ? (event, facts) => load().concerns?.(event, facts) !== false : undefined
    this.check = (input) => load().check(input)
    this.#load = load
  }
  get title() {
    return this.#load().title
  }
  get why() {
    return this.#load().why
  }
  get instead() {
    return this.#load().instead
  }
  get examples() {
    return this.#load().examples
  }
  get options() {
    return this.#load().options
  }
}

export function lazyGuard(known: KnownGuard, hasConcerns: boolean, load: () => Guard): Guard {
  return new LazyGuard(known, hasConcerns, load) as Guard
}
