/**
 * Resolves with the value, or rejects when the call is aborted. An aborted call ends at once, however long a
 * hook takes.
 */
export function untilAborted<T>(value: T | PromiseLike<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return Promise.resolve(value)
  return new Promise((resolve, reject) => {
    const end = () => reject(signal.reason)
    if (signal.aborted) end()
    else signal.addEventListener('abort', end, { once: true })
    // Handled even if nothing waits for it: an unhandled rejection would end the process.
    Promise.resolve(value)
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', end))
  })
}
