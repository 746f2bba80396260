/** Calls the next step at once for a value, and later for a promise. A sync value never becomes a promise. */
export function andThen<A, B>(value: A | Promise<A>, next: (value: A) => B | Promise<B>): B | Promise<B> {
  return value instanceof Promise ? value.then(next) : next(value)
}
