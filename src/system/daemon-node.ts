/**
 * How Node is started for the daemon. Its memory after a burst of events is what it had at the top of it: space for young
 * objects that was never needed again, and pieces of memory that each thread got from the system for itself. With this,
 * a daemon that answered many events at once has 116 instead of 180 MB, and answers 5 % fewer in a second. Code is
 * optimized after a seventh of the usual runs, so that the warm-up ends with code that is fast.
 */
export const DAEMON_FLAGS = ['--max-semi-space-size=2', '--interrupt-budget=10000'] as const
export const DAEMON_ENV = { MALLOC_ARENA_MAX: '1' } as const
