/**
 * Three-valued logic (Kleene): what cannot be judged before it runs is `maybe`, and stays `maybe` through a `not`.
 * Making something unknown never turns a yes into a no or a no into a yes.
 */
export type Truth = 'no' | 'maybe' | 'yes'

const ORDER: readonly Truth[] = ['no', 'maybe', 'yes']

export function not(truth: Truth): Truth {
  return truth === 'maybe' ? 'maybe' : truth === 'yes' ? 'no' : 'yes'
}

/** Both hold. */
export function both(left: Truth, right: Truth): Truth {
  return ORDER.indexOf(left) <= ORDER.indexOf(right) ? left : right
}

/** One of the two holds. */
export function either(left: Truth, right: Truth): Truth {
  return ORDER.indexOf(left) >= ORDER.indexOf(right) ? left : right
}

/** The strongest that holds for one of the items; stops at the first yes. */
export function anyOf<T>(items: Iterable<T>, judge: (item: T) => Truth): Truth {
  let truth: Truth = 'no'
  for (const item of items) {
    truth = either(truth, judge(item))
    if (truth === 'yes') return truth
  }
  return truth
}

/** What holds for all of the items; stops at the first no. */
export function allOf<T>(items: Iterable<T>, judge: (item: T) => Truth): Truth {
  let truth: Truth = 'yes'
  for (const item of items) {
    truth = both(truth, judge(item))
    if (truth === 'no') return truth
  }
  return truth
}

/** One of several things is the case and nobody knows which: certain only where all agree. */
export function oneOfThese<T>(items: readonly T[], judge: (item: T) => Truth): Truth {
  const first = items[0]
  if (first === undefined) return 'maybe'
  const truth = judge(first)
  return items.every((item, index) => index === 0 || judge(item) === truth) ? truth : 'maybe'
}
