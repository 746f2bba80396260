/**
 * Three-valued logic (Kleene): what cannot be decided before it runs is `maybe`, and stays `maybe` after a `not`.
 * Making something unknown never turns a yes into a no or a no into a yes.
 */
export type Truth = 'no' | 'maybe' | 'yes'

const ORDER: readonly Truth[] = ['no', 'maybe', 'yes']

export function not(truth: Truth): Truth {
  return truth === 'maybe' ? 'maybe' : truth === 'yes' ? 'no' : 'yes'
}

/** Both are true. */
export function andTruth(left: Truth, right: Truth): Truth {
  return ORDER.indexOf(left) <= ORDER.indexOf(right) ? left : right
}

/** One of the two is true. */
export function orTruth(left: Truth, right: Truth): Truth {
  return ORDER.indexOf(left) >= ORDER.indexOf(right) ? left : right
}

/** The strongest result of the items; stops at the first yes. */
export function anyOf<T>(items: Iterable<T>, judge: (item: T) => Truth): Truth {
  let truth: Truth = 'no'
  for (const item of items) {
    truth = orTruth(truth, judge(item))
    if (truth === 'yes') return truth
  }
  return truth
}

/** The weakest result of the items; stops at the first no. */
export function allOf<T>(items: Iterable<T>, judge: (item: T) => Truth): Truth {
  let truth: Truth = 'yes'
  for (const item of items) {
    truth = andTruth(truth, judge(item))
    if (truth === 'no') return truth
  }
  return truth
}

/** One of several cases applies and it is unknown which: certain only if all agree. */
export function oneOfThese<T>(items: readonly T[], judge: (item: T) => Truth): Truth {
  const first = items[0]
  if (first === undefined) return 'maybe'
  const truth = judge(first)
  return items.every((item, index) => index === 0 || judge(item) === truth) ? truth : 'maybe'
}
