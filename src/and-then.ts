/** Sync first: what is there is handed on at once, what is still to come when it comes. No promise where none was. */
export function andThen<A, B>(value: A | Promise<A>, next: (value: A) => B | Promise<B>): B | Promise<B> {
  return value instanceof Promise ? value.then(next) : next(value)
}
