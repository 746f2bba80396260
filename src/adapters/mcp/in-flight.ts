/** Counts what is being checked now, and tells when all of it is done. */
export interface InFlight {
  add<T>(work: Promise<T>, done: (value: T) => void): void
  /** Settled as soon as nothing is left. */
  none(): Promise<void>
}

/** `full` and `free` are called when the limit is reached and when there is room again. */
export function countInFlight(max: number, full: () => void, free: () => void): InFlight {
  let count = 0
  let idle: (() => void)[] = []
  const finish = () => {
    count -= 1
    if (count === max - 1) free()
    if (count > 0) return
    for (const wake of idle) wake()
    idle = []
  }
  return {
    add(work, done) {
      count += 1
      if (count === max) full()
      void work.then(done).finally(finish)
    },
    none: () => (count === 0 ? Promise.resolve() : new Promise((resolve) => idle.push(resolve))),
  }
}
