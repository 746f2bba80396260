import type { GuardMatch } from '../../core/guard.ts'

/** The first certain match among the items, otherwise the first unsure match, otherwise null. */
export function strongest<T>(items: readonly T[], judge: (item: T) => GuardMatch | null): GuardMatch | null {
  let doubt: GuardMatch | null = null
  for (const item of items) {
    const caught = judge(item)
    if (caught !== null && caught.unsure === undefined) return caught
    doubt ??= caught
  }
  return doubt
}
