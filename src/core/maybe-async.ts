/** A value that is there at once, or later. */
export type MaybePromise<T> = T | Promise<T>

/** Calls the next step at once for a value, and later for a promise. A sync value never becomes a promise. */
export function andThen<A, B>(value: MaybePromise<A>, next: (value: A) => MaybePromise<B>): MaybePromise<B> {
  return value instanceof Promise ? value.then(next) : next(value)
}

/** `try` and `catch` for work that may be sync or not. */
export function orElse<T>(
  work: () => MaybePromise<T>,
  failed: (error: unknown) => MaybePromise<T>,
): MaybePromise<T> {
  try {
    const done = work()
    return done instanceof Promise ? done.catch(failed) : done
  } catch (error) {
    return failed(error)
  }
}
