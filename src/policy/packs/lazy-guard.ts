import type { Guard } from '../../core/guard.ts'

/** What is known of a guard before its file is run. */
type KnownGuard = Pick<Guard, 'id' | 'on' | 'match' | 'topics'>

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
  readonly concerns: Guard['concerns']
  readonly check: Guard['check']
  readonly #load: () => Guard

  constructor({ id, on, match, topics }: KnownGuard, hasConcerns: boolean, load: () => Guard) {
    this.id = id
    this.on = on
    this.match = match
    this.topics = topics
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
  get modes() {
    return this.#load().modes
  }
  get examples() {
    return this.#load().examples
  }
  get skill() {
    return this.#load().skill
  }
  get grants() {
    return this.#load().grants
  }
  get undoable() {
    return this.#load().undoable
  }
  get onFailure() {
    return this.#load().onFailure
  }
  get timeoutMs() {
    return this.#load().timeoutMs
  }
  get options() {
    return this.#load().options
  }
}

export function lazyGuard(known: KnownGuard, hasConcerns: boolean, load: () => Guard): Guard {
  return new LazyGuard(known, hasConcerns, load) as Guard
}
