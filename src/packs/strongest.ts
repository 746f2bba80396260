import type { Caught } from './guard.ts'

/** The first certain catch among the items, else the first doubt, else nothing. */
export function strongest<T>(items: readonly T[], judge: (item: T) => Caught | null): Caught | null {
  let doubt: Caught | null = null
  for (const item of items) {
    const caught = judge(item)
    if (caught !== null && caught.unsure === undefined) return caught
    doubt ??= caught
  }
  return doubt
}
